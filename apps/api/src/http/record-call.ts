import type { Endpoint } from '@tallyroom/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { Readable } from 'node:stream'
import { refuseInstead } from './error-handler.ts'
import { unavailable } from '../errors.ts'

/** The caller, as far as known. After an attempt with an unknown username, nothing is known. */
export type Caller = {
  accountId: number | undefined
  /** The superadmin's account after *Sign in as*; undefined for the account holder. */
  signedInBy: number | undefined
}

/** A call together with its answer. */
export type AnsweredCall = Caller & {
  endpoint: Endpoint
  ip: string
  /** As received, including secrets, before or after parsing. */
  params: unknown
  query: unknown
  body: unknown
  status: number
}

/** Stores a call permanently. The answer waits for it; if it fails, the answer is UNAVAILABLE instead. */
export type RecordCall = (call: AnsweredCall) => Promise<void>

/**
 * Records every call of a known caller unless the endpoint's action is `none`. Register this before the
 * compression hook.
 */
export function recordCalls(app: FastifyInstance, record: RecordCall): void {
  app.decorateRequest('caller', undefined)
  app.addHook('onSend', async (request, reply, payload) => {
    const { caller, ip, params, query, body } = request
    const { endpoint } = request.routeOptions.config
    if (!endpoint || endpoint.action === 'none' || !caller) return payload
    // If a later hook refuses the call, this hook runs again.
    request.caller = undefined
    try {
      await record({ ...caller, endpoint, ip, params, query, body, status: reply.statusCode })
      return payload
    } catch (error) {
      request.log.error({ err: error }, 'a call could not be written into the common logs')
      if (payload instanceof Readable) payload.destroy()
      return refuseInstead(reply, unavailable())
    }
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}
