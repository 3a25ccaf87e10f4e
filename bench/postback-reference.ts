import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'

/** The reference: the minimum that Fastify can do for a postback. */
const app = Fastify({ logger: false })
app.get('/api/postback/:siteId', (_request, reply) =>
  reply.code(201).send({ id: randomUUID(), outcome: 'recorded', eventId: randomUUID() }),
)
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
process.send?.('ready')
