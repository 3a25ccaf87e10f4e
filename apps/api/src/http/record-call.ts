import type { Endpoint } from '@tallyroom/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { Readable } from 'node:stream'
import { refuseInstead } from './error-handler.ts'
import { unavailable } from '../errors.ts'

/** Who calls. Nobody is known of a try to sign in with a name that no account has. */
export type Caller = {
  accountId: number | undefined
  /** The account of whoever signed in as that one, if it was not its holder. */
  signedInBy: number | undefined
}

/** A call, with how it is going to be answered. */
export type AnsweredCall = Caller & {
  endpoint: Endpoint
  ip: string
  /** As they arrived, secrets and all: before or after they were parsed. */
  params: unknown
  query: unknown
  body: unknown
  status: number
}

/** Keeps a call for ever. The answer waits for it; when it fails, the answer is UNAVAILABLE instead. */
export type RecordCall = (call: AnsweredCall) => Promise<void>

/**
 * Has every call recorded that came from somebody known, unless its endpoint's action is `none`. To be added
 * before any hook that packs answers up.
 */
export function recordCalls(app: FastifyInstance, record: RecordCall): void {
  app.decorateRequest('caller', undefined)
  app.addHook('onSend', async (request, reply, payload) => {
    const { caller, ip, params, query, body } = request
    const { endpoint } = request.routeOptions.config
    if (!endpoint || endpoint.action === 'none' || !caller) return payload
    // A refusal that a later hook brings about comes this way again.
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
