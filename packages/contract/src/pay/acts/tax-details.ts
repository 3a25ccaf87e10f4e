import { hasInvisible } from '@tallyroom/domain/invisible'
import { TAX_COUNTRIES, type TaxCountry, whyNoTaxNumber } from '@tallyroom/domain/tax-number'
import { MOST_TAX_BP } from '@tallyroom/domain/withholding'
import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { onOffSchema } from '../../forms.ts'
import { doneSchema, idSchema, required } from '../../list.ts'
import { daySchema } from '../../periods.ts'
import { secret } from '../../secrets.ts'
import { missing } from '../../missing.ts'
import { payeeInBody, payeeInPath, reasonSchema } from '../terms/payees.ts'

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

/** At which tax is withheld from what a payee earns. */
export const taxRateFields = {
  /** A period withholds at the rate in force on its last day, a New York day. */
  fromDay: daySchema,
  /** Hundredths of a percent; 0: none is withheld from then on. */
  rateBp: z.int(),
  /** The tax office's code of the kind of income, such as WI515; null with 0. */
  code: z.string().nullable(),
}

const taxRateSchema = z.object({
  /** Of the proposal. */
  id: idSchema,
  ...taxRateFields,
  /** For staff alone, like who. */
  reason: z.string().optional(),
  setAt: z.iso.datetime(),
  setBy: z.string().optional(),
})

const approvedTaxRateSchema = taxRateSchema.extend({ approvedBy: z.string().optional() })
export type TaxRate = z.infer<typeof approvedTaxRateSchema>

const mustBeRate = `must be a percentage from 0 to ${MOST_TAX_BP / 100} with at most two decimal places`

const allTaxDetailsSchema = z.object({
  /** The first day from which they can be changed: the day after the last closed period. Null while pay is off. */
  changesFrom: daySchema.nullable(),
  /** By the day from which they are in force, then by when they were entered. */
  details: z.array(taxDetailsSchema),
})

const detailsFields = {
  fromDay: daySchema,
  registeredName: printed(140),
  country: z.enum(TAX_COUNTRIES),
  taxNumber: secret('payee details', required(30)),
  address: secret('payee details', printed(280)),
}

const refuseTaxNumber = (
  { country, taxNumber }: { country: TaxCountry; taxNumber: string },
  context: z.RefinementCtx,
): void => {
  const message = whyNoTaxNumber(country, taxNumber)
  if (message) context.addIssue({ code: 'custom', path: ['taxNumber'], message })
}

/** Who a payee is to the tax office, and who pays, from a day on. What was in force before is kept. */
export const taxDetailsEndpoints = {
  taxDetails: endpoint({
    method: 'GET',
    path: '/api/pay/balances/:kind/:id/tax-details',
    summary: 'List a payee’s tax details, past, present and to come, the latest first',
    ability: 'pay.view',
    action: 'VIEW',
    params: z.object(payeeInPath),
    response: allTaxDetailsSchema.extend({
      /** By the day from which they are in force, then by when they were entered. */
      rates: z.array(approvedTaxRateSchema),
      /** Those that wait for a second person, oldest first. For staff alone. */
      waitingRates: z.array(taxRateSchema).optional(),
    }),
  }),
  proposeTaxRate: endpoint({
    method: 'PUT',
    path: '/api/pay/tax-rates',
    summary:
      'Propose at which rate tax is withheld from what a payee earns, from a day on that no closed period has. It acts once a second person has approved it.',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    refuses: [404, 409],
    body: z
      .strictObject({
        ...payeeInBody,
        fromDay: daySchema,
        rateBp: z.int(mustBeRate).min(0, mustBeRate).max(MOST_TAX_BP, mustBeRate),
        /** Needed with a rate above 0, and null without. */
        code: z
          .string()
          .regex(/^[A-Z\d]{2,10}$/, 'must be 2 to 10 capital letters and digits, such as WI515')
          .nullable(),
        reason: reasonSchema,
      })
      .superRefine(({ rateBp, code }, context) => {
        if ((code === null) !== (rateBp === 0))
          context.addIssue({
            code: 'custom',
            path: ['code'],
            message:
              rateBp === 0 ? 'is only for a rate above 0' : missing.error({ path: ['code'] }),
          })
      }),
    response: z.object({ proposalId: idSchema }),
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
        ...payeeInBody,
        ...detailsFields,
        /** Needed if another payee has the tax number: both are one taxpayer, with one line in the list and one certificate. */
        sameTaxpayer: onOffSchema.default(false),
      })
      .superRefine(refuseTaxNumber),
    response: doneSchema,
  }),
  payerDetails: endpoint({
    method: 'GET',
    path: '/api/pay/payer-details',
    summary: 'List the tax details of the network, which pays, the latest first',
    ability: 'pay.manage',
    action: 'VIEW',
    response: allTaxDetailsSchema,
  }),
  savePayerDetails: endpoint({
    method: 'PUT',
    path: '/api/pay/payer-details',
    summary: 'Enter the tax details of the network from a day on that no closed period has',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    refuses: [409],
    body: z.strictObject(detailsFields).superRefine(refuseTaxNumber),
    response: doneSchema,
  }),
}
