import { type ErrorCode, type FieldMessages, notFoundText } from '@tallyroom/contract/errors'
import type { FactorAsked } from '@tallyroom/contract/people/passkeys'

/** An expected refusal with a message for users. Anything else that is thrown is a bug. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly data: FieldMessages | undefined
  /** Seconds, for TOO_MANY_REQUESTS and UNAVAILABLE. */
  readonly retryAfter: number | undefined
  /** For FACTOR_NEEDED. */
  readonly asks: FactorAsked | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: { data?: FieldMessages; retryAfter?: number; asks?: FactorAsked; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.data = more.data
    this.retryAfter = more.retryAfter
    this.asks = more.asks
  }
}

/** Field name → messages; `_form` for the form as a whole. */
export const invalid = (data: FieldMessages, cause?: unknown) =>
  new AppError('VALIDATION_ERROR', 'Please check your input.', { data, cause })

export const invalidToken = (message = 'Please sign in again.') =>
  new AppError('INVALID_TOKEN', message)

export const forbidden = (message = 'You are not allowed to do this.') =>
  new AppError('FORBIDDEN', message)

/** The password was not entered within the last ten minutes. */
export const proofNeeded = () =>
  new AppError('PROOF_NEEDED', 'Please enter your password again to do this.')

/** What the act decides has to be signed, or a code entered for it. @param data what was wrong with the one that was given */
export const actNeedsFactor = (asks: FactorAsked, data?: FieldMessages) =>
  new AppError('FACTOR_NEEDED', 'Please confirm this with your second factor.', {
    asks,
    ...(data && { data }),
  })

/** For objects that do not exist or that the viewer may not see: the answers are identical. */
export const notFound = (what: string) => new AppError('NOT_FOUND', notFoundText(what))

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

/** How many findings a refusal names. */
const NAMED = 3

/**
 * Rows on which an act of money rests are not what Tallyroom wrote. Whoever answers the call raises an alarm: the act itself
 * writes nothing.
 */
export class ForgedError extends AppError {
  override name = 'ForgedError'
  /** One sentence for each row. */
  readonly findings: readonly string[]

  constructor(findings: readonly string[]) {
    const more = findings.length - NAMED
    super(
      'CONFLICT',
      [
        'Refused, because the database has what Tallyroom did not write.',
        ...findings.slice(0, NAMED),
        ...(more > 0 ? [`And ${more} more.`] : []),
        'Nothing was changed. Those who may pay were told. Pay nothing until the operator has found out who did this.',
      ].join(' '),
    )
    this.findings = findings
  }
}
