// oauth4webapi against the example `service`: each grant, routes, revocation, and what it throws.
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import * as oauth from 'oauth4webapi'

const service = JSON.parse(await readFile(process.argv[2]))
const { url } = service
const server = { issuer: url, token_endpoint: `${url}/token`, revocation_endpoint: `${url}/revoke` }

let count = 0
let missed = 0
const check = (name, found, expected) => {
    count++
    if (isDeepStrictEqual(found, expected)) return
    missed++
    console.log('MISSED', 'oauth4webapi', '/', name, JSON.stringify({ found, expected }, null, 4))
}

// What is between the client and the service: it makes requests wrong in ways in which no client
// does.
let change = {}
const wire = (url, { body, headers, ...options }) => {
    // A server may close a connection after a refusal that comes before the body, so each request
    // has its own.
    headers = new Headers(headers)
    headers.set('connection', 'close')
    if (body instanceof URLSearchParams) {
        const pairs = [...body].filter(([name]) => !change.without?.includes(name)).concat(change.add ?? [])
        body = change.json ? JSON.stringify(Object.fromEntries(pairs)) : new URLSearchParams(pairs)
        if (change.json) headers.set('content-type', 'application/json')
    }
    return fetch(url, { body, headers, ...options })
}
// The service speaks plain HTTP.
const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: wire }

const authentication = ([client_id, secret, by]) => {
    if (by === 'header') return [{ client_id }, oauth.ClientSecretBasic(secret)]
    return [{ client_id }, secret ? oauth.ClientSecretPost(secret) : oauth.None()]
}

// Requests a token.
const token = async (by, grant, parameters) => {
    const [client, authenticate] = authentication(by)
    switch (grant) {
        case 'refresh_token': {
            const { refresh_token, ...additionalParameters } = parameters
            const more = { ...options, additionalParameters }
            const request = oauth.refreshTokenGrantRequest(server, client, authenticate, refresh_token, more)
            return oauth.processRefreshTokenResponse(server, client, await request)
        }
        case 'client_credentials': {
            const request = oauth.clientCredentialsGrantRequest(server, client, authenticate, parameters, options)
            return oauth.processClientCredentialsResponse(server, client, await request)
        }
        default: {
            const request = oauth.genericTokenEndpointRequest(server, client, authenticate, grant, parameters, options)
            return oauth.processGenericTokenEndpointResponse(server, client, await request)
        }
    }
}

const revoke = async (by, token) => {
    const more = { ...options, additionalParameters: { token_type_hint: 'refresh_token' } }
    return oauth.processRevocationResponse(await oauth.revocationRequest(server, ...authentication(by), token, more))
}

// Sends a request to a route. Returns its status, and the challenges that are thrown.
const route = async (access_token, method, path, body) => {
    const headers = new Headers(body ? { 'content-type': 'application/json' } : {})
    try {
        body &&= JSON.stringify(body)
        const address = new URL(path, url)
        const response = await oauth.protectedResourceRequest(access_token, method, address, headers, body, options)
        return [response.status, await response.json()]
    } catch (error) {
        if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
        return [error.status, ...error.cause]
    }
}

// Returns the code of the error that is thrown, its status, and the challenges.
const thrown = async (promise) => {
    try {
        await promise
        return null
    } catch (error) {
        if (error instanceof oauth.ResponseBodyError) return [error.error, error.status, null]
        // The body of a challenge is left to its reader.
        if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
        return [(await error.response.json()).error, error.status, error.cause]
    }
}

const web = ['web']
const desk = ['desk', 'hunter2', 'header']
const deskInTheForm = ['desk', 'hunter2', 'form']
const reporter = ['reporter', service.reporter, 'header']
const john = { username: 'johndoe', password: 'correct horse' }
const invalidGrant = ['invalid_grant', 400, null]

