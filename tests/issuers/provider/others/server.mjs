// A provider that is a program of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const freePort = async () => {
    const server = net.createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address()
    server.close()
    return port
}

// Starts a program that answers at this URL, and stops it at the end. Its output is in the file.
export const run = async (command, { url, log, env }) => {
    const output = openSync(log, 'w')
    const server = spawn(command[0], command.slice(1), { env: { ...process.env, ...env }, stdio: ['ignore', output, output] })
    process.on('exit', () => server.kill())
    for (let tries = 0; tries < 300 && server.exitCode === null; tries += 1) {
        if (await fetch(url).then(() => true, () => false)) return
        await sleep(100)
    }
    throw new Error(`${command[0]} does not start: see ${log}`)
}

// Sends a form as a client.
export const post = async (url, client, form) => {
    const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(client)}` },
        body: new URLSearchParams(form),
    })
    return { status: response.status, ...JSON.parse((await response.text()) || '{}') }
}

export const cookies = response => response.headers.getSetCookie().map(line => line.split(';')[0]).join('; ')
