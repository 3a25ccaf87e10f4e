import { avpProblems } from '@tallyroom/domain/avp'
import { isDay, weekdayOf } from '@tallyroom/domain/new-york'
import { z } from 'zod'
import { rateSchema } from '../amounts.ts'
import { endpoint } from '../endpoint.ts'
import { changesOf } from '../forms.ts'
import { doneSchema, versionSchema } from '../list.ts'
import { daySchema } from '../periods.ts'

/** A schedule is identified by the Monday on which it takes effect. It applies until the next one begins. */
const mondaySchema = daySchema.refine(
  (day) => !isDay(day) || weekdayOf(day) === 1,
  'must be a Monday',
)

/** A step of the AVP schedule. A `to` of 1000 or more means no upper end. */
export const avpTierSchema = z.object({
  index: z.int().min(0),
  from: z.int().min(0),
  to: z.int().min(0),
})

/** A tier with what it pays per sale, in pesos and dollars. */
const avpPeriodSchema = avpTierSchema.extend({
  payoutPhp: z.number(),
  payoutDollars: z.number(),
})

export const MAX_AVP_TIERS = 100

/** Far more sales than an agent makes in a week. */
const MAX_AVP_SALES = 1_000_000

/** In order, numbered from 0. The last tier must end at 1000 or more, which means no upper limit. */
const tiersSchema = z
  .array(
    z.strictObject({
      /** Position in the list. Optional, but must match. */
      index: z.int().min(0).max(MAX_AVP_TIERS).optional(),
      from: z.int().min(0).max(MAX_AVP_SALES),
      to: z.int().min(0).max(MAX_AVP_SALES),
      payoutPhp: rateSchema,
      payoutDollars: rateSchema,
    }),
  )
  .min(1)
  .max(MAX_AVP_TIERS)
  .refine(
    (tiers) => tiers.every(({ index }, place) => index === undefined || index === place),
    'must be ordered by index',
  )
  .superRefine((tiers, context) => {
    const problems = avpProblems(tiers.map(({ from, to }, index) => ({ index, from, to })))
    for (const message of problems) context.addIssue({ code: 'custom', message })
  })

const avpScheduleSchema = z.object({
  validFrom: mondaySchema,
  /** The last day before the next schedule; null if none follows. */
  validTo: daySchema.nullable(),
  state: z.enum(['past', 'current', 'future']),
  tiers: z.array(avpPeriodSchema),
  version: z.int(),
})
export type AvpSchedule = z.infer<typeof avpScheduleSchema>

const scheduleForm = { validFrom: mondaySchema, tiers: tiersSchema }
/** What the form has. */
export type ScheduleField = keyof typeof scheduleForm

export const avpScheduleFormSchema = z.strictObject(scheduleForm)
export type AvpScheduleForm = z.output<typeof avpScheduleFormSchema>

export const avpSchedulesEndpoints = {
  avpSchedules: endpoint({
    method: 'GET',
    path: '/api/avp-schedules',
    summary: 'List all AVP schedules, newest first',
    ability: 'avp-schedules.manage',
    action: 'VIEW',
    response: z.object({
      schedules: z.array(avpScheduleSchema),
      /**
       * The earliest Monday on which a schedule may begin: next Monday, or this week’s if no schedule has
       * begun yet. A week keeps the tiers it started with.
       */
      earliest: mondaySchema,
    }),
  }),
  createAvpSchedule: endpoint({
    method: 'PUT',
    path: '/api/avp-schedules',
    summary: 'Create an AVP schedule that begins on a future Monday',
    ability: 'avp-schedules.manage',
    action: 'CREATE',
    body: avpScheduleFormSchema,
    response: doneSchema,
  }),
  updateAvpSchedule: endpoint({
    method: 'POST',
    path: '/api/avp-schedules/:validFrom',
    summary: 'Update an AVP schedule that has not begun',
    ability: 'avp-schedules.manage',
    action: 'UPDATE',
    params: z.object({ validFrom: mondaySchema }),
    body: z.strictObject({
      ...changesOf(scheduleForm),
      ...avpScheduleSchema.pick({ validTo: true, state: true }).partial().shape,
      version: versionSchema,
    }),
    response: doneSchema,
  }),
  deleteAvpSchedule: endpoint({
    method: 'DELETE',
    path: '/api/avp-schedules/:validFrom',
    summary: 'Delete an AVP schedule that has not begun',
    ability: 'avp-schedules.manage',
    action: 'DELETE',
    params: z.object({ validFrom: mondaySchema }),
    response: doneSchema,
  }),
  avpPeriods: endpoint({
    method: 'GET',
    path: '/api/avp-periods',
    summary:
      'List the AVP tiers in force in a week, with what they pay; none before the first schedule',
    ability: 'stats.avp',
    byToken: 'any',
    action: 'none',
    query: z.object({
      /** Any day of the week; defaults to this week. */
      day: daySchema.optional(),
    }),
    response: z.array(avpPeriodSchema),
  }),
}
