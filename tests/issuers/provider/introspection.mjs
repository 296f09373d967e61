// Opaque tokens of oidc-provider, which the conformance server asks about on every framework: good
// ones, refresh tokens, and those that are revoked.
import { once } from 'node:events'
import http from 'node:http'
import { Provider } from 'oidc-provider'
import { check, end, start as startServer } from './conformance.mjs'

const [conformance] = process.argv.slice(2)
const audience = 'https://api.example.com'
// What both halves of the login have to be encoded for.
const secret = 's+3:cret %&='

const client = (client_id, client_secret) => ({
    client_id,
    client_secret,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
})
const server = http.createServer()
await once(server.listen(0, '127.0.0.1'), 'listening')
const issuer = `http://127.0.0.1:${server.address().port}`
const provider = new Provider(issuer, {
    clients: [
        {
            ...client('web', 'secret'),
            grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
            redirect_uris: ['https://web.example.com/back'],
            response_types: ['code'],
        },
        client('items-api', secret),
    ],
    scopes: ['me', 'items', 'offline_access'],
    features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        introspection: { enabled: true },
        resourceIndicators: {
            enabled: true,
            getResourceServerInfo: (_, resource) => ({ audience: resource, scope: 'me items', accessTokenFormat: 'opaque' }),
        },
        revocation: { enabled: true },
    },
    ttl: { Client: 600 },
})
let asked = 0
server.on('request', (request, response) => {
    asked += request.url === '/token/introspection'
    provider.callback()(request, response)
})

const post = async (path, form) => {
    const headers = { authorization: `Basic ${btoa('web:secret')}` }
    const response = await fetch(issuer + path, { method: 'POST', headers, body: new URLSearchParams(form) })
    return response.text()
}
const token = async (scope, form = { resource: audience }) => {
    const answer = JSON.parse(await post('/token', { grant_type: 'client_credentials', scope, ...form }))
    if (!answer.access_token) throw new Error(JSON.stringify(answer))
    return answer.access_token
}
const revoke = token => post('/token/revocation', { token })
// What a login would have brought.
const refreshToken = async () => {
    const grant = new provider.Grant({ accountId: 'johndoe', clientId: 'web' })
    return new provider.RefreshToken({
        accountId: 'johndoe',
        client: await provider.Client.find('web'),
        grantId: await grant.save(),
        gty: 'authorization_code',
        scope: 'me items',
    }).save()
}
const expired = async () => {
    const now = Date.now
    Date.now = () => now() - 700_000
    const expired = await token('me items')
    Date.now = now
    return expired
}

const OPTIONS = ['--introspect', `${issuer}/token/introspection`, '--client', `items-api:${secret}`]
const start = (framework, ...more) => startServer(conformance, framework, [...OPTIONS, ...more])
const ask = async (server, path, token) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(server + path, { headers })
    const found = { status: response.status }
    if (response.headers.has('www-authenticate')) found.challenge = response.headers.get('www-authenticate')
    if (response.ok) found.body = await response.json()
    else await response.text()
    return found
}

const good = (...scopes) => ({ status: 200, body: { sub: 'web', scopes } })
const refused = (status, scope, error) => ({ status, challenge: `Bearer realm="doorward"${error}${scope}` })
const ITEMS = ', scope="items"'
const INVALID = ', error="invalid_token", error_description="The access token is expired, revoked, malformed or otherwise invalid"'
const LACKS = ', error="insufficient_scope", error_description="The request requires more scopes than the access token grants"'
const invalid = [refused(401, '', INVALID), refused(401, ITEMS, INVALID)]

const refresh = await refreshToken()
const answer = await (await fetch(`${issuer}/token/introspection`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web:secret')}` },
    body: new URLSearchParams({ token: refresh }),
})).json()
check('the refresh token is active at the provider', [answer.active, answer.client_id, answer.aud, answer.token_type], [true, 'web', undefined, undefined])
for (const framework of ['axum', 'actix-web', 'hyper', 'poem', 'rocket', 'salvo', 'warp']) {
    const server = await start(framework)
    const both = async token => [await ask(server, '/opaque/me', token), await ask(server, '/opaque/items', token)]
    const wide = await token('me items')
    check(`${framework} / a good token`, await both(wide), [good('me', 'items'), good('me', 'items')])
    check(`${framework} / without items`, await both(await token('me')), [good('me'), refused(403, ITEMS, LACKS)])
    check(`${framework} / no token`, await both(), [refused(401, '', ''), refused(401, ITEMS, '')])
    check(`${framework} / an unknown token`, await both('unknown'), invalid)
    check(`${framework} / an expired token`, await both(await expired()), invalid)
    check(`${framework} / another audience`, await both(await token('me items', { resource: 'https://b.example' })), invalid)
    check(`${framework} / no audience`, await both(await token('me items', {})), invalid)
    check(`${framework} / a refresh token`, await both(refresh), invalid)
    const before = asked
    await revoke(wide)
    check(`${framework} / a revoked token`, await both(wide), invalid)
    check(`${framework} / a question for each request`, asked - before, 2)
}

const server_of_client = await start('axum', '--of-client', 'web')
check('of a client / no audience', await ask(server_of_client, '/opaque/me', await token('me', {})), good('me'))
check('of a client / an audience', await ask(server_of_client, '/opaque/me', await token('me')), invalid[0])
check('of a client / a refresh token', await ask(server_of_client, '/opaque/me', refresh), invalid[0])
await end()
