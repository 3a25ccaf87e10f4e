import type { ErrorCode, FieldMessages } from '@tallyroom/contract/errors'

/** An expected refusal. Its message may be read by a user; anything else that is thrown is a bug. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly data: FieldMessages | undefined
  /** Seconds, for TOO_MANY_REQUESTS and UNAVAILABLE. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: { data?: FieldMessages; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.data = more.data
    this.retryAfter = more.retryAfter
  }
}

/** Field name → messages; `_form` for the form as a whole. */
export const invalid = (data: FieldMessages, cause?: unknown) =>
  new AppError('VALIDATION_ERROR', 'Please check what was entered.', { data, cause })

export const invalidToken = () => new AppError('INVALID_TOKEN', 'Please sign in again.')

export const forbidden = (message = 'You are not allowed to do this.') =>
  new AppError('FORBIDDEN', message)

/** For what does not exist and for what the viewer may not see: the answers are alike. */
export const notFound = (what: string) => new AppError('NOT_FOUND', `There is no such ${what}.`)

/** Somebody else was faster, or the present state forbids it: the message says which. */
export const conflict = (message: string) => new AppError('CONFLICT', message)

/** @param retryAfter in seconds */
export const tooManyRequests = (message: string, retryAfter: number) =>
  new AppError('TOO_MANY_REQUESTS', message, { retryAfter })

/** The database, or what a call needs, can't be reached just now. @param retryAfter in seconds */
export const unavailable = (retryAfter = 5) =>
  new AppError('UNAVAILABLE', 'The service is not ready. Please try again in a moment.', {
    retryAfter,
  })
