// www-authenticate and oauth4webapi against a server with complete challenges: what each reads in
// them, and whether oauth4webapi accepts the metadata document.
import { once } from 'node:events'
import http from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import * as oauth from 'oauth4webapi'
import wwwAuthenticate from 'www-authenticate'

const [framework, server] = process.argv.slice(2)
const resource = 'https://api.example.com/v1'
const resource_metadata = 'https://api.example.com/.well-known/oauth-protected-resource/v1'

const invalid = {
    error: 'invalid_token',
    error_description: 'The access token is expired, revoked, malformed or otherwise invalid',
}
const insufficient = {
    error: 'insufficient_scope',
    error_description: 'The request requires more scopes than the access token grants',
}

// A case: the `Authorization` lines, the status, and the error.
const cases = [
    ['no token', [], 401, {}],
    ['another scheme', ['Basic YTpi'], 401, {}],
    ['two tokens', ['Bearer good:me,items', 'Bearer good:me,items'], 401, {}],
    ['an empty token', ['Bearer'], 401, invalid],
    ['an invalid token', ['Bearer good'], 401, invalid],
    ['a token without scopes', ['Bearer good:'], 403, insufficient],
    ['a token without `me`', ['bearer good:items'], 403, insufficient],
    ['a token with other scopes', ['Bearer good:mes,item'], 403, insufficient],
]

// Sends a request with these lines. `fetch` would join two lines.
const get = async (url, lines) => {
    const [message] = await once(http.get(url, { headers: { authorization: lines } }), 'response')
    message.resume()
    return new Response(null, { status: message.statusCode, headers: message.headers })
}

const byWwwAuthenticate = async (url, lines) => {
    const { status, headers } = await get(url, lines)
    const line = headers.get('www-authenticate')
    try {
        const { scheme, parms, err } = new wwwAuthenticate.parsers.WWW_Authenticate(line)
        return err ? { status, line, err } : { status, scheme, parameters: parms }
    } catch (error) {
        return { status, line, thrown: error.name }
    }
}

const byOauth4webapi = async (url, lines) => {
    // The server speaks plain HTTP.
    const options = { [oauth.allowInsecureRequests]: true }
    // The library sends exactly one token, which is not empty. For the other cases, it only reads the response.
    const token = lines.length === 1 ? lines[0].match(/^Bearer (.+)$/)?.[1] : undefined
    if (token === undefined) options[oauth.customFetch] = () => get(url, lines)
    try {
        const { status } = await oauth.protectedResourceRequest(token ?? 'unused', 'GET', url, undefined, null, options)
        return { status }
    } catch (error) {
        if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
        return { status: error.status, challenges: error.cause }
    }
}

let failed = false
const check = (name, found, expected) => {
    const holds = isDeepStrictEqual(found, expected)
    failed ||= !holds
    console.log(holds ? 'holds ' : 'MISSED', framework, '/', name)
    if (!holds) console.log(JSON.stringify({ found, expected }, null, 4))
}

for (const [path, scope] of [['/rfc/me', 'me'], ['/rfc/items', 'items me']]) {
    const url = new URL(path, server)
    for (const [name, lines, status, error] of cases) {
        const parameters = { realm: 'doorward', scope, resource_metadata, ...error }
        check(`${path} / ${name} / www-authenticate`, await byWwwAuthenticate(url, lines), { status, scheme: 'Bearer', parameters })
        const challenges = [{ scheme: 'bearer', parameters }]
        check(`${path} / ${name} / oauth4webapi`, await byOauth4webapi(url, lines), { status, challenges })
    }
    check(`${path} / a good token / oauth4webapi`, await byOauth4webapi(url, ['Bearer good:me,items']), { status: 200 })
}

// By default, a challenge has no parameters. www-authenticate cannot read it: it throws. oauth4webapi can.
const plain = new URL('/password', server)
const thrown = { status: 401, line: 'Bearer', thrown: 'TypeError' }
check('/password / no token / www-authenticate', await byWwwAuthenticate(plain, []), thrown)
const challenges = [{ scheme: 'bearer', parameters: {} }]
check('/password / no token / oauth4webapi', await byOauth4webapi(plain, []), { status: 401, challenges })

// The resource has another address than the server, so the library's request is sent to the server.
const asked = []
const response = await oauth.resourceDiscoveryRequest(new URL(resource), {
    [oauth.customFetch]: (url, init) => {
        asked.push(url)
        return fetch(url.replace('https://api.example.com', server), init)
    },
})
check('the address of the metadata / oauth4webapi', asked, [resource_metadata])
// This throws if the document is for another resource.
check('the metadata / oauth4webapi', await oauth.processResourceDiscoveryResponse(new URL(resource), response), {
    resource,
    authorization_servers: ['https://id.example.com'],
    scopes_supported: ['me', 'items'],
    bearer_methods_supported: ['header'],
    resource_name: 'Conformance',
})
process.exit(failed ? 1 : 0)
