import type { Endpoint } from '@tallyroom/contract/endpoint'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Sent } from './access-matrix.ts'

/** Calls an endpoint of the table as a client would: path, query and JSON body. */
export function send(
  app: FastifyInstance,
  { method, path }: Endpoint,
  { params = {}, query, body }: Sent,
  { token, ip }: { token: string | undefined; ip?: string },
): Promise<LightMyRequestResponse> {
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return app.inject({
    method,
    url,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(ip !== undefined && { remoteAddress: ip }),
    ...(query && { query: query as Record<string, string> }), // numbers become text there
    ...(body && { payload: body }),
  })
}
