// A proxy that writes down what clients ask and what they are told. What differs between two runs is
// replaced by names.
import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Those of the connection, and those that depend on the version of an HTTP library. */
const LEFT_OUT = new Set([
    'accept-encoding', 'accept-language', 'connection', 'content-length', 'date', 'etag', 'host',
    'keep-alive', 'sec-fetch-dest', 'sec-fetch-mode', 'transfer-encoding', 'user-agent',
])

/** Starts a server at a free port. Returns its URL. */
export const listen = async handler => {
    const server = http.createServer(handler)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${server.address().port}`
}

export class Recorder {
    #lines = []
    /** Replacements of strings, by their name. */
    #names = []

    /** Listens, and passes each request on. `name` stands for the URL, which is returned. */
    async listen(name, upstream) {
        const url = await listen((request, response) => {
            this.#pass(name, upstream(), request, response).catch(error => {
                console.error(error)
                response.destroy()
            })
        })
        this.#names.push([url, `{${name}}`], [encodeURIComponent(url), `{${name}}`])
        return url
    }

    note(line) {
        this.#lines.push(this.#named(line))
    }

    /** Ends a transcript, and returns it. */
    end() {
        const transcript = this.#lines.join('\n') + '\n'
        this.#lines = []
        return transcript
    }

    async #pass(name, upstream, request, response) {
        const body = await buffer(request)
        const { method, url, headers } = request
        const answer = await new Promise((done, fail) => {
            const on = http.request(upstream + url, { method, headers, agent: false }, done)
            on.on('error', fail).end(body)
        })
        // The user's browser is not the client.
        if (headers['sec-fetch-dest'] !== 'document') {
            const shown = [
                `${method} {${name}}${url}`,
                ...this.#headers('>', headers),
                ...this.#body(headers, body),
                `< ${answer.statusCode}`,
                ...this.#headers('<', answer.headers),
            ]
            // A stream that the client opens beside its requests comes at any time.
            if (method !== 'GET' || url !== '/mcp') this.note(shown.join('\n') + '\n')
        }
        response.writeHead(answer.statusCode, answer.headers)
        answer.pipe(response)
    }

    #headers(side, headers) {
        const shown = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name))
        return shown.map(([name, value]) => `${side} ${name}: ${value}`).sort()
    }

    #body(headers, body) {
        const text = body.toString()
        if (!text) return []
        if (headers['content-type'].startsWith('application/x-www-form-urlencoded')) {
            return [...new URLSearchParams(text)].map(([name, value]) => `  ${name}=${value}`).sort()
        }
        const { jsonrpc, method, params, ...rest } = JSON.parse(text)
        return [jsonrpc ? `  ${[method, params?.name].filter(Boolean).join(' ')}` : `  ${JSON.stringify(rest)}`]
    }

    #named(text) {
        for (const [from, to] of this.#names) text = text.replaceAll(from, to)
        return text
            .replace(/eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+/g, (_, claims) => {
                const { scope } = JSON.parse(Buffer.from(claims, 'base64url'))
                return `{token for ${scope}}`
            })
            .replace(/\b(state|code|code_challenge|code_verifier|client_id|nonce)=[^&\s]+/g, '$1={$1}')
    }
}
