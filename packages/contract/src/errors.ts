import { z } from 'zod'
import { factorAsked } from './people/passkeys.ts'

/** All error codes with their HTTP status. Server and browser share this closed list. */
export const errorStatus = {
  VALIDATION_ERROR: 422,
  INVALID_TOKEN: 401,
  FORBIDDEN: 403,
  /** `auth/prove` takes the password; then the call may be repeated. */
  PROOF_NEEDED: 403,
  /** The act needs a second factor, for what it decides: `asks` says which. Then the call may be repeated with it. */
  FACTOR_NEEDED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
} as const

export type ErrorCode = keyof typeof errorStatus

/** What is said of something that does not exist, or that the caller does not see: the same, so that nothing is revealed. */
export const notFoundText = (what: string): string =>
  `This ${what} was not found. It may have been deleted, or you may not see it.`

/** This header repeats the code of the body. */
export const ERROR_CODE_HEADER = 'error-code'

/** Field name → messages. The form shows the first message under the field; `_form` is about the whole form. */
export type FieldMessages = Record<string, string[]>

/** The body of every error answer. Only VALIDATION_ERROR has `data`, and FACTOR_NEEDED after a wrong factor. */
export const errorBodySchema = z.object({
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]), // Object.keys forgets the key type
  message: z.string(),
  data: z.record(z.string(), z.array(z.string())).optional(),
  /** Only of FACTOR_NEEDED. */
  asks: factorAsked.optional(),
})

export type ErrorBody = z.infer<typeof errorBodySchema>
