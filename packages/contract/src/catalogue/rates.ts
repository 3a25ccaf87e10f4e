import { z } from 'zod'
import { onOffSchema } from '../forms.ts'
import { givenRates } from '../amounts.ts'
import { endpoint } from '../endpoint.ts'
import { idSchema, idTextSchema, line } from '../list.ts'
import { reportDaySchema } from '../periods.ts'

/** Where a row of rates stands: `over` if a later one has replaced it. */
const rateStates = ['prepared', 'in force', 'over', 'withdrawn'] as const
export type RateState = (typeof rateStates)[number]

/**
 * Rates of a link type, or of an office for it, from a point in time on. Dollars, pesos and points.
 */
const datedRateSchema = z.object({
  id: idSchema,
  typeId: idSchema,
  /** Null for the link type's default rates. */
  companyId: idSchema.nullable(),
  officeName: z.string().nullable(),
  /** Null if they have always been in force. */
  validFrom: z.iso.datetime().nullable(),
  state: z.enum(rateStates),
  /** False if the office has the link type's default rates from then on. */
  enable: z.boolean(),
  payout: z.number(),
  lpp: z.int(),
  bonusPayout: z.number(),
  bonusLpp: z.int(),
  /** Left out for staff who may not see earnings. */
  earning: z.number().optional(),
  bonusEarning: z.number().optional(),
  note: z.string(),
  /** Null if the row is older than dated rates. */
  addedAt: z.iso.datetime().nullable(),
  addedBy: z.string().nullable(),
  withdrawnAt: z.iso.datetime().nullable(),
  withdrawnBy: z.string().nullable(),
})
export type DatedRate = z.infer<typeof datedRateSchema>

/** Where the rate of a sale came from. */
export const rateOriginSchema = z.object({
  /** Since when it was in force. */
  validFrom: z.iso.datetime(),
  /** Who set it. Staff only; null if unknown. */
  addedBy: z.string().nullable().optional(),
})
export type RateOrigin = z.infer<typeof rateOriginSchema>

/** The most rows of one answer. */
export const MAX_DATED_RATES = 500

/** Maximum rates that one call prepares. */
export const MAX_PREPARED_AT_ONCE = 200

/**
 * The day from which rates apply, and for whom. Omitted amounts are those that would be in force on
 * that day anyway.
 */
export const ratesFromADay = {
  typeId: idSchema,
  /** Null for the link type's default rates. */
  companyId: idSchema.nullable(),
  /** False: from that day on, the office has the link type's default rates. */
  enable: onOffSchema.default(true),
  ...givenRates,
}

const fromDay = {
  /** A New York day after today. */
  validFrom: reportDaySchema,
  note: line(200).trim().default(''),
}

export const ratesEndpoints = {
  rates: endpoint({
    method: 'GET',
    path: '/api/rates',
    summary: 'List the rates of a site with their dates, newest first: prepared, in force and over',
    ability: 'link-types.view',
    byToken: 'sites',
    action: 'VIEW',
    refuses: [404],
    query: z.object({
      siteId: idTextSchema,
      typeId: idTextSchema.optional(),
      /** An office's id, or `none` for the default rates. */
      companyId: z.union([idTextSchema, z.literal('none')]).optional(),
      /** Only what is prepared. */
      prepared: z.literal('true').optional(),
    }),
    response: z.array(datedRateSchema).max(MAX_DATED_RATES),
  }),
  prepareRate: endpoint({
    method: 'POST',
    path: '/api/rates',
    summary:
      'Prepare rates from a future New York midnight on: of an office, or the default ones of a link type',
    ability: 'fees.manage',
    action: 'CREATE',
    refuses: [404],
    body: z.strictObject({ ...ratesFromADay, ...fromDay }),
    response: datedRateSchema,
  }),
  prepareRates: endpoint({
    method: 'POST',
    path: '/api/rates/prepare',
    summary: 'Prepare several rates from a future New York midnight on: all of them, or none',
    ability: 'fees.manage',
    action: 'CREATE',
    refuses: [404],
    body: z.strictObject({
      rates: z
        .array(z.strictObject(ratesFromADay))
        .min(1)
        .max(MAX_PREPARED_AT_ONCE)
        .refine(
          (rates) =>
            new Set(rates.map(({ typeId, companyId }) => `${typeId} ${companyId}`)).size ===
            rates.length,
          'must name each link type and office once',
        ),
      ...fromDay,
    }),
    response: z.array(datedRateSchema).max(MAX_PREPARED_AT_ONCE),
  }),
  withdrawRate: endpoint({
    method: 'POST',
    path: '/api/rates/:id/withdraw',
    summary: 'Withdraw prepared rates before their day',
    ability: 'fees.manage',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    response: datedRateSchema,
  }),
}
