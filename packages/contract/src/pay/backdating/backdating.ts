import { z } from 'zod'
import { onOffSchema } from '../../forms.ts'
import { endpoint } from '../../endpoint.ts'
import { idSchema, idTextSchema, line } from '../../list.ts'
import { reportDaySchema } from '../../periods.ts'
import { ratesFromADay } from '../../catalogue/rates.ts'

/** The most offices or agents of a preview. */
export const MAX_REPRICED = 200

/** The rates and the day from which they should have been in force. */
const backdatedRate = {
  ...ratesFromADay,
  /** A New York day, not after today. */
  from: reportDaySchema,
  /** Also replace the changes made since that day. Otherwise the next of them ends these rates. */
  replaceLater: onOffSchema.default(false),
}

/** What the differences add up to. Dollars and pesos, negative if sales are worth less than before. */
const sums = {
  /** How many sales and bonuses have a difference. */
  sales: z.int(),
  payout: z.number(),
  /** Left out for staff who may not see earnings. */
  earning: z.number().optional(),
}

/** What differences would add up to, and what of it is paid. */
const previewSums = {
  ...sums,
  /** How many of them tiers pay instead of rates. Their pay stays the same. */
  byTier: z.int(),
  /** Pesos: by how much somebody's pay changes, once pay is switched on. `payout` without what tiers pay instead. */
  paid: z.number(),
}

/** What a change of past rates would do if it were made now. Reversed sales keep their amounts. */
const backdatingPreviewSchema = z.object({
  /** Send it back to confirm. The rates must not have changed in the meantime. */
  version: z.int(),
  /** When the rates are in force: from one instant to another, or open-ended. */
  spans: z.array(z.object({ from: z.iso.datetime(), until: z.iso.datetime().nullable() })),
  /** Changes made since that day that the rates do not replace. */
  laterChanges: z.int(),
  ...previewSums,
  /** How many of them count for AVP. */
  avpSales: z.int(),
  /**
   * Oldest first. A closed period's differences are paid by the next closing. The last entry has no
   * name: it is what is still open.
   */
  periods: z.array(
    z.object({
      name: z.string().nullable(),
      start: reportDaySchema.nullable(),
      end: reportDaySchema.nullable(),
      ...previewSums,
    }),
  ),
  /** Largest payouts first. */
  offices: z
    .array(z.object({ companyId: idSchema, officeName: z.string(), ...previewSums }))
    .max(MAX_REPRICED),
  officeCount: z.int(),
  agents: z
    .array(
      z.object({ agentId: idSchema, agent: z.string(), officeName: z.string(), ...previewSums }),
    )
    .max(MAX_REPRICED),
  agentCount: z.int(),
})
export type BackdatingPreview = z.infer<typeof backdatingPreviewSchema>

const rateBackdatingSchema = z.object({
  id: idSchema,
  typeId: idSchema,
  companyId: idSchema.nullable(),
  officeName: z.string().nullable(),
  from: reportDaySchema,
  enable: z.boolean(),
  ratePayout: z.number(),
  rateEarning: z.number().optional(),
  reason: z.string(),
  madeAt: z.iso.datetime(),
  madeBy: z.string(),
  ...sums,
  undone: z
    .object({ at: z.iso.datetime(), by: z.string(), reason: z.string(), ...sums })
    .nullable(),
})
export type RateBackdating = z.infer<typeof rateBackdatingSchema>

/**
 * Maximum sales that get a difference at once, because postbacks of the link type wait while they
 * are written.
 */
export const MAX_SALES_AT_ONCE = 50_000

/** The most backdatings of one answer. */
export const MAX_BACKDATINGS = 200

/** The fewest letters of a reason. */
export const SHORTEST_REASON = 3

/** Why. The history of rates and sales shows it, and so do statements with differences. */
const reason = line(200).trim().min(SHORTEST_REASON, 'must say why')

/** Why a sale is worth more or less than it was recorded with. */
export const rateDifferenceSchema = z.object({
  /** The sale. */
  of: z.uuid(),
  /** When the rates were backdated, or the backdating undone. */
  at: z.iso.datetime(),
  isUndoing: z.boolean(),
  /** Staff only. */
  by: z.string().optional(),
  /** Absent if it was written for staff alone. */
  reason: z.string().optional(),
})

export const rateBackdatingEndpoints = {
  rateBackdatings: endpoint({
    method: 'GET',
    path: '/api/rate-backdatings',
    summary: 'List a site’s backdated rates, newest first, and which of them were undone',
    ability: 'link-types.view',
    action: 'VIEW',
    refuses: [404],
    query: z.object({
      siteId: idTextSchema,
      typeId: idTextSchema.optional(),
      /** An office's id, or `none` for the default rates. */
      companyId: z.union([idTextSchema, z.literal('none')]).optional(),
    }),
    response: z.array(rateBackdatingSchema).max(MAX_BACKDATINGS),
  }),
  previewBackdating: endpoint({
    method: 'POST',
    path: '/api/rate-backdatings/preview',
    summary: 'Preview what backdating rates would change. Writes nothing',
    ability: 'fees.manage',
    action: 'VIEW',
    refuses: [404, 409],
    body: z.strictObject(backdatedRate),
    response: backdatingPreviewSchema,
  }),
  backdateRate: endpoint({
    method: 'POST',
    path: '/api/rate-backdatings',
    summary: 'Backdate rates to a past day, with a difference for each sale since',
    ability: 'fees.manage',
    action: 'CREATE',
    once: true,
    refuses: [404],
    body: z.strictObject({
      ...backdatedRate,
      reason,
      /** The preview's. */
      version: z.int(),
      /** Chosen by the caller. Sending the same request again has no further effect. */
      requestId: z.uuid(),
    }),
    response: rateBackdatingSchema,
  }),
  previewUndo: endpoint({
    method: 'GET',
    path: '/api/rate-backdatings/:id/undo/preview',
    summary: 'Preview what undoing a backdating would change. Writes nothing',
    ability: 'fees.manage',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: backdatingPreviewSchema,
  }),
  undoBackdating: endpoint({
    method: 'POST',
    path: '/api/rate-backdatings/:id/undo',
    summary: 'Undo a backdating: each sale that was not reversed gets the opposite difference',
    ability: 'fees.manage',
    action: 'UPDATE',
    once: true,
    params: z.object({ id: idTextSchema }),
    body: z.strictObject({
      reason,
      /** Of the preview, if somebody has looked at one. */
      version: z.int().optional(),
    }),
    response: rateBackdatingSchema,
  }),
}
