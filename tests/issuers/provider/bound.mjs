// Tokens of oidc-provider that are bound to a key, on the conformance server of every framework:
// oauth4webapi gets them and makes their proofs, and others are broken by hand.
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import * as oauth from 'oauth4webapi'
import { Provider } from 'oidc-provider'
import { check, end, privateJwk, start } from './conformance.mjs'

const [conformance] = process.argv.slice(2)
const audience = 'https://api.example.com'

const server = http.createServer()
await once(server.listen(0, '127.0.0.1'), 'listening')
const issuer = `http://127.0.0.1:${server.address().port}`
const provider = new Provider(issuer, {
    clients: [{ client_id: 'web', client_secret: 'secret', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        resourceIndicators: {
            enabled: true,
            getResourceServerInfo: (_, resource) => ({ audience: resource, scope: 'me items', accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } }),
        },
    },
    enabledJWA: { dPoPSigningAlgValues: ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    jwks: { keys: [privateJwk('ec', { namedCurve: 'P-256' }, { kid: 'first', use: 'sig' })] },
    ttl: { ClientCredentials: 600 },
})
server.on('request', provider.callback())

const as = { issuer, token_endpoint: `${issuer}/token` }
const client = { client_id: 'web' }
const insecure = { [oauth.allowInsecureRequests]: true }
const token = async (scope, options = {}) => {
    const response = await oauth.clientCredentialsGrantRequest(as, client, oauth.ClientSecretBasic('secret'), { scope, resource: audience }, { ...insecure, ...options })
    const { access_token } = await oauth.processClientCredentialsResponse(as, client, response)
    return access_token
}

// A key and its proofs, which can be broken.
const encoded = value => Buffer.from(JSON.stringify(value)).toString('base64url')
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = pair.publicKey.export({ format: 'jwk' })
const proofOf = (token, path, { header = {}, claims = {}, key = pair.privateKey } = {}) => {
    const message = [
        encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header }),
        encoded({
            jti: randomUUID(), htm: 'GET', htu: audience + path, iat: Math.floor(Date.now() / 1000),
            ath: createHash('sha256').update(token).digest('base64url'), ...claims,
        }),
    ].join('.')
    return `${message}.${sign('sha256', Buffer.from(message), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
// A token that is bound to this key: the proof at the token endpoint is one for its URL, without a token.
const boundToPair = async scope => {
    const proof = proofOf('', '', { claims: { htm: 'POST', htu: `${issuer}/token`, ath: undefined } })
    const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('web:secret')}`, dpop: proof },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource: audience }),
    })
    const { access_token, token_type } = await response.json()
    check('the issuer binds the token', token_type, 'DPoP')
    return access_token
}

const ask = async (url, scheme, token, proofs) => {
    const headers = [['host', 'localhost'], ['authorization', `${scheme} ${token}`], ...proofs.map(proof => ['dpop', proof])]
    // `fetch` would join two lines of one name.
    const response = await new Promise((resolve, reject) => {
        http.get(url, { headers: headers.flat(), agent: false }, resolve).on('error', reject)
    })
    response.resume()
    const challenges = response.rawHeaders.filter((_, index, all) => index % 2 && all[index - 1].toLowerCase() === 'www-authenticate')
    const errors = challenges.map(line => [line.split(' ')[0], /error="([^"]*)"/.exec(line)?.[1]])
    return [response.statusCode, Object.fromEntries(errors)]
}
const good = [200, {}]
const ofProof = [401, { DPoP: 'invalid_dpop_proof', Bearer: undefined }]
const ofDpop = [401, { DPoP: 'invalid_token', Bearer: undefined }]
const ofBearer = [401, { DPoP: undefined, Bearer: 'invalid_token' }]

