import type { Endpoint } from '@tallyroom/contract/endpoint'
import { refusalsOf } from '../src/http/api-document.ts'

/**
 * Every test's client calls it with each answer, so that an endpoint that refuses with a status which the API document does
 * not name fails the first test that sees it. The access matrix and the bad requests see every endpoint.
 */
export function expectDocumented(endpoint: Endpoint, status: number): void {
  if (status < 400 || status >= 500 || status in refusalsOf(endpoint)) return
  // Of any path, and of none in particular.
  if (status === 413 || status === 414 || status === 415 || status === 431) return
  throw new Error(
    `${endpoint.method} ${endpoint.path} answers ${status}, which the API document doesn’t name. Add it to refuses.`,
  )
}
