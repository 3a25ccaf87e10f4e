import { ROLES, roleFromNumber } from '@tallyroom/domain/roles'
import { z } from 'zod'

type Bare<Schema> = Schema extends z.ZodDefault<infer Inner> ? Inner : Schema
type Changes<Fields extends z.ZodRawShape> = {
  [Name in keyof Fields]: z.ZodOptional<
    Bare<Fields[Name]> extends z.ZodType ? Bare<Fields[Name]> : never
  >
}

/**
 * A form's fields as its update takes them: what is left out stays as it was, so a default, which is for
 * something new, does not apply.
 */
export const changesOf = <Fields extends z.ZodRawShape>(fields: Fields): Changes<Fields> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
    ]),
  ) as Changes<Fields> // built from `fields`, which the compiler can't follow

/** On or off. The specification's 1 and 0 are taken too; answers say `true` and `false`. */
export const onOffSchema = z.union([z.boolean(), z.literal([0, 1]).transform((on) => on === 1)], {
  error: ({ input }) => (input === undefined ? 'is required' : 'must be true or false'),
})

/** A role by its word or by the specification's number (0, 5, 10, 20); answers say the word. */
export const roleSchema = z.union(
  [z.enum(ROLES), z.literal([0, 5, 10, 20]).transform((number) => roleFromNumber(number)!)],
  { error: `must be one of ${ROLES.join(', ')}` },
)

/** The specification's `status`, 1 or 0, beside `active`: either will do. */
export const activeOrStatus = { active: onOffSchema.optional(), status: onOffSchema.optional() }

type ActiveOrStatus = { active?: boolean | undefined; status?: boolean | undefined }

/** The arguments of a `refine` for a form that has both. */
export const statusAgrees: [
  (form: ActiveOrStatus) => boolean,
  { path: string[]; message: string },
] = [
  ({ active, status }) => active === undefined || status === undefined || active === status,
  { path: ['status'], message: 'must say the same as active' },
]
