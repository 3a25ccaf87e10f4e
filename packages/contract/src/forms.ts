import { ROLES, roleFromNumber } from '@tallyroom/domain/roles'
import { z } from 'zod'
import { mustBe } from './missing.ts'

type Bare<Schema> = Schema extends z.ZodDefault<infer Inner> ? Inner : Schema
type Changes<Fields extends z.ZodRawShape> = {
  [Name in keyof Fields]: z.ZodOptional<
    Bare<Fields[Name]> extends z.ZodType ? Bare<Fields[Name]> : never
  >
}

/** The fields of a form for its update: all optional and without defaults, so omitted fields stay unchanged. */
export const changesOf = <Fields extends z.ZodRawShape>(fields: Fields): Changes<Fields> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
    ]),
  ) as Changes<Fields> // the compiler can't see that the entries come from `fields`

/** A boolean. The specification's 1 and 0 are accepted too; answers are always `true` or `false`. */
export const onOffSchema = z.union(
  [z.boolean(), z.literal([0, 1]).transform((on) => on === 1)],
  mustBe('true or false'),
)

/** A role by name, or by the specification's number (0, 5, 10, 20). Answers use the name. */
export const roleSchema = z.union(
  [z.enum(ROLES), z.literal([0, 5, 10, 20]).transform((number) => roleFromNumber(number)!)],
  { error: `must be one of ${ROLES.join(', ')}` },
)

/** Accepts the specification's `status` (1 or 0) as an alternative to `active`. */
export const activeOrStatus = { active: onOffSchema.optional(), status: onOffSchema.optional() }

type ActiveOrStatus = { active?: boolean | undefined; status?: boolean | undefined }

/** Arguments for `refine`: if a form sends both, they must agree. */
export const statusAgrees: [
  (form: ActiveOrStatus) => boolean,
  { path: string[]; message: string },
] = [
  ({ active, status }) => active === undefined || status === undefined || active === status,
  { path: ['status'], message: 'must match active' },
]
