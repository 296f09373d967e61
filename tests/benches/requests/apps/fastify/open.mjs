// fastify alone: a route that is open to everyone.

import Fastify from 'fastify'

const app = Fastify()
app.get('/items', async () => 'the items of 018f3c9e-7b2a-7c40-9d51-000000000000')
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
