import { z } from 'zod'
import { onOffSchema } from '../forms.ts'
import { givenRates } from '../amounts.ts'
import { endpoint } from '../endpoint.ts'
import { idSchema, idTextSchema, versionSchema } from '../list.ts'
import { reportDaySchema } from '../periods.ts'

/** Rates in dollars, pesos and points, for a sale and for its bonus (on an approve-sale site: Day#1 and Day#2). */
const ratesSchema = z.object({
  earning: z.number(),
  payout: z.number(),
  lpp: z.int(),
  bonusEarning: z.number(),
  bonusPayout: z.number(),
  bonusLpp: z.int(),
})
export type FeeRates = z.infer<typeof ratesSchema>

/** What the form has. */
export type FeeField = keyof FeeRates | 'enable'

/** An office's rates for a link type. The top-level rates are those in effect. */
const officeFeeSchema = ratesSchema.extend({
  typeId: idSchema,
  companyId: idSchema,
  officeName: z.string(),
  active: z.boolean(),
  hidden: z.boolean(),
  /** True if the office's own rates apply, false if the link type's do. */
  enable: z.boolean(),
  /** The office's own rates, kept while disabled; null until first enabled. */
  own: ratesSchema.nullable(),
  /** The link type's rates. */
  defaults: ratesSchema,
  /** 0 until own rates are first enabled or prepared. */
  version: z.int(),
})
export type OfficeFee = z.infer<typeof officeFeeSchema>

export const officeFeesEndpoints = {
  officeFees: endpoint({
    method: 'GET',
    path: '/api/companies/fees',
    summary: 'List the rates of each office for a link type, by office name',
    ability: 'fees.manage',
    action: 'VIEW',
    refuses: [404],
    query: z.object({ siteId: idTextSchema, typeId: idTextSchema }),
    response: z.array(officeFeeSchema),
  }),
  saveOfficeFee: endpoint({
    method: 'POST',
    path: '/api/companies/fees',
    summary:
      "Enable, disable or change an office's own rates from now on, or from a future New York midnight on. Earlier sales keep the rates that were in force when they happened.",
    ability: 'fees.manage',
    action: 'UPDATE',
    refuses: [404],
    body: z.strictObject({
      typeId: idSchema,
      companyId: idSchema,
      /** If `false`, the rates in the request are ignored, and the stored ones are kept for later. */
      enable: onOffSchema,
      /** A New York day after today, from which on the change applies. Omitted: from now on. */
      validFrom: reportDaySchema.optional(),
      /** Omitted rates are left unchanged. They start out as the link type's. */
      ...givenRates,
      ...officeFeeSchema
        .pick({ officeName: true, active: true, hidden: true, own: true, defaults: true })
        .partial().shape,
      version: versionSchema,
    }),
    response: officeFeeSchema,
  }),
}
