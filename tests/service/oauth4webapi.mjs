// Calls oauth4webapi for `people.py`: oauth4webapi.mjs PROXY
//
// Lines of JSON come and go: a call, the requests that the library sends for it, their answers, and
// the result.
import { createInterface } from 'node:readline'
import * as oauth from 'oauth4webapi'

const [proxy] = process.argv.slice(2)
const server = { issuer: proxy, token_endpoint: `${proxy}/token`, revocation_endpoint: `${proxy}/revoke` }
const client = { client_id: 'web' }
const none = oauth.None()

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const read = async () => JSON.parse((await lines.next()).value ?? 'null')
const write = message => console.log(JSON.stringify(message))

const wire = async (url, { method, headers, body }) => {
    write({ method, url: String(url), headers: Object.fromEntries(new Headers(headers)), data: String(body) })
    const { status, headers: received, body: text } = await read()
    if (!status) throw new TypeError('the answer was lost')
    return new Response(text, { status, headers: received })
}
const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: wire }

const calls = {
    log_in: async (username, password) => {
        const parameters = { username, password }
        const response = await oauth.genericTokenEndpointRequest(server, client, none, 'password', parameters, options)
        return oauth.processGenericTokenEndpointResponse(server, client, response)
    },
    refresh: async token => {
        const response = await oauth.refreshTokenGrantRequest(server, client, none, token, options)
        return oauth.processRefreshTokenResponse(server, client, response)
    },
    revoke: async token => {
        await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, none, token, options))
    },
}

for (let message; (message = await read()); ) {
    // The journal has the reason of an error.
    const result = await calls[message.call](...message.arguments).catch(() => null)
    write({ result: result ?? null })
}
