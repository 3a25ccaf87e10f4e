import { z } from 'zod'

/** Every code that an error answer may carry, with its HTTP status. Closed: server and web share it. */
export const errorStatus = {
  VALIDATION_ERROR: 422,
  INVALID_TOKEN: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
} as const

export type ErrorCode = keyof typeof errorStatus

/** The header that carries the code, beside the body. */
export const ERROR_CODE_HEADER = 'error-code'

/** Field name → messages, the first one shown under the field; `_form` is about the whole form. */
export type FieldMessages = Record<string, string[]>

/** The body of every error answer. `data` is there for VALIDATION_ERROR only. */
export const errorBodySchema = z.object({
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]), // Object.keys forgets the key type
  message: z.string(),
  data: z.record(z.string(), z.array(z.string())).optional(),
})

export type ErrorBody = z.infer<typeof errorBodySchema>
