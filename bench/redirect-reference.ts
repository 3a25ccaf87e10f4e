import Fastify from 'fastify'

/** The reference: the minimum that Fastify can do for a redirect. */
const app = Fastify({ logger: false })
app.get('/api/links/go/:siteId/:typeId/:agentId', (_request, reply) =>
  reply.code(302).header('location', 'https://merchant.example/join').send(),
)
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
process.send?.('ready')
