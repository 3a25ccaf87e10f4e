import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * Answers polled calls with an empty 304 if the client already has the answer. Register this before the
 * compression hook.
 */
export function revalidateAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isRevalidated = request.routeOptions.config.endpoint?.revalidated
    if (!isRevalidated || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    // A weak tag, since compression does not change the content.
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`
    reply.header('etag', tag)
    if (request.headers['if-none-match'] !== tag) return payload
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return null
  })
}
