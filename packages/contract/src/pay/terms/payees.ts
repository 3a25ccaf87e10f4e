import { PAYEE_KINDS } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { idSchema, idTextSchema, line, required } from '../../list.ts'

export const payeeSchema = z.object({
  kind: z.enum(PAYEE_KINDS),
  id: idSchema,
  /** The name at the time of closing. */
  name: z.string(),
})
export type Payee = z.infer<typeof payeeSchema>

/** A payee as text in a path or query: `office` or `agent`, and its id. */
export const payeeInPath = { kind: z.enum(PAYEE_KINDS), id: idTextSchema }

/** A payee in a body. */
export const payeeInBody = { kind: z.enum(PAYEE_KINDS), id: idSchema }

/** The reason for a statement, an adjustment or a hold. */
export const reasonSchema = required(500)

/** A text for the payee; may be empty. */
export const payeeTextSchema = line(500).trim()
