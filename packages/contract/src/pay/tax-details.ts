import { hasInvisible } from '@tallyroom/domain/invisible'
import { PAYEE_KINDS } from '@tallyroom/domain/pay'
import { TAX_COUNTRIES, whyNoTaxNumber } from '@tallyroom/domain/tax-number'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, idSchema, required } from '../list.ts'
import { daySchema } from '../periods.ts'
import { secret } from '../secrets.ts'
import { payeeInPath } from './periods.ts'

/** It may be printed on documents and written to files that spreadsheets open. */
const printed = (longest: number) =>
  required(longest)
    .regex(/^[\p{L}\d]/u, 'must begin with a letter or a digit')
    .refine((typed) => !hasInvisible(typed), 'must not have invisible characters')

const taxDetailsSchema = z.object({
  id: idSchema,
  /** From which New York day on they are in force. */
  fromDay: daySchema,
  registeredName: z.string(),
  country: z.enum(TAX_COUNTRIES),
  /** Philippine ones with hyphens: `123-456-789-00000`. */
  taxNumber: z.string(),
  address: z.string(),
  setAt: z.iso.datetime(),
  /** For staff alone. */
  setBy: z.string().optional(),
})
export type TaxDetails = z.infer<typeof taxDetailsSchema>

/** Who a payee is to the tax office, from a day on. What was in force before is kept. */
export const taxDetailsEndpoints = {
  taxDetails: endpoint({
    method: 'GET',
    path: '/api/pay/balances/:kind/:id/tax-details',
    summary: 'List a payee’s tax details, past, present and to come, the latest first',
    ability: 'pay.view',
    action: 'VIEW',
    params: z.object(payeeInPath),
    response: z.object({
      /** The first day from which they can be changed: the day after the last closed period. Null while pay is off. */
      changesFrom: daySchema.nullable(),
      /** By the day from which they are in force, then by when they were entered. */
      details: z.array(taxDetailsSchema),
    }),
  }),
  saveTaxDetails: endpoint({
    method: 'PUT',
    path: '/api/pay/tax-details',
    summary: 'Enter a payee’s tax details from a day on that no closed period has',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    refuses: [404, 409],
    body: z
      .strictObject({
        kind: z.enum(PAYEE_KINDS),
        id: idSchema,
        fromDay: daySchema,
        registeredName: printed(140),
        country: z.enum(TAX_COUNTRIES),
        taxNumber: secret(required(30)),
        address: secret(printed(280)),
      })
      .superRefine(({ country, taxNumber }, context) => {
        const message = whyNoTaxNumber(country, taxNumber)
        if (message) context.addIssue({ code: 'custom', path: ['taxNumber'], message })
      }),
    response: doneSchema,
  }),
}
