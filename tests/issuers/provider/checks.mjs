// The conformance server on every framework, with tokens that oidc-provider has signed: which are
// accepted, what the answers to the others are, and how often the keys are fetched.
import { execFile } from 'node:child_process'
import { createHmac, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { check, end, start as startServer } from './conformance.mjs'

const [conformance, issuer, verifier] = process.argv.slice(2)
// The routes on which a dependency verifies the tokens, or a scheme. The scheme requires no scope on the
// first one, and a token without scopes is good there.
const { realm, me, items, scope: SCOPE } = {
    dependency: { realm: 'doorward', me: '/jwt/me', items: '/jwt/items', scope: { me: 'me', items: 'items me' } },
    scheme: { realm: 'One', me: '/jwt/one', items: '/jwt/one-items', scope: { me: '', items: 'items' } },
}[verifier]
const audience = 'https://api.example.com'

// The provider.

const control = async change => {
    const response = await fetch(`${issuer}/control`, { method: 'POST', body: JSON.stringify(change) })
    return response.json()
}
// Counts the fetches of the keys during some work.
const fetches = async work => {
    const before = await control({})
    await work()
    return (await control({})).fetches - before.fetches
}
const request = async (client, { scope = 'me items', resource = audience, at = issuer, clock = 0, headers = {} } = {}) => {
    await control({ clock })
    const response = await fetch(`${at}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client}:secret`)}`, ...headers },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
    })
    await control({ clock: 0 })
    const { access_token, ...error } = await response.json()
    if (!access_token) throw new Error(JSON.stringify(error))
    return access_token
}

// Tokens that the provider has not signed.

const encoded = value => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = part => JSON.parse(Buffer.from(part, 'base64url'))
// Creates a token like this one, with another header, another payload and another signature.
const forged = (token, header, payload, signature) => {
    const parts = token.split('.')
    const message = `${encoded({ ...decoded(parts[0]), ...header })}.${encoded({ ...decoded(parts[1]), ...payload })}`
    return `${message}.${signature(message)?.toString('base64url') ?? parts[2]}`
}
const stranger = generateKeyPairSync('ed25519')
const byStranger = message => sign(null, Buffer.from(message), stranger.privateKey)
const jwkOfStranger = stranger.publicKey.export({ format: 'jwk' })
const ofUnknownKey = token => forged(token, { alg: 'EdDSA', kid: randomUUID() }, {}, byStranger)
const altered = (token, part) => {
    const parts = token.split('.')
    const bytes = Buffer.from(parts[part], 'base64url')
    bytes[bytes.length >> 1] ^= 1
    parts[part] = bytes.toString('base64url')
    return parts.join('.')
}

// The servers.

const ISSUER = ['--issuer', issuer, '--audience', audience]
const start = (framework, ...more) => startServer(conformance, framework, more)
const QUICK = ['--cool-down', '1']
// Waits until another fetch may begin.
const coolDown = () => sleep(1100)

const ask = async (server, token, path = me, signal = AbortSignal.timeout(120_000)) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(server + path, { headers, signal })
    const found = { status: response.status }
    for (const name of ['www-authenticate', 'retry-after']) {
        if (response.headers.has(name)) found[name] = response.headers.get(name)
    }
    if (response.ok) found.body = await response.json()
    else await response.text()
    return found
}
const timed = async work => {
    const begun = performance.now()
    return [await work, (performance.now() - begun) / 1000]
}
const status = async (...request) => (await ask(...request)).status

const good = (sub, scopes = ['me', 'items']) => ({ status: 200, body: { sub, scopes } })
const refused = (status, scope, error) => ({
    status,
    'www-authenticate': `Bearer realm="${realm}"${error}${scope && `, scope="${scope}"`}`,
})
const missing = (scope = SCOPE.me) => refused(401, scope, '')
const invalid = (scope = SCOPE.me) => refused(401, scope, ', error="invalid_token", error_description="The access token is expired, revoked, malformed or otherwise invalid"')
const insufficient = (scope = SCOPE.items) => refused(403, scope, ', error="insufficient_scope", error_description="The request requires more scopes than the access token grants"')
const unavailable = retryAfter => ({ status: 503, 'retry-after': retryAfter })

const { other } = await control({})
const publicKey = async kid => {
    const { keys } = await (await fetch(`${issuer}/jwks`)).json()
    return createPublicKey({ key: keys.find(key => key.kid === kid), format: 'jwk' })
}

// The keys of this server may be kept for less than a minute, which counts as a minute.
await control({ keys: 'short-lived' })
const stale = await start('axum', ...ISSUER, ...QUICK)
check('keys that may be kept shortly', await status(stale, await request('ES256')), 200)
const impatient = await start('axum', ...ISSUER, ...QUICK, '--stale-if-error', '0')
check('keys that do not serve if others cannot be fetched', await status(impatient, await request('ES256')), 200)
const fetchedAt = performance.now()
await control({ keys: 'whole' })

// Every algorithm, with remembered tokens and without.

const axum = await start('axum', ...ISSUER, ...QUICK, '--remember', '0')
const remembering = await start('axum', ...ISSUER, ...QUICK)
for (const client of ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']) {
    const token = await request(client)
    const cases = [
        ['a good token', token, good(client), good(client)],
        ['a token without `items`', await request(client, { scope: 'me' }), good(client, ['me']), insufficient()],
        ['a token without scopes', await request(client, { scope: '' }), SCOPE.me ? insufficient(SCOPE.me) : good(client, []), insufficient()],
        ['a token that has expired within the leeway', await request(client, { clock: -630 }), good(client), good(client)],
        ['a token that has expired', await request(client, { clock: -700 }), invalid(), invalid(SCOPE.items)],
        ['a token for another audience', await request(client, { resource: 'https://other.example.com' }), invalid(), invalid(SCOPE.items)],
        ['a token of another issuer with the same keys', await request(client, { at: other }), invalid(), invalid(SCOPE.items)],
        ['a token with an altered signature', altered(token, 2), invalid(), invalid(SCOPE.items)],
        ['a token with an altered payload', altered(token, 1), invalid(), invalid(SCOPE.items)],
    ]
    for (const [server, how] of [[axum, 'verified'], [remembering, 'verified'], [remembering, 'remembered']]) {
        for (const [name, token, ...expected] of cases) {
            const found = [await ask(server, token), await ask(server, token, items)]
            check(`${client} / ${how} / ${name}`, found, expected)
        }
    }
}

const rsa = await request('RS256')
const pem = (await publicKey('first-rsa')).export({ format: 'pem', type: 'spki' })
const proof = forged(
    `${encoded({})}.${encoded({})}`,
    { alg: 'EdDSA', typ: 'dpop+jwt', jwk: jwkOfStranger },
    { htm: 'POST', htu: `${issuer}/token`, iat: Math.floor(Date.now() / 1000), jti: randomUUID() },
    byStranger,
)
for (const [name, token] of [
    ['no signature', forged(rsa, { alg: 'none' }, {}, () => Buffer.of())],
    ['the public key as a secret', forged(rsa, { alg: 'HS256' }, {}, message => createHmac('sha256', pem).update(message).digest())],
    ['another algorithm of the same key', forged(rsa, { alg: 'PS256' }, {}, () => {})],
    ['a key in its own header', forged(rsa, { alg: 'EdDSA', kid: undefined, jwk: jwkOfStranger }, {}, byStranger)],
    ['the name of a key of another type', forged(rsa, { alg: 'EdDSA' }, {}, byStranger)],
    ['the name of a key that is not for signatures', forged(rsa, { kid: 'encryption' }, {}, () => {})],
    ['a key that the caller has to prove', await request('RS256', { headers: { dpop: proof } })],
]) {
    check(`a token with ${name}`, await ask(axum, token), invalid())
}
check('no token', await ask(axum), missing())
const jwt = await start('axum', ...ISSUER, '--token-type', 'JWT')
const any = await start('axum', ...ISSUER, '--token-type', 'any')
check('an access token where the type is another', await ask(jwt, rsa), invalid())
check('an access token where any type is taken', await ask(any, rsa), good('RS256'))

// Rotation.

const first = await request('ES256')
await coolDown()
for (const server of [axum, remembering]) {
    await control({ published: ['first'] })
    check('before the rotation', await status(server, first), 200)
    await control({ published: ['second', 'first'] })
    const second = await request('ES256')
    const again = async () => {
        for (let index = 0; index < 5; index += 1) {
            check('a token of the new key', await ask(server, second), good('ES256'))
            check('a token of the old key', await ask(server, first), good('ES256'))
        }
    }
    check('fetches for a new key', await fetches(again), 1)
    await control({ published: ['second'] })
    check('a token of the dropped key, before the next fetch', await ask(server, first), good('ES256'))
    await coolDown()
    check('fetches for an unknown key', await fetches(() => ask(server, ofUnknownKey(first))), 1)
    check('a token of the dropped key, after the next fetch', await ask(server, first), invalid())
    check('a token of the kept key', await ask(server, second), good('ES256'))
    await coolDown()
}

// A provider that is broken, with keys from before and without.

const token = await request('RS256')
const cold = await start('axum', ...ISSUER, ...QUICK)
const waiting = await start('axum', ...ISSUER)
for (const keys of ['error', 'hangs', 'stalls', 'empty', 'garbage', 'ten megabytes', 'another origin']) {
    await coolDown()
    await control({ keys })
    const count = await fetches(async () => {
        const unknown = timed(ask(axum, ofUnknownKey(token)))
        const without = timed(ask(cold, token))
        await sleep(100)
        const [known, seconds] = await timed(ask(axum, token))
        check(`${keys} / a known key`, known, good('RS256'))
        check(`${keys} / a known key waits for nothing`, seconds < 3, true)
        check(`${keys} / an unknown key`, (await unknown)[0], invalid())
        check(`${keys} / without keys`, (await without)[0], unavailable('1'))
        for (const [, seconds] of [await unknown, await without]) {
            check(`${keys} / gives up after five seconds`, seconds < 10, true)
        }
    })
    check(`${keys} / fetches`, count, 2)
    check(`${keys} / a known key, later`, await ask(axum, token), good('RS256'))
}
// A set without keys is the answer of a provider that is not broken. Whoever comes with an unknown key
// causes the fetch after which a withdrawn key is refused.
await coolDown()
await control({ keys: 'no keys' })
check('no keys / before the next fetch', await ask(axum, token), good('RS256'))
check('no keys / an unknown key', await ask(axum, ofUnknownKey(token)), invalid())
check('no keys / a withdrawn key', await ask(axum, token), invalid())
check('no keys / without keys', await ask(cold, token), invalid())
await coolDown()
await control({ keys: 'whole' })
check('no keys / the keys are back', await ask(axum, token), good('RS256'))

await control({ keys: 'error' })
const count = await fetches(async () => {
    for (let index = 0; index < 5; index += 1) {
        const { status, 'retry-after': seconds } = await ask(waiting, token)
        check('without keys, for the usual cool-down', [status, seconds >= 25 && seconds <= 30], [503, true])
    }
})
check('without keys, for the usual cool-down / fetches', count, 1)
const told = await start('axum', ...ISSUER, '--cool-down', '2')
const { status: refusal, 'retry-after': seconds } = await ask(told, token)
const comesBack = sleep(seconds * 1000)
check('without keys, for two seconds', [refusal, seconds >= 1 && seconds <= 2], [503, true])
await coolDown()
await control({ keys: 'whole', published: ['third'] })
const third = await request('ES256')
check('the provider is back / a new key', await ask(axum, third), good('ES256'))
check('the provider is back / the dropped key', await ask(axum, token), invalid())
check('the provider is back / without keys', await ask(cold, third), good('ES256'))
await comesBack
check('the provider is back / when the answer has said', await ask(told, third), good('ES256'))

// Many requests at once. The provider does not answer until all are there.

const together = async (count, server, token) => {
    const answers = []
    const requests = Array.from({ length: count }, async (_, index) => answers.push(await status(server, token(index))))
    // For three seconds at most, because a fetch that is not answered ends after five.
    for (let rest = 30; rest && answers.length < count; rest -= 1) await sleep(100)
    const early = answers.length
    await control({ keys: 'whole' })
    await Promise.all(requests)
    return { early, answers: [...new Set(answers)] }
}
// A slow machine may need long for a thousand requests.
const SLOW = ['--cool-down', '60']
const crowd = await start('axum', ...ISSUER, ...SLOW)
const inCrowd = async (name, number, server, token, expected, fetched) => {
    await control({ keys: 'held' })
    const count = await fetches(async () => {
        check(name, await together(number, server, token), expected)
    })
    check(`${name} / fetches`, count, fetched)
}
await inCrowd('a thousand requests without keys', 1000, crowd, () => third, { early: 0, answers: [200] }, 1)
await inCrowd('thirty unknown keys soon after a fetch', 30, crowd, () => ofUnknownKey(third), { early: 30, answers: [401] }, 0)
// A token of an unknown key waits a second at most, because other keys are known.
await inCrowd('thirty unknown keys', 30, axum, () => ofUnknownKey(third), { early: 30, answers: [401] }, 1)
await control({ keys: 'error' })
const failing = await start('axum', ...ISSUER, ...SLOW)
const thousand = await fetches(async () => {
    const answers = await Promise.all(Array.from({ length: 1000 }, () => status(failing, third)))
    check('a thousand requests while the provider is broken', [...new Set(answers)], [503])
})
check('a thousand requests while the provider is broken / fetches', thousand, 1)

// A caller that goes away while the keys are fetched. The provider answers, and nobody asks for longer
// than a fetch may last.
await control({ keys: 'held' })
const left = await start('axum', ...ISSUER)
const abandoned = await fetches(async () => {
    const caller = new AbortController()
    const before = (await control({})).fetches
    const gone = ask(left, third, me, caller.signal).catch(() => {})
    while ((await control({})).fetches === before) await sleep(50)
    caller.abort()
    await gone
})
check('a caller that goes away / fetches', abandoned, 1)
await control({ keys: 'whole' })
const leftAt = performance.now()

// The other frameworks.

for (const framework of ['axum', 'actix-web', 'hyper', 'poem', 'rocket', 'salvo', 'warp']) {
    await control({ keys: 'error' })
    const server = await start(framework, ...ISSUER, ...QUICK)
    check(`${framework} / without keys`, await ask(server, third), unavailable('1'))
    await coolDown()
    await control({ keys: 'whole' })
    const both = async (name, token, ...expected) => {
        const found = [await ask(server, token), await ask(server, token, items)]
        check(`${framework} / ${name}`, found, expected)
    }
    await both('a good token', third, good('ES256'), good('ES256'))
    await both('no token', undefined, missing(), missing(SCOPE.items))
    await both('a token without `items`', await request('PS256', { scope: 'me' }), good('PS256', ['me']), insufficient())
    await both('a token that has expired', await request('EdDSA', { clock: -700 }), invalid(), invalid(SCOPE.items))
    await both('a token of an unknown key', ofUnknownKey(third), invalid(), invalid(SCOPE.items))
    const bare = await start(framework)
    const unknown = await status(bare, third, '/jwt/none')
    check(`${framework} / no issuer`, [await status(bare, third), await status(bare, third, items)], [unknown, unknown])
}

await sleep(Math.max(0, 6_000 - (performance.now() - leftAt)))
const later = await fetches(async () => check('a caller that goes away / the next one', await ask(left, third), good('ES256')))
check('a caller that goes away / the next one / fetches', later, 0)

// A server does not start with the metadata of another issuer.

const mistake = await promisify(execFile)(conformance, ['--listen', '127.0.0.1:0', '--issuer', `${issuer}/`, '--audience', audience])
    .then(() => 'started', error => error.stderr)
check('an issuer that is written in another way', mistake.includes('write it exactly as the issuer does'), true)

// Keys that are old by now stay in use while the provider is broken, and no longer.

await sleep(Math.max(0, 61_000 - (performance.now() - fetchedAt)))
await control({ published: ['first'] })
const old = await request('ES256')
await control({ published: ['third'] })
for (const keys of ['error', 'garbage', 'hangs']) {
    await control({ keys })
    const count = await fetches(async () => check(`old keys / ${keys}`, await ask(stale, old), good('ES256')))
    check(`old keys / ${keys} / fetches`, count, 1)
    await coolDown()
}
check('old keys / not used', await ask(impatient, old), unavailable('1'))
const answers = await Promise.all(Array.from({ length: 20 }, () => timed(ask(stale, old))))
check('old keys / many requests', answers.map(([answer]) => answer.status), Array(20).fill(200))
check('old keys / those that wait', answers.filter(([, seconds]) => seconds > 3).length, 1)
await coolDown()
await control({ keys: 'whole' })
check('old keys / the provider is back', await ask(stale, old), invalid())
check('old keys / the provider is back / a new key', await ask(stale, third), good('ES256'))
await coolDown()
check('old keys / not used / the provider is back', await ask(impatient, third), good('ES256'))
await end()
