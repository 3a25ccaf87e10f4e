import { HOLD_ACT_NAMES } from '@tallyroom/domain/holds'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, idSchema, line, required } from '../list.ts'
import { missing } from '../missing.ts'
import { daySchema } from '../periods.ts'
import { heldResultSchema } from './held-postbacks.ts'

/** For how long a decision can be undone, in seconds. */
export const UNDO_SECONDS = 60

/** How far ahead a question can be put off, in days. */
export const MOST_DAYS_OFF = 90

export const decisionsEndpoints = {
  decideHeldPostback: endpoint({
    method: 'POST',
    path: '/api/postbacks/:id/decide',
    summary:
      'Decide about a held postback. It is carried out after a minute, in which it can be undone; not if it would do something else by then.',
    ability: 'postbacks.settle',
    action: 'UPDATE',
    params: z.object({ id: z.uuid() }),
    body: z.strictObject({
      /** None of `word-…`: a word is decided for all of its reports, by `decideSiteWord`. */
      act: z.enum(HOLD_ACT_NAMES, missing),
      /** As for the preview. */
      saleId: z.uuid().nullish(),
      /** The effect that the preview showed. What would have another one by now is not decided. */
      effect: line(64),
      /** Why, in the words of whoever decides. Kept with the postback and in the logs. */
      reason: required(200),
    }),
    /** `state` is `settled` if it will be, and `undoUntil` says until when it can be undone. */
    response: heldResultSchema.extend({ undoUntil: z.iso.datetime().nullable() }),
  }),
  undoDecision: endpoint({
    method: 'POST',
    path: '/api/postbacks/:id/undo',
    summary: 'Undo a decision about a held postback, within the minute before it is carried out',
    ability: 'postbacks.settle',
    action: 'UPDATE',
    params: z.object({ id: z.uuid() }),
    response: doneSchema,
  }),
  followUpHeldPostback: endpoint({
    method: 'POST',
    path: '/api/postbacks/:id/follow-up',
    summary: 'Put off a held postback until a day, or say who is to decide about it',
    ability: 'postbacks.manage',
    action: 'UPDATE',
    params: z.object({ id: z.uuid() }),
    body: z.strictObject({
      /** The day on which it is asked again; null: now. Left out, it stays. */
      putOffUntil: daySchema.nullable().optional(),
      /** The account that is told, and to decide; null: nobody in particular. Left out, it stays. */
      assignedTo: idSchema.nullable().optional(),
    }),
    response: doneSchema,
  }),
  deciders: endpoint({
    method: 'GET',
    path: '/api/postbacks/deciders',
    summary: 'List the accounts that may decide about held postbacks',
    ability: 'postbacks.manage',
    action: 'none',
    response: z.array(z.object({ id: idSchema, username: z.string() })),
  }),
}
