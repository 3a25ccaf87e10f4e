import { HOLD_ACT_NAMES, HOLD_KINDS } from '@tallyroom/domain/holds'
import { POSTBACK_EVENTS, REVERSALS } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idSchema, line, required } from '../list.ts'
import { postbackOutcomes } from '../list-choices.ts'
import { missing } from '../missing.ts'
import { daySchema } from '../periods.ts'
import { saleTierPaySchema } from '../sale-tier-pay.ts'

/** Why a postback is held, and what can be done about it, the likeliest first. `HOLD_ACTS` says what each means. */
export const holdSchema = z.object({
  kind: z.enum(HOLD_KINDS),
  acts: z.array(z.enum(HOLD_ACT_NAMES)),
  since: z.iso.datetime(),
  /** The day on which it is asked again, if it was put off. */
  putOffUntil: daySchema.optional(),
  /** Who is to decide, if somebody in particular. */
  assignedTo: z.object({ id: idSchema, username: z.string() }).optional(),
  /** What was decided and is not done yet. `acts` is then empty. */
  decided: z
    .object({ act: z.enum(HOLD_ACT_NAMES), by: z.string(), undoUntil: z.iso.datetime() })
    .optional(),
  /** The word in it that one decision settles, for it and all others. */
  word: z
    .object({ parameter: z.string(), value: z.string(), event: z.enum(POSTBACK_EVENTS) })
    .optional(),
})

/** A new entry of the sale log that an act writes. */
const holdChangeSchema = z.object({
  eventId: z.uuid(),
  /** The sale that it is about; the event itself for a new sale. */
  saleId: z.uuid(),
  /** 1: a sale or bonus counts (again). −1: it is taken back. 0: a part of its amounts is. */
  quantity: z.int(),
  /** It counts a reversed sale again. */
  isRestored: z.boolean(),
  reversal: z.enum(REVERSALS).nullable(),
  /** 0: sale, 1: bonus. */
  eventType: z.int(),
  /** Whether its site used approve-sale when the sale was made: then 0 is the approval, and 1 the sale. */
  useApproveSale: z.boolean(),
  /** When it counts. */
  occurredAt: z.iso.datetime(),
  transactionId: z.string().nullable(),
  siteId: idSchema,
  sitename: z.string(),
  typename: z.string(),
  companyId: idSchema,
  officeName: z.string(),
  agentId: idSchema,
  agent: z.string(),
  /** Dollars and pesos; negative if something is taken back. */
  earning: z.number(),
  payout: z.number(),
  /** For what tiers pay. `payout` is then the rate. */
  tierPay: saleTierPaySchema.optional(),
})
export type HoldChange = z.infer<typeof holdChangeSchema>

export const heldResultSchema = z.object({
  id: z.uuid(),
  /**
   * - `settled`: the act settles it, or did.
   * - `held`: it stays held, for `reason`, perhaps of another kind now.
   * - `impossible`: nobody can do this about it, as somebody else has settled it, or because of its kind. `reason` says why.
   */
  state: z.enum(['settled', 'held', 'impossible']),
  outcome: z.enum(postbackOutcomes).nullable(),
  reason: z.string().nullable(),
  eventId: z.uuid().nullable(),
  /** Empty if nothing is counted or taken back. */
  changes: z.array(holdChangeSchema),
  /** Tells whether two results do the same. Null unless it is `settled`. */
  effect: z.string().nullable(),
})
export type HeldResult = z.infer<typeof heldResultSchema>

const askedFields = {
  /** Done about them in this order. */
  ids: z
    .array(z.uuid())
    .min(1, missing)
    .max(100, 'must be at most 100')
    .refine((ids) => new Set(ids).size === ids.length, 'must not contain one twice'),
  /** Those of `word-…` can only be previewed: a word is decided for all of its reports, by `decideSiteWord`. */
  act: z.enum(HOLD_ACT_NAMES, missing),
  /**
   * For `reverse` and `in-proportion`: the sale to take back, by its id or that of an event about it. Without it, the one
   * that the postback names by order number or click.
   */
  saleId: z.uuid().nullish(),
}

/** One of the reports of an order or click: whose, of which click, and how much. */
const sideFields = {
  /** When it counts, or would. */
  occurredAt: z.iso.datetime(),
  /** Null without a click id. */
  clickedAt: z.iso.datetime().nullable(),
  agentId: idSchema.nullable(),
  agent: z.string().nullable(),
  companyId: idSchema.nullable(),
  officeName: z.string().nullable(),
  typename: z.string().nullable(),
  /** What the merchant reported as its own amount. */
  amount: z.object({ value: z.number(), currency: z.string().nullable() }).nullable(),
}

const heldSidesSchema = z.object({
  /** The sales that are recorded under its order number, or else for its click; those that count first, then the oldest. */
  recorded: z.array(
    z.object({
      ...sideFields,
      eventId: z.uuid(),
      /** Whether it was taken back. */
      isReversed: z.boolean(),
      /** Pesos that its entries pay by their rates; left out if the viewer may not see it. */
      payout: z.number().optional(),
    }),
  ),
  reported: z.object(sideFields),
})
export type HeldSides = z.infer<typeof heldSidesSchema>

export const heldPostbacksEndpoints = {
  heldSides: endpoint({
    method: 'GET',
    path: '/api/postbacks/:id/sides',
    summary: 'Get what a postback reports, beside the sales that are recorded for its order',
    ability: 'postbacks.view',
    action: 'VIEW',
    params: z.object({ id: z.uuid() }),
    response: heldSidesSchema,
  }),
  askForDecision: endpoint({
    method: 'POST',
    path: '/api/postbacks/:id/ask',
    summary: 'Tell superadmins that a held postback waits for them, once a day for each',
    ability: 'postbacks.view',
    action: 'UPDATE',
    params: z.object({ id: z.uuid() }),
    /** `told` is false if they were told of it today already. */
    response: z.object({ told: z.boolean() }),
  }),
  previewHeldPostbacks: endpoint({
    method: 'POST',
    path: '/api/postbacks/held/preview',
    summary: 'What an act would do about held postbacks, one after the other. Changes nothing.',
    ability: 'postbacks.manage',
    byToken: 'postbacks',
    action: 'SEARCH',
    body: z.strictObject(askedFields),
    response: z.object({ items: z.array(heldResultSchema) }),
  }),
  settleHeldPostbacks: endpoint({
    method: 'POST',
    path: '/api/postbacks/held/settle',
    summary:
      'Settle held postbacks, one after the other. Each is settled once: a second call says what became of it.',
    ability: 'postbacks.settle',
    action: 'UPDATE',
    body: z.strictObject({
      ...askedFields,
      /** The effects that the preview showed. What would have another one by now is not done, and stays held. */
      seen: z
        .array(z.strictObject({ id: z.uuid(), effect: line(64) }))
        .max(100, 'must be at most 100')
        .nullish(),
      /** Why, in the words of whoever decides. Kept with the postback and in the logs. */
      reason: required(200),
    }),
    response: z.object({ items: z.array(heldResultSchema) }),
  }),
}
