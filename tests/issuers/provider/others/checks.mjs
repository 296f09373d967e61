// The conformance server on three frameworks, with the settings of the guide's page about providers
// and the tokens of a provider that others wrote: those of a machine and of a user.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { check as checkOne, end, start as startServer } from './conformance.mjs'

const [conformance, name, folder] = process.argv.slice(2)
const audience = 'https://api.example.com'
const other = 'https://other.example.com'

const check = (about, found, expected) => checkOne(`${name} / ${about}`, found, expected)

const begun = performance.now()
const { start } = await import(`./${name}.mjs`)
// What a provider is:
// - `issuer`, if its tokens are signed, with the `settings` of a service that verifies them;
// - `introspection`, with the `settings` of a service that asks about them;
// - `machine` and `user`, which get the answer to a request for tokens. A `brief` one lasts a second;
// - `revoke`, which returns the status of the answer, if it revokes tokens;
// - `rotate`, which makes it sign with another key, and `drop`, if it publishes the one before until then.
const provider = await start({ folder, audience, other })
console.log(`${name}: ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`)

// The servers. The last two settings save the checks a minute for expired tokens, and another for keys.

const services = {
    signed: provider.issuer && {
        settings: ['--issuer', provider.issuer, '--audience', audience, ...provider.settings, '--leeway', '0', '--cool-down', '1'],
        paths: ['/jwt/one', '/jwt/one-items'],
    },
    introspected: provider.introspection && {
        settings: ['--introspect', provider.introspection.url, '--client', provider.introspection.client],
        paths: ['/opaque/me', '/opaque/items'],
    },
}
const servers = []
for (const [kind, service] of Object.entries(services)) {
    for (const framework of service ? ['axum', 'actix-web', 'rocket'] : []) {
        const url = await startServer(conformance, framework, service.settings)
        servers.push({ kind, about: `${framework} / ${kind}`, urls: service.paths.map(path => url + path) })
    }
}
const signed = servers.filter(({ kind }) => kind === 'signed')
const introspected = servers.filter(({ kind }) => kind === 'introspected')

// Asks a route that requires nothing, and one that requires `items`.
const ask = ({ urls }, token) => Promise.all(urls.map(async url => {
    const response = await fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} })
    const body = await response.text()
    return response.ok ? JSON.parse(body) : response.status
}))
const everywhere = async (about, token, expected, some = servers) => {
    for (const server of some) check(`${server.about} / ${about}`, await ask(server, token), expected)
}

const claims = token => JSON.parse(Buffer.from(token.split('.')[1], 'base64url'))
// Gets a token, which is another one each time.
const get = async (who, form) => {
    const answer = await provider[who]({ scope: 'items', resource: audience, ...form })
    if (!answer.access_token) throw new Error(`${who}: ${JSON.stringify(answer)}`)
    return answer
}
const token = async (...form) => (await get(...form)).access_token
const REFUSED = [401, 401]

// The tokens of a machine and of a user, as they are.

const subjects = []
for (const who of ['machine', 'user']) {
    const { access_token } = await get(who, { scope: 'items orders' })
    const good = sub => Array(2).fill({ sub, scopes: ['items', 'orders'] })
    if (provider.issuer) {
        subjects.push(claims(access_token).sub)
        await everywhere(`the token of a ${who}`, access_token, good(subjects.at(-1)), signed)
    }
    if (provider.introspection) {
        // The server shows the client if there is no subject.
        const { sub, client_id } = await provider.introspect(access_token)
        await everywhere(`the token of a ${who}`, access_token, good(sub ?? client_id), introspected)
    }
    const [me] = await ask(servers[0], await token(who, { scope: 'orders' }))
    await everywhere(`the token of a ${who} without \`items\``, await token(who, { scope: 'orders' }), [me, 403])
    await everywhere(`the token of a ${who} for another audience`, await token(who, { resource: other }), REFUSED)
    await everywhere(`the token of a ${who} for no audience`, await token(who, { resource: undefined }), REFUSED)
    const expired = await token(who, { brief: true })
    await sleep(2100)
    await everywhere(`the token of a ${who} that has expired`, expired, REFUSED)
}
if (provider.issuer) check('the subjects of a machine and of a user', new Set(subjects).size, 2)

// What is no access token.

const login = await get('user', { scope: `items ${provider.loginScope ?? ''}`.trim() })
for (const kind of ['id_token', 'refresh_token']) {
    if (login[kind]) await everywhere(`the ${kind} of a user`, login[kind], REFUSED)
}
await everywhere('no token', undefined, REFUSED)
await everywhere('an unknown token', randomUUID(), REFUSED)

// Revocation.

const toRevoke = await token('machine')
const accepted = await ask(servers[0], toRevoke)
check('revocation', await provider.revoke?.(toRevoke), provider.revocation)
if (provider.introspection) await everywhere('a revoked token', toRevoke, REFUSED, introspected)
// Its signature is right until it expires.
await everywhere('a revoked token', toRevoke, accepted, signed)

// Rotation.

if (provider.issuer) {
    const first = await token('machine')
    const before = await ask(signed[0], first)
    await everywhere('before the rotation', first, before, signed)
    await provider.rotate()
    await sleep(1100)
    const second = await token('machine')
    await everywhere('a token of the new key', second, before, signed)
    if (provider.drop) {
        await everywhere('a token of the key before, which is still published', first, before, signed)
        await provider.drop()
        await sleep(1100)
        // A key that it does not know makes a service fetch the keys.
        const header = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(second.split('.')[0], 'base64url')), kid: randomUUID() }))
        await everywhere('a token of an unknown key', [header.toString('base64url'), ...second.split('.').slice(1)].join('.'), REFUSED, signed)
    }
    await everywhere('a token of the key before', first, REFUSED, signed)
    await everywhere('a token of the new key, later', second, before, signed)
}
console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
await end()
