// fastify with fast-jwt and get-jwks, as the README of get-jwks has it. fast-jwt remembers tokens.

import { createVerifier } from 'fast-jwt'
import Fastify from 'fastify'
import buildGetJwks from 'get-jwks'

const issuer = process.env.ISSUER
const getJwks = buildGetJwks({ issuersWhitelist: [issuer] })
const verify = createVerifier({
  key: async ({ header }) => getJwks.getPublicKey({ kid: header.kid, alg: header.alg, domain: issuer }),
  algorithms: ['RS256', 'ES256'],
  allowedIss: issuer,
  allowedAud: 'https://api.example.com',
  requiredClaims: ['exp', 'iss', 'aud'],
  // With `true`, only 1,000 are remembered, so the 10,000 that come in turn never would be.
  cache: 20_000,
})

async function authenticate(request, reply) {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  try {
    if (scheme !== 'Bearer') throw new Error('no bearer token')
    request.caller = await verify(token)
  } catch {
    return reply.code(401).header('www-authenticate', 'Bearer').send()
  }
  if (!request.caller.scope.split(' ').includes('items')) return reply.code(403).send()
}

const app = Fastify()
app.decorateRequest('caller', null)
app.get('/items', { onRequest: authenticate }, async request => `the items of ${request.caller.sub}`)
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
