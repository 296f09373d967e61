// oidc-provider as two issuers that share their keys. `POST /control` changes what it publishes, how
// its keys are answered, and its clock. It answers with the number of fetches of the keys so far.
import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { Provider, errors } from 'oidc-provider'
import { privateJwk } from './conformance.mjs'

const rsa = { modulusLength: 2048 }
// A generation of keys.
const generation = name => [
    privateJwk('rsa', rsa, { kid: `${name}-rsa`, use: 'sig' }),
    privateJwk('ec', { namedCurve: 'P-256' }, { kid: `${name}-p256`, use: 'sig' }),
    privateJwk('ed25519', {}, { kid: `${name}-ed25519`, use: 'sig' }),
]
const generations = { first: generation('first'), second: generation('second'), third: generation('third') }
// Keys for other purposes, and of a curve that few know, are always published.
const others = [
    privateJwk('rsa', rsa, { kid: 'encryption', use: 'enc' }),
    privateJwk('ec', { namedCurve: 'P-521' }, { kid: 'p521', use: 'sig' }),
]

// Each client is named after the algorithm of its tokens, which last ten minutes.
const clients = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'].map(client_id => ({
    client_id,
    client_secret: 'secret',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
}))
const getResourceServerInfo = (_, resource, client) => {
    if (!resource.endsWith('.example.com')) throw new errors.InvalidTarget()
    return {
        audience: resource,
        scope: 'me items',
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: client.clientId } },
    }
}

const provider = (issuer, keys) => new Provider(issuer, {
    clients,
    features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        encryption: { enabled: true },
        resourceIndicators: { enabled: true, getResourceServerInfo },
    },
    jwks: { keys },
    ttl: { Client: 600 },
})

// How a request for the keys is answered: as it should be, or in another way.
const answers = {
    whole: (request, response, next) => next(request, response),
    error: (_, response) => response.writeHead(500).end('{"error":"server_error"}'),
    hangs: () => {},
    stalls: (_, response) => response.writeHead(200, { 'content-length': 100 }).write('{"keys":['),
    empty: (_, response) => response.end(),
    'no keys': (_, response) => response.end('{"keys":[]}'),
    garbage: (_, response) => response.end('<!doctype html><title>Sorry</title>'),
    // Those are the right keys, with white space before them.
    'ten megabytes': (request, response, next) => {
        response.writeHead(200)
        response.write(' '.repeat(10_000_000))
        next(request, response)
    },
    // The other address is the same server, with the right keys.
    'another origin': ({ url, headers }, response) => {
        const location = `http://${headers.host.replace('127.0.0.1', 'localhost')}${url}?moved`
        response.writeHead(302, { location }).end()
    },
    // They may be kept for less than a minute.
    'short-lived': (request, response, next) => {
        response.setHeader('cache-control', 'max-age=1')
        next(request, response)
    },
    held: (request, response, next) => held.push(() => next(request, response)),
}

let answer = answers.whole
let fetches = 0
let held = []
let clock = 0
const now = Date.now
Date.now = () => now() + clock * 1000

const control = change => {
    // The first generation signs.
    if (change.published) {
        const keys = [...change.published.flatMap(name => generations[name]), ...others]
        for (const issuer of issuers) issuer.next = provider(issuer.url, keys).callback()
    }
    if ('keys' in change) {
        answer = answers[change.keys]
        if (!answer) throw new Error(change.keys)
        for (const go of held.splice(0)) go()
    }
    if ('clock' in change) clock = change.clock
    return { fetches, other: issuers[1].url }
}

const issuers = []
for (const issuer of [{}, {}]) {
    const server = http.createServer(async (request, response) => {
        if (request.url === '/control') {
            response.end(JSON.stringify(control(JSON.parse(await text(request)))))
            return
        }
        if (request.url === '/jwks') {
            fetches += 1
            answer(request, response, issuer.next)
        } else {
            issuer.next(request, response)
        }
    })
    // A connection that is closed while a request is under way would end the checks.
    server.keepAliveTimeout = 0
    await once(server.listen(0, '127.0.0.1'), 'listening')
    issuer.url = `http://127.0.0.1:${server.address().port}`
    issuers.push(issuer)
}
control({ published: ['first'] })
console.log(`Listening on ${issuers[0].url}`)
