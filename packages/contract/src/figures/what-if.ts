import { avpProblems } from '@tallyroom/domain/avp'
import { z } from 'zod'
import { onOffSchema } from '../forms.ts'
import { rateSchema } from '../amounts.ts'
import { MAX_AVP_TIERS } from '../catalogue/avp-schedules.ts'
import { endpoint } from '../endpoint.ts'
import { idSchema, listRequest, orStandard, pagedList } from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { rangeSchema, startsBeforeItEnds } from '../periods.ts'

/** How many link types one request can give other rates. */
export const MAX_OTHER_RATES = 50

/** Other rates for a link type, in pesos. Omitted ones stay as paid. */
const otherRateSchema = z.strictObject({
  typeId: idSchema,
  payout: rateSchema.optional(),
  bonusPayout: rateSchema.optional(),
})

/** Other tiers for all weeks, with pesos per sale. In order; the last one must end at 1000 or more. */
const otherTiersSchema = z
  .array(
    z.strictObject({
      from: z.int().min(0).max(1_000_000),
      to: z.int().min(0).max(1_000_000),
      payoutPhp: rateSchema,
    }),
  )
  .min(1)
  .max(MAX_AVP_TIERS)
  .superRefine((tiers, context) => {
    const problems = avpProblems(tiers.map(({ from, to }, index) => ({ index, from, to })))
    for (const message of problems) context.addIssue({ code: 'custom', message })
  })

const paging = listRequest(sortFields.whatIf, { sortField: 'difference', sortAsc: false })

const criteriaSchema = paging
  .extend({
    ...rangeSchema.shape,
    /** Rows are offices, or agents with the office that they sold for. */
    groupBy: z.enum(['company', 'agent']).default('company'),
    /** Empty or omitted means all offices. */
    companyIds: z.array(idSchema).max(500).default([]),
    /** One entry for each link type. */
    rates: z
      .array(otherRateSchema)
      .max(MAX_OTHER_RATES)
      .default([])
      .refine(
        (rates) => new Set(rates.map(({ typeId }) => typeId)).size === rates.length,
        'must name each link type once',
      ),
    /** Whether the other rates also replace the own rates that offices have now. */
    replaceOwn: orStandard(onOffSchema, true),
    /** What AVP sales would have been paid by tier. Tiers count the sales of all link types. */
    tiers: otherTiersSchema.nullish().transform((tiers) => tiers ?? undefined),
  })
  .strict()
  .refine(...startsBeforeItEnds)

/** Pesos: what was paid, what would have been paid, and the difference. */
const amountsSchema = z.object({
  /** By rates, as recorded. Only for the chosen link types. */
  sales: z.int(),
  bonusSales: z.int(),
  paid: z.number(),
  wouldBe: z.number(),
  /** By tiers, as in Payroll AVP. Only if other tiers were given. */
  tierPaid: z.number().optional(),
  tierWouldBe: z.number().optional(),
  /** The sum of both differences. */
  difference: z.number(),
})

const whatIfRowSchema = amountsSchema.extend({
  companyId: idSchema,
  officeName: z.string(),
  agentId: idSchema.optional(),
  agent: z.string().optional(),
})
export type WhatIfRow = z.infer<typeof whatIfRowSchema>

const whatIfSchema = pagedList(whatIfRowSchema).extend({
  overall: amountsSchema,
  /** Offices whose own rates were kept for at least one of the link types. */
  leftAlone: z.array(z.object({ companyId: idSchema, officeName: z.string() })),
})
export type WhatIf = z.infer<typeof whatIfSchema>

export const whatIfEndpoints = {
  whatIf: endpoint({
    method: 'POST',
    path: '/api/rates/what-if',
    summary:
      'Calculate what past sales would have been paid at other rates or tiers, from the totals',
    ability: 'stats.payroll',
    byToken: 'figures',
    action: 'SEARCH',
    body: criteriaSchema,
    response: whatIfSchema,
  }),
}
