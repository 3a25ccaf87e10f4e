import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * Polled calls answer 304 without a body to whoever has the answer already. To be added before any hook that
 * packs answers up.
 */
export function revalidateAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isRevalidated = request.routeOptions.config.endpoint?.revalidated
    if (!isRevalidated || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    // Weak: packed or not, it means the same.
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`
    reply.header('etag', tag)
    if (request.headers['if-none-match'] !== tag) return payload
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return null
  })
}
