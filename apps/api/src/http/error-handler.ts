import {
  ERROR_CODE_HEADER,
  errorStatus,
  type ErrorBody,
  type ErrorCode,
  type FieldMessages,
} from '@tallyroom/contract/errors'
import type { FactorAsked } from '@tallyroom/contract/people/passkeys'
import { healthEndpoints } from '@tallyroom/contract/operate/health'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { Socket } from 'node:net'
import { constraintMessages } from '../db/constraint-errors.ts'
import { errorCode, isUnavailable, STATEMENT_TIMED_OUT } from '../db/transaction.ts'
import { AppError, unavailable } from '../errors.ts'
import { bareHeaders } from './secure-headers.ts'

/** Turns everything that was thrown into an answer. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error)
  if (refusal.code === 'INTERNAL') request.log.error({ err: error }, 'request failed')
  else if (
    refusal.code === 'UNAVAILABLE' &&
    request.routeOptions.url !== healthEndpoints.health.path
  )
    request.log.warn({ why: inOneLine(error) }, 'not available')
  if (refusal.retryAfter !== undefined) void reply.header('retry-after', refusal.retryAfter)
  return secured(reply)
    .code(refusal.status ?? errorStatus[refusal.code])
    .header(ERROR_CODE_HEADER, refusal.code)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(bodyOf(refusal))
}

/**
 * While a machine is away, every refused call logs this: where it was refused says nothing, and a thousand stacks a minute fill the
 * disk.
 */
export function inOneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${errorCode(error) ?? error.name}: ${error.message}${cause}`.replaceAll(/\s+/g, ' ')
}

/** Replaces an answer that is about to be sent with a refusal, and returns its body. */
export function refuseInstead(reply: FastifyReply, refusal: AppError): string {
  reply.removeHeader('content-length')
  void reply
    .code(errorStatus[refusal.code])
    .header(ERROR_CODE_HEADER, refusal.code)
    .type('application/json; charset=utf-8')
  if (refusal.retryAfter !== undefined) void reply.header('retry-after', refusal.retryAfter)
  return JSON.stringify(bodyOf(refusal))
}

/** For paths without a route. */
export function handleUnknownPath(_request: FastifyRequest, reply: FastifyReply) {
  return secured(reply)
    .code(404)
    .header(ERROR_CODE_HEADER, 'NOT_FOUND')
    .header('cache-control', 'no-store')
    .send({ code: 'NOT_FOUND', message: 'This address does not exist.' } satisfies ErrorBody)
}

/** Adds security headers to refusals outside of helmet's scopes, such as a URL that cannot be decoded. */
const secured = (reply: FastifyReply): FastifyReply =>
  reply.hasHeader('content-security-policy') ? reply : reply.headers(bareHeaders)

/** Requests rejected by Node's parser: headers too large, not HTTP, too slow. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
  const body = JSON.stringify({
    code: 'VALIDATION_ERROR',
    message: 'The request is malformed or too long.',
  } satisfies ErrorBody)
  const headers = {
    connection: 'close',
    'cache-control': 'no-store',
    [ERROR_CODE_HEADER]: 'VALIDATION_ERROR',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...bareHeaders,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
}

type Refusal = {
  code: ErrorCode
  message: string
  status?: number
  data?: FieldMessages | undefined
  retryAfter?: number | undefined
  asks?: FactorAsked | undefined
}

/** The messages of a form with mistakes by field; undefined for any other error. */
export function messagesOf(error: unknown): FieldMessages | undefined {
  const { code, data, status } = asRefusal(error)
  return code === 'VALIDATION_ERROR' && status === undefined ? data : undefined
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof AppError) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    return validation(fieldMessagesOf(error.validation))
  }
  const taken = constraintMessages(error)
  if (taken) return validation(taken)
  // A part of the database may be frozen, or the question may be too large: nothing was done, and it can be asked again.
  if (isUnavailable(error) || errorCode(error) === STATEMENT_TIMED_OUT) return unavailable()
  return (
    fromFastify(error) ?? {
      code: 'INTERNAL',
      message: 'Something went wrong on the server. Please try again.',
    }
  )
}

const validation = (data: FieldMessages): Refusal => ({
  code: 'VALIDATION_ERROR',
  message: 'Please check your input.',
  data,
})

/** Fastify's own errors: body too large, not JSON, unknown media type, overload. */
function fromFastify(error: unknown): Refusal | undefined {
  const { statusCode, code } = error as FastifyError // both fields are optional
  if (statusCode === 503) return unavailable()
  // Zod throws when it compares a `length` such as { "toString": 1 } with a limit.
  if (code === 'FST_ERR_VALIDATION' && isAboutPrimitives(error)) return unparsable(400)
  // Not a form, where a file is expected.
  if (code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return unparsable(415)
  if (statusCode === undefined || statusCode < 400 || statusCode > 499) return undefined
  if (code?.startsWith('FST_ERR_CTP') || error instanceof SyntaxError || statusCode === 400) {
    return unparsable(statusCode)
  }
  return { code: 'VALIDATION_ERROR', message: 'The request was refused.', status: statusCode }
}

const isAboutPrimitives = (error: unknown) =>
  error instanceof TypeError && error.message === 'Cannot convert object to primitive value'

const unparsable = (status: number): Refusal => ({
  code: 'VALIDATION_ERROR',
  message: 'The request could not be parsed.',
  status,
  data: { _form: ['The request could not be parsed.'] },
})

function fieldMessagesOf(
  issues: readonly { instancePath: string; message?: string | undefined; params?: unknown }[],
): FieldMessages {
  const messages: FieldMessages = {}
  for (const { instancePath, message } of issues) {
    const field = instancePath.replace(/^\//, '').replaceAll('/', '.') || '_form'
    ;(messages[field] ??= []).push(message ?? 'is not valid')
  }
  return messages
}

const bodyOf = ({ code, message, data, asks }: Refusal): ErrorBody => ({
  code,
  message,
  ...(data && { data }),
  ...(asks && { asks }),
})
