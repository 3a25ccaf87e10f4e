import { MAX_MINOR_UNITS } from '@tallyroom/domain/money'
import { AVP_RULES, PAY_LENGTHS, PAYEES } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { doneSchema } from './list.ts'
import { daySchema } from './periods.ts'

/** An amount in minor units. Negative amounts are owed by the payee. */
export const minorUnitsSchema = z.int().min(-MAX_MINOR_UNITS).max(MAX_MINOR_UNITS)

const settingsFields = {
  payees: z.enum(PAYEES),
  periodLength: z.enum(PAY_LENGTHS),
  avp: z.enum(AVP_RULES),
  minimumCentavos: minorUnitsSchema.min(0),
  minimumCents: minorUnitsSchema.min(0),
}

/** Settings that apply from a day on, and who saved them. */
const savedSettingsSchema = z.object({
  ...settingsFields,
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
    action: 'none',
    response: z.array(z.object({ fromDay: daySchema, avp: z.enum(AVP_RULES) })),
  }),
  savePaySettings: endpoint({
    method: 'POST',
    path: '/api/pay/settings',
    summary:
      'Save the pay settings. The first save switches pay on; changes take effect with the next period.',
    ability: 'pay.manage',
    action: 'UPDATE',
    body: z.strictObject({
      ...settingsFields,
      /**
       * The first day of the first period. Required by the first save; fixed once a period is
       * closed.
       */
      firstDay: daySchema.optional(),
    }),
    response: doneSchema,
  }),
}
