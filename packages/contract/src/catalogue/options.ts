import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema } from '../list.ts'
import { missing } from '../missing.ts'

/** System options: switches for the whole installation, 1 (on) or 0 (off). */
export const OPTION_NAMES = ['auto_block_account', 'lpp_visible', 'payout_visible'] as const
export type OptionName = (typeof OPTION_NAMES)[number]

const optionSchema = z.strictObject({
  name: z.enum(OPTION_NAMES),
  value: z.literal([0, 1]),
})
export type Option = z.infer<typeof optionSchema>

export const optionsEndpoints = {
  options: endpoint({
    method: 'GET',
    path: '/api/options',
    summary: 'List the system options by name',
    ability: 'options.manage',
    action: 'VIEW',
    response: z.array(optionSchema),
  }),
  saveOptions: endpoint({
    method: 'POST',
    path: '/api/options',
    summary: 'Set system options. Omitted options are left unchanged.',
    ability: 'options.manage',
    action: 'UPDATE',
    body: z
      .array(optionSchema)
      .min(1, missing)
      .refine((options) => new Set(options.map(({ name }) => name)).size === options.length, {
        message: 'names an option twice',
      }),
    response: doneSchema,
  }),
}
