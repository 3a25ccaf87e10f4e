import type { ObjectRef } from '@tallyroom/contract/desk/common-logs'
import { changingActions, type Endpoint, isRead } from '@tallyroom/contract/endpoint'
import { ERROR_CODE_HEADER, type ErrorCode } from '@tallyroom/contract/errors'
import { FACTOR_HEADER } from '@tallyroom/contract/people/passkeys'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { Viewer } from '../access/viewer.ts'
import { addressOf } from './caller-address.ts'
import { refuseInstead } from './error-handler.ts'
import { unavailable } from '../errors.ts'
import type { Services } from '../services.ts'

/** The caller, as far as known. After an attempt with an unknown username, nothing is known. */
export type Caller = {
  accountId: number | undefined
  /** The superadmin's account after *Sign in as*; undefined for the account holder. */
  signedInBy: number | undefined
  /** The token that made the call. */
  token?: { name: string }
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
  /** What it changed, if it changed something and was not refused. */
  changes?: RecordedChanges | undefined
}

/** What a call changed: the objects for searching, and their values before and after it, as JSON. */
export type RecordedChanges = { objects: readonly ObjectRef[]; changes: object }

/** A call that may change something. Its answer is known only afterwards. */
export type WatchedCall = Pick<AnsweredCall, 'endpoint' | 'params' | 'query' | 'body'> & {
  viewer: Viewer | undefined
  answer?: unknown
}

/** Reads what the call may change. The returned function reads it again, and says what changed. */
export type WatchChanges = (
  call: WatchedCall,
) => Promise<((answer: unknown) => Promise<RecordedChanges | undefined>) | undefined>

/** Stores a call permanently. The answer waits for it; if it fails, the answer is UNAVAILABLE instead. */
export type RecordCall = (call: AnsweredCall) => Promise<void>

export type Recording = {
  record: RecordCall
  watch: WatchChanges
  unlessSilent: Services['pulse']['unlessSilent']
}

/**
 * Records every call of a known caller unless the endpoint's action is `none`, or all that it was told is that it takes a second
 * factor. Register this before the compression hook.
 */
export function recordCalls(
  app: FastifyInstance,
  { record, watch, unlessSilent }: Recording,
): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('changesSince', undefined)
  app.addHook('preHandler', async (request) => {
    const { params, query, body, viewer } = request
    const { endpoint } = request.routeOptions.config
    if (!endpoint || !viewer || !isChanging(endpoint)) return
    request.changesSince = await watch({ endpoint, params, query, body, viewer })
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const { caller, params, query, body } = request
    const { endpoint } = request.routeOptions.config
    if (!endpoint || endpoint.action === 'none' || !caller) return payload
    // If a later hook refuses the call, this hook runs again.
    request.caller = undefined
    if (isQuestion(request, reply)) return payload
    try {
      const status = reply.statusCode
      // Refused calls changed nothing, and may name objects that the caller does not see.
      const changes = status === 200 ? await request.changesSince?.(answerIn(payload)) : undefined
      const recorded = record({
        ...caller,
        endpoint,
        ip: addressOf(request),
        params,
        query,
        body,
        status,
        changes,
      })
      await (isRead(endpoint) ? unlessSilent(recorded) : recorded)
      return payload
    } catch (error) {
      request.log.error({ err: error }, 'a call could not be written into the common logs')
      if (payload instanceof Readable) payload.destroy()
      return refuseInstead(reply, unavailable())
    }
  })
}

const FACTOR_NEEDED: ErrorCode = 'FACTOR_NEEDED'

/** Whether a call was only answered with what it has to be sent again with. A wrong factor is recorded. */
const isQuestion = ({ headers }: FastifyRequest, reply: FastifyReply): boolean =>
  reply.getHeader(ERROR_CODE_HEADER) === FACTOR_NEEDED && headers[FACTOR_HEADER] === undefined

const isChanging = ({ action }: Endpoint) => changingActions.some((one) => one === action)

/** The answer as an object, from its JSON. */
const answerIn = (payload: unknown): unknown =>
  typeof payload === 'string' && payload.startsWith('{') ? JSON.parse(payload) : undefined

declare module 'fastify' {
  interface FastifyRequest {
    changesSince: Awaited<ReturnType<WatchChanges>>
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}
