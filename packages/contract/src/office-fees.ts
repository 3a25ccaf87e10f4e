import { z } from 'zod'
import { lppSchema, rateSchema } from './amounts.ts'
import { endpoint } from './endpoint.ts'
import { idSchema, idTextSchema, versionSchema } from './list.ts'

/** Dollars, pesos and points, for a sale and for its bonus (on an approve-sale site: Day#1 and Day#2). */
const ratesSchema = z.object({
  earning: z.number(),
  payout: z.number(),
  lpp: z.int(),
  bonusEarning: z.number(),
  bonusPayout: z.number(),
  bonusLpp: z.int(),
})
export type FeeRates = z.infer<typeof ratesSchema>

/** What an office is paid for a link type. The rates at the top are those that apply now. */
export const officeFeeSchema = ratesSchema.extend({
  typeId: idSchema,
  companyId: idSchema,
  officeName: z.string(),
  active: z.boolean(),
  hidden: z.boolean(),
  /** Whether the office's own rates apply; else the link type's. */
  enable: z.boolean(),
  /** The office's own rates, kept while they do not apply; null before they were first enabled. */
  own: ratesSchema.nullable(),
  /** The link type's. */
  defaults: ratesSchema,
  /** 0 before the office's own rates were first enabled. */
  version: z.int(),
})
export type OfficeFee = z.infer<typeof officeFeeSchema>

export const officeFeesEndpoints = {
  officeFees: endpoint({
    method: 'GET',
    path: '/api/companies/fees',
    summary: 'What each office is paid for a link type, by office name',
    ability: 'fees.manage',
    action: 'VIEW',
    query: z.object({ siteId: idTextSchema, typeId: idTextSchema }),
    response: z.array(officeFeeSchema),
  }),
  saveOfficeFee: endpoint({
    method: 'POST',
    path: '/api/companies/fees',
    summary:
      "Switches an office's own rates on or off, and changes them; past sales stay as they are",
    ability: 'fees.manage',
    action: 'UPDATE',
    body: z.strictObject({
      typeId: idSchema,
      companyId: idSchema,
      /** `false`: the rates sent along are not looked at; the office's own stay for when they are enabled again. */
      enable: z.boolean(),
      /** Rates that are left out stay as they were; at first they are the link type's. */
      earning: rateSchema.optional(),
      payout: rateSchema.optional(),
      lpp: lppSchema.optional(),
      bonusEarning: rateSchema.optional(),
      bonusPayout: rateSchema.optional(),
      bonusLpp: lppSchema.optional(),
      version: versionSchema,
    }),
    response: officeFeeSchema,
  }),
}
