import type { ErrorCode, FieldMessages } from '@tallyroom/contract/errors'

/** `NETWORK`: no response, or a response that is not ours, such as a proxy's error page. */
export type ApiErrorCode = ErrorCode | 'NETWORK'

/** A failed call. `message` is a sentence for users. */
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

/** Whether the same call may succeed later. It does not where something is missing, or not for this viewer. */
export const isWorthRetrying = (error: unknown): boolean =>
  !isApiError(error, 'FORBIDDEN') && !isApiError(error, 'NOT_FOUND')
