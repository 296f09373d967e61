// What the checks of every provider share: the servers `conformance`, the lines about what holds, and keys.
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'

let failed = false
export const check = (name, found, expected) => {
    const holds = isDeepStrictEqual(found, expected)
    failed ||= !holds
    console.log(holds ? 'holds ' : 'MISSED', name)
    if (!holds) console.log(JSON.stringify({ found, expected }, null, 4))
}

const servers = []
process.on('exit', () => servers.forEach(server => server.kill()))

// Starts the program on a framework, and returns its URL.
export const start = async (program, framework, options) => {
    const server = spawn(program, ['--framework', framework, '--listen', '127.0.0.1:0', ...options], {
        stdio: ['ignore', 'pipe', 'inherit'],
    })
    servers.push(server)
    const ended = once(server, 'exit').then(() => [''])
    const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), ended])
    if (!line) throw new Error(`${framework} does not start`)
    return line.split(' ').at(-1)
}

// Stops the servers, and says whether all held.
export const end = async () => {
    await Promise.all(servers.map(server => server.kill() && once(server, 'exit')))
    process.exit(failed ? 1 : 0)
}

// Kept, because Node.js 20 may wait for ever if it frees one half of a pair while it exports the other.
const pairs = []
// Creates a private key, as JSON, with more members.
export const privateJwk = (type, options, more) => {
    const pair = generateKeyPairSync(type, options)
    pairs.push(pair)
    return { ...pair.privateKey.export({ format: 'jwk' }), ...more }
}
