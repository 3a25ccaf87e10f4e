import type { ErrorCode, FieldMessages } from '@tallyroom/contract/errors'

/** `NETWORK`: the request got no answer, or one that is not ours (a proxy's page). */
export type ApiErrorCode = ErrorCode | 'NETWORK'

/** A call that did not succeed. `message` is a sentence that a user may read. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ApiErrorCode
  /** Field name → messages; empty unless the code is VALIDATION_ERROR. */
  readonly data: FieldMessages

  constructor(code: ApiErrorCode, message: string, data: FieldMessages = {}) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const isApiError = (error: unknown, code?: ApiErrorCode): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code)
