// Starts the provider, the example and the proxies before them, and lets each client log in.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import * as version2 from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { consent as opened } from './browser.mjs'
import { provider } from './provider.mjs'
import { Recorder, listen } from './recorder.mjs'
import { walk } from './typescript.mjs'

const [root, out, update] = process.argv.slice(2)
const programs = `${process.env.CARGO_TARGET_DIR ?? `${root}/target`}/debug`
const version1 = { Client, StreamableHTTPClientTransport, UnauthorizedError }
// Nobody listens there.
const redirect = 'http://127.0.0.1:9/callback'

const freePort = async () => {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address()
    server.close()
    return port
}

// Runs a program to its end.
const run = async (program, args, environment = {}) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${program}: exit ${code}`)
}

const recorder = new Recorder()
let upstream
const issuer = await recorder.listen('issuer', () => upstream.issuer)
const host = await recorder.listen('server', () => upstream.server)
const server = `${host}/mcp`

// Writes down where the client sends the user, and where the user comes back.
const consent = async url => {
    recorder.note(`The user opens ${url}`)
    const back = await opened(url, redirect)
    recorder.note(`The user comes back to ${back}\n`)
    return back
}
const user = await listen(async (request, response) => response.end(await consent(await text(request))))

const clients = {
    rmcp: () => run('cargo', ['test', '-q', '-p', 'doorward-example-mcp', '--test', 'provider'], {
        MCP_SERVER: server,
        MCP_CONSENT: user,
    }),
    typescript: () => walk(version2, { versionNegotiation: { mode: 'auto' } }, server, redirect, consent),
    'typescript-1': () => walk(version1, {}, server, redirect, consent),
    python: () => run(`${out}/python/bin/python`, [`${out}/client.py`, server, redirect, user]),
}

let failed = false
for (const [name, client] of Object.entries(clients)) {
    const port = await freePort()
    upstream = { server: `http://127.0.0.1:${port}`, issuer: await listen(provider(issuer, server)) }
    const example = spawn(`${programs}/doorward-example-mcp`, [
        '--listen', `127.0.0.1:${port}`, '--issuer', issuer, '--resource', server,
    ])
    example.stderr.pipe(process.stderr)
    await once(createInterface(example.stdout), 'line')
    // The example has asked for the metadata of the issuer.
    recorder.end()
    try {
        await client()
    } finally {
        example.kill()
    }
    const transcript = recorder.end()
    const golden = `${root}/tests/peers/mcp/transcripts/${name}.txt`
    if (update === '--update') await writeFile(golden, transcript)
    const expected = await readFile(golden, 'utf8')
    if (transcript === expected) {
        console.log(`${name}: logged in, stepped up, and said what the transcript says`)
    } else {
        failed = true
        await writeFile(`${out}/${name}.txt`, transcript)
        await run('diff', [golden, `${out}/${name}.txt`]).catch(error => console.error(error.message))
    }
}
process.exit(failed ? 1 : 0)
