import { randomUUID } from 'node:crypto'
import { type Endpoint, FORM_KEY_HEADER } from '@tallyroom/contract/endpoint'
import { FACTOR_HEADER } from '@tallyroom/contract/people/passkeys'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Sent } from './access-matrix.ts'
import { expectDocumented } from './documented.ts'

/**
 * The test client's own user agent would count as a crawler, whose visits are stored seconds later.
 */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

/** Calls an endpoint of the table as a browser would: path, query and JSON body. */
export async function send(
  app: FastifyInstance,
  endpoint: Endpoint,
  { params = {}, query, body, file }: Sent,
  {
    token,
    ip,
    cookie,
    origin,
    factor,
  }: {
    token: string | undefined
    ip?: string
    cookie?: string | undefined
    /** Of the page that calls. Otherwise a program does, or a browser that says nothing of it. */
    origin?: string | undefined
    /** The second factor of the act. */
    factor?: object | undefined
  },
): Promise<LightMyRequestResponse> {
  const { method, path } = endpoint
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const answer = await app.inject({
    method,
    url,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cookie !== undefined && { cookie }),
      ...(origin !== undefined && { origin, 'sec-fetch-site': 'same-origin' }),
      ...(factor && { [FACTOR_HEADER]: factorText(factor) }),
      'user-agent': BROWSER,
      ...(endpoint.once && { [FORM_KEY_HEADER]: randomUUID() }),
    },
    ...(ip !== undefined && { remoteAddress: ip }),
    ...(query && { query: query as Record<string, string> }), // numbers become text there
    ...(body && { payload: body }),
    ...(file && { payload: formOf(file) }),
  })
  expectDocumented(endpoint, answer.statusCode)
  return answer
}

/** The header by which a call is sent again with a second factor. */
export const factorText = (given: object): string =>
  Buffer.from(JSON.stringify(given)).toString('base64url')

/** A form with one file, as a browser sends it. The file name does not reveal its type. */
export function formOf({ field, bytes }: NonNullable<Sent['file']>): FormData {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(bytes)], { type: 'text/html' }), '../evil.html')
  return form
}