const ISSUER = ['--issuer', issuer, '--audience', audience]
for (const framework of ['axum', 'actix-web', 'hyper', 'poem', 'rocket', 'salvo', 'warp']) {
    const url = await start(conformance, framework, ISSUER)
    // The client writes the public URL, and the request arrives elsewhere.
    const behind = { [oauth.customFetch]: (target, options) => fetch(target.toString().replace(audience, url), options) }
    for (const algorithm of ['ES256', 'RS256', 'PS256', 'Ed25519']) {
        const DPoP = oauth.DPoP(client, await oauth.generateKeyPair(algorithm))
        const bound = await token('me items', { DPoP })
        for (const path of ['/dpop/me', '/dpop/items?page=2']) {
            const response = await oauth.protectedResourceRequest(bound, 'GET', new URL(audience + path), new Headers(), null, { DPoP, ...behind })
            check(`${framework} / oauth4webapi / ${algorithm} / ${path}`, [response.status, await response.json()], [200, { sub: 'web', scopes: ['me', 'items'] }])
        }
        const other = { DPoP: oauth.DPoP(client, await oauth.generateKeyPair(algorithm)), ...behind }
        const refused = await oauth.protectedResourceRequest(bound, 'GET', new URL(`${audience}/dpop/me`), new Headers(), null, other).catch(error => error)
        const read = refused.cause?.map(({ scheme, parameters }) => [scheme, parameters.error, parameters.algs])
        check(`${framework} / oauth4webapi / ${algorithm} / another key`, read, [
            ['dpop', 'invalid_dpop_proof', 'ES256 RS256 PS256 EdDSA'],
            ['bearer', undefined, undefined],
        ])
    }

    const bound = await boundToPair('me items')
    const another = await boundToPair('me items')
    const path = '/dpop/me'
    const holds = async (name, expected, proofs, scheme = 'DPoP', sent = bound, at = path) => {
        check(`${framework} / ${name}`, await ask(url + at, scheme, sent, proofs), expected)
    }
    const used = proofOf(bound, path)
    await holds('a right proof', good, [used])
    await holds('a right proof, once more', ofProof, [used])
    await holds('a name of the scheme in small letters', good, [proofOf(bound, path)], 'dpop')
    await holds('no proof', ofProof, [])
    await holds('two proofs', ofProof, [proofOf(bound, path), proofOf(bound, path)])
    const now = Math.floor(Date.now() / 1000)
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    for (const [name, change] of [
        ['another type', { header: { typ: 'JWT' } }],
        ['no algorithm', { header: { alg: 'none' } }],
        ['a shared secret', { header: { alg: 'HS256', jwk: { kty: 'oct', k: 'AA' } } }],
        ['no key', { header: { jwk: undefined } }],
        ['its private key', { header: { jwk: pair.privateKey.export({ format: 'jwk' }) } }],
        ['another key', { header: { jwk: stranger.publicKey.export({ format: 'jwk' }) }, key: stranger.privateKey }],
        ['another signature', { key: stranger.privateKey }],
        ['a critical parameter', { header: { crit: ['exp'] } }],
        ['no `jti`', { claims: { jti: undefined } }],
        ['another method', { claims: { htm: 'POST' } }],
        ['another host', { claims: { htu: `https://other.example.com${path}` } }],
        ['the host of the request', { claims: { htu: url + path } }],
        ['another port', { claims: { htu: `${audience}:8443${path}` } }],
        ['`http`', { claims: { htu: `http://api.example.com${path}` } }],
        ['a slash at the end', { claims: { htu: `${audience}${path}/` } }],
        ['another case of the path', { claims: { htu: `${audience}/dpop/Me` } }],
        ['a segment in a segment', { claims: { htu: `${audience}/dpop%2Fme` } }],
        ['another route', { claims: { htu: `${audience}/dpop/items` } }],
        ['an old `iat`', { claims: { iat: now - 3600 } }],
        ['a new `iat`', { claims: { iat: now + 3600 } }],
        ['no `iat`', { claims: { iat: undefined } }],
        ['no `ath`', { claims: { ath: undefined } }],
        ['another token', { claims: { ath: createHash('sha256').update(another).digest('base64url') } }],
    ]) {
        await holds(`a proof with ${name}`, ofProof, [proofOf(bound, path, change)])
    }
    for (const [name, htu] of [
        ['a host in capitals, and its port', `HTTPS://API.EXAMPLE.COM:443${path}`],
        ['a query and a fragment', `${audience}${path}?page=2#top`],
        ['percent-encoding that makes no difference', `${audience}/%64pop/me`],
        ['segments of dots', `${audience}/dpop/./items/../me`],
    ]) {
        await holds(`a proof with ${name}`, good, [proofOf(bound, path, { claims: { htu } })])
    }
    await holds('a bound token as `Bearer`', ofBearer, [proofOf(bound, path)], 'Bearer')
    const plain = await token('me items')
    await holds('a token that is not bound', good, [], 'Bearer', plain)
    await holds('a token that is not bound, as `DPoP`', ofDpop, [proofOf(plain, path)], 'DPoP', plain)
    await holds('a forged token', ofDpop, [proofOf(`${bound}A`, path)], 'DPoP', `${bound}A`)
    const few = await boundToPair('me')
    await holds('a token that lacks a scope', [403, { DPoP: 'insufficient_scope' }], [proofOf(few, '/dpop/items')], 'DPoP', few, '/dpop/items')
    if (['axum', 'poem', 'salvo'].includes(framework)) {
        const nested = '/dpop/nested/me'
        await holds('below a nested router', good, [proofOf(bound, nested)], 'DPoP', bound, nested)
        await holds('below a nested router, without the prefix', ofProof, [proofOf(bound, '/me')], 'DPoP', bound, nested)
        await holds('below a nested router, the proof of another route', ofProof, [proofOf(bound, path)], 'DPoP', bound, nested)
    }
    // Of ten requests at once with one proof, one is let in.
    const racing = proofOf(bound, path)
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(url + path, 'DPoP', bound, [racing])))
    check(`${framework} / ten requests with one proof`, answers.filter(([status]) => status === 200).length, 1)
}

const required = await start(conformance, 'axum', [...ISSUER, '--dpop-required', 'true'])
check('required / a token that is not bound', await ask(`${required}/dpop/me`, 'Bearer', await token('me'), []), ofBearer)
const bound = await boundToPair('me')
check('required / a right proof', await ask(`${required}/dpop/me`, 'DPoP', bound, [proofOf(bound, '/dpop/me')]), good)
server.close()
server.closeAllConnections()
await end()