// Each grant, with each way to authenticate. A refresh spends its token.
for (const client of [web, desk, deskInTheForm]) {
    const first = await token(client, 'password', john)
    const { token_type, expires_in, scope } = first
    check(`password / ${client}`, [token_type, expires_in, scope], ['bearer', 300, 'notes:read notes:write'])
    const again = await token(client, 'refresh_token', { refresh_token: first.refresh_token, scope: 'notes:read' })
    const areNew = [again.access_token !== first.access_token, again.refresh_token !== first.refresh_token]
    check(`refresh / ${client}`, [again.scope, areNew], ['notes:read', [true, true]])
    const third = await token(client, 'refresh_token', { refresh_token: again.refresh_token })
    check(`all scopes again / ${client}`, third.scope, scope)
    // The first token is spent. It ends its family.
    for (const [name, spent] of [['a spent token', first], ['the last token of its family', third]]) {
        const { refresh_token } = spent
        check(`${name} / ${client}`, await thrown(token(client, 'refresh_token', { refresh_token })), invalidGrant)
    }
}
let machine
for (const client of [reporter, ['reporter', service.reporter, 'form']]) {
    machine = await token(client, 'client_credentials', {})
    check(`client credentials / ${client[2]}`, [machine.scope, 'refresh_token' in machine], ['stats:read', false])
}

// Routes.
const login = await token(web, 'password', john)
const [added, note] = await route(login.access_token, 'POST', '/notes', { text: 'Hello' })
check('a note is added', added, 201)
check('notes are listed', await route(login.access_token, 'GET', '/notes'), [200, [note]])
check('a machine reads', (await route(machine.access_token, 'GET', '/stats'))[1].notes, 1)
const refusal = (error, error_description, scope) => {
    return { scheme: 'bearer', parameters: { realm: 'notes', error, error_description, scope } }
}
const lacking = 'The request requires more scopes than the access token grants'
const lacks = (scope) => [403, refusal('insufficient_scope', lacking, scope)]
check('a scope is missing', await route(service.access_token, 'POST', '/notes', { text: 'No' }), lacks('notes:write'))
check('a scope is missing for a machine', await route(machine.access_token, 'GET', '/notes'), lacks('notes:read'))
const invalid = 'The access token is expired, revoked, malformed or otherwise invalid'
const expired = await route(service.expired, 'GET', '/notes')
check('an expired token', expired, [401, refusal('invalid_token', invalid, 'notes:read')])

// Revocation.
for (const client of [web, desk, deskInTheForm]) {
    const ended = await token(client, 'password', { ...john, scope: 'notes:read' })
    const { refresh_token } = ended
    for (const [name, unwanted] of [['good', refresh_token], ['revoked', refresh_token], ['unknown', 'unknown']]) {
        check(`a token that is ${name} is revoked / ${client}`, await thrown(revoke(client, unwanted)), null)
    }
    check(`a revoked token / ${client}`, await thrown(token(client, 'refresh_token', { refresh_token })), invalidGrant)
    // The access token ends with its login.
    check(`the access token after revocation / ${client}`, (await route(ended.access_token, 'GET', '/notes'))[0], 401)
}

// What is wrong. None of it has spent the token that it was tried with.
const challenges = [{ scheme: 'basic', parameters: { realm: 'token', charset: 'UTF-8' } }]
const expected = ({ error, status = 400 }) => [error, status, status === 401 ? challenges : null]
for (const wrong of service.refusals.token) {
    change = wrong.change ?? {}
    check(wrong.name, await thrown(token(wrong.client, wrong.grant, wrong.parameters)), expected(wrong))
}
for (const wrong of service.refusals.revocation) {
    change = wrong.change ?? {}
    check(`revocation / ${wrong.name}`, await thrown(revoke(wrong.client, wrong.token)), expected(wrong))
}
change = {}
const good = await token(web, 'refresh_token', { refresh_token: service.refresh_token })
check('the good token is good', good.scope, 'notes:read')

console.log(missed ? 'MISSED' : 'holds ', 'oauth4webapi', '/ service /', count, 'checks')
process.exit(missed ? 1 : 0)
