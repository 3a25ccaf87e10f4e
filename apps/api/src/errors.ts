import type { ErrorCode, FieldMessages } from '@tallyroom/contract/errors'

/** An expected refusal with a message for users. Anything else that is thrown is a bug. */
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
  new AppError('VALIDATION_ERROR', 'Please check your input.', { data, cause })

export const invalidToken = () => new AppError('INVALID_TOKEN', 'Please sign in again.')

export const forbidden = (message = 'You are not allowed to do this.') =>
  new AppError('FORBIDDEN', message)

/** The password was not entered within the last ten minutes. */
export const proofNeeded = () =>
  new AppError('PROOF_NEEDED', 'Please enter your password again to do this.')

/** For objects that do not exist or that the viewer may not see: the answers are identical. */
export const notFound = (what: string) => new AppError('NOT_FOUND', `There is no such ${what}.`)

/** The current state does not allow it, or somebody else was faster. The message says which. */
export const conflict = (message: string) => new AppError('CONFLICT', message)

/** @param retryAfter in seconds */
export const tooManyRequests = (message: string, retryAfter: number) =>
  new AppError('TOO_MANY_REQUESTS', message, { retryAfter })

/** The database, or something else that a call needs, is temporarily unavailable. @param retryAfter in seconds */
export const unavailable = (retryAfter = 5) =>
  new AppError('UNAVAILABLE', 'The service is not ready. Please try again in a moment.', {
    retryAfter,
  })
