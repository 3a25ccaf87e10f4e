import { MAX_MINOR_UNITS } from '@tallyroom/domain/money'
import {
  AVP_RULES,
  MOST_HOLDING_DAYS,
  MOST_WAITING_DAYS,
  PAY_LENGTHS,
  PAYEES,
} from '@tallyroom/domain/pay'
import { isTimeZone } from '@tallyroom/domain/time-zones'
import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { doneSchema, line } from '../../list.ts'
import { daySchema } from '../../periods.ts'

/** An amount in minor units. Negative amounts are owed by the payee. */
export const minorUnitsSchema = z.int().min(-MAX_MINOR_UNITS).max(MAX_MINOR_UNITS)

/** A part of a balance that can be paid only from a day on, because its period is held. */
export const heldPartSchema = z.object({ amount: z.int(), from: daySchema })

/** Where the days of transfers and vouchers are days. */
export const bankSchema = z.object({ timeZone: z.string(), today: daySchema })

/** Above them, an adjustment waits for a second person. In centavos and in cents. */
export const adjustmentLimitsSchema = z.object({ PHP: z.int(), USD: z.int() })

const waitingTooLong = `must be a number of days from 0 to ${MOST_WAITING_DAYS}`

const settingsFields = {
  payees: z.enum(PAYEES),
  periodLength: z.enum(PAY_LENGTHS),
  avp: z.enum(AVP_RULES),
  minimumCentavos: minorUnitsSchema.min(0),
  minimumCents: minorUnitsSchema.min(0),
}

const holdingTooLong = `must be a number of days from 0 to ${MOST_HOLDING_DAYS}`

/** What the form has. */
export type PaySettingsField =
  | keyof typeof settingsFields
  | 'firstDay'
  | 'holdingDays'
  | 'waitingDays'
  | 'bankTimeZone'

/** Settings that apply from a day on, and who saved them. */
const savedSettingsSchema = z.object({
  ...settingsFields,
  /** How many days after its end a period is paid. */
  holdingDays: z.int(),
  fromDay: daySchema,
  setAt: z.iso.datetime(),
  setBy: z.string().nullable(),
})

const paySettingsSchema = z.object({
  /** False until pay is switched on. Only `firstDays` is present then. */
  on: z.boolean(),
  startedAt: z.iso.datetime().nullable(),
  /** The first day of the first period, fixed by the first close. */
  firstDay: daySchema.nullable(),
  firstDayFixed: z.boolean(),
  /** The settings in force today. */
  now: savedSettingsSchema.nullable(),
  /** Settings that apply from a later period. */
  next: savedSettingsSchema.nullable(),
  /** The first day from which a change would apply; null while pay is off. */
  changesFrom: daySchema.nullable(),
  /** A new account is paid this many days after it was entered. */
  waitingDays: z.int(),
  /** Where the execution dates of payment runs are days. */
  bankTimeZone: z.string(),
  adjustmentLimits: adjustmentLimitsSchema,
  /** The usernames of those who may pay. */
  payers: z.array(z.string()),
  /** Which two of them count as one person, and until when; null if that takes a new password of a holder's own. */
  onePerson: z.array(
    z.object({
      name: z.string(),
      other: z.string(),
      /** A predicate of `name`. */
      why: z.string(),
      until: z.iso.datetime().nullable(),
    }),
  ),
  /** Whether offices and agents see what they are paid. */
  payoutsShown: z.boolean(),
  /** Whether lists show passwords, so that every payment account needs two confirmations. */
  passwordsShown: z.boolean(),
})
export type PaySettings = z.infer<typeof paySettingsSchema>

export const paySettingsEndpoints = {
  paySettings: endpoint({
    method: 'GET',
    path: '/api/pay/settings',
    summary: 'Get the pay settings',
    ability: 'pay.manage',
    action: 'VIEW',
    response: paySettingsSchema,
  }),
  avpRules: endpoint({
    method: 'GET',
    path: '/api/pay/avp-rules',
    summary: 'Get what AVP pays, and from which day, oldest first; nothing while pay is off',
    // For everybody who sees tiers. It only says how they relate to rates.
    ability: 'stats.avp',
    byToken: 'figures',
    action: 'none',
    response: z.array(z.object({ fromDay: daySchema, avp: z.enum(AVP_RULES) })),
  }),
  payLeftOut: endpoint({
    method: 'GET',
    path: '/api/pay/left-out',
    summary:
      'Get what a first day leaves out: sales since then that were recorded before pay was switched on, or before now while it is off. They are settled elsewhere',
    ability: 'pay.manage',
    action: 'VIEW',
    query: z.object({ firstDay: daySchema }),
    response: z.object({
      /** Sales and bonuses, less reversals. */
      sales: z.int(),
      /** Pesos by rates; what tiers pay is not known. */
      payout: z.number(),
    }),
  }),
  savePaySettings: endpoint({
    method: 'POST',
    path: '/api/pay/settings',
    summary:
      'Save the pay settings. The first save switches pay on; changes take effect with the next period.',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    body: z.strictObject({
      ...settingsFields,
      /**
       * The first day of the first period. Required by the first save; fixed once a period is
       * closed.
       */
      firstDay: daySchema.optional(),
      /**
       * What a period adds to a balance is paid this many New York days after its end: with 15, a period that ends on the
       * 15th from the 30th on. Acts, like the fields above, from the next period on. Unchanged if omitted.
       */
      holdingDays: z.int().min(0, holdingTooLong).max(MOST_HOLDING_DAYS, holdingTooLong).optional(),
      /**
       * A payee's new account is paid this many New York days after it was entered. Acts at once, but only on accounts
       * that are entered afterwards. Unchanged if omitted.
       */
      waitingDays: z.int().min(0, waitingTooLong).max(MOST_WAITING_DAYS, waitingTooLong).optional(),
      /** A zone of the IANA database. Acts at once. Unchanged if omitted. */
      bankTimeZone: line(60)
        .refine(isTimeZone, 'must be a time zone of the IANA database, such as Asia/Manila')
        .optional(),
    }),
    response: doneSchema,
  }),
}
