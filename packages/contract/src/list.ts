import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { onOffSchema } from './forms.ts'
import { missing } from './missing.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './list-choices.ts'

/** A row's id in a JSON body. */
export const idSchema = z.int().min(1).max(MAX_ID)

/** A row's id as text in a path or query: digits only. */
export const idTextSchema = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be a whole number')
  .transform(Number)
  .pipe(idSchema)

/** A value that may be omitted or null: both mean the standard one. */
export const orStandard = <Schema extends z.ZodType>(
  schema: Schema,
  standard: NoInfer<z.output<Schema>>,
) => schema.nullish().transform((value) => value ?? standard)

/** Paging and sorting parameters of every list. `page` counts from 1. Unknown sort fields are rejected. */
export const listRequest = <const Field extends string>(
  sortFields: readonly [Field, ...Field[]],
  standard: { sortField: NoInfer<Field>; sortAsc: boolean },
) =>
  z.object({
    page: orStandard(z.int().min(1).max(1_000_000), 1),
    pageSize: orStandard(z.int().min(1).max(MAX_PAGE_SIZE), DEFAULT_PAGE_SIZE),
    sortField: orStandard(z.enum(sortFields), standard.sortField as never), // zod can't infer that a Field is its own output
    sortAsc: orStandard(onOffSchema, standard.sortAsc),
  })

/** Where a program reads a log on: at an instant of recording, or the `next` of its last answer. */
export const afterSchema = z
  .string()
  .regex(
    /^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z(?:_[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})?$/,
    'must be an instant such as 2026-03-10T16:00:00.000Z, or the next of an answer',
  )
  .refine((after) => !Number.isNaN(Date.parse(after.slice(0, 24))), 'is not an instant')

/** One page of a list, and the number of rows in the whole list. */
export const pagedList = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int().min(0) })

/**
 * Free text, possibly on several lines. Rejects control characters except tab and line breaks, and lone
 * surrogates, which would be stored as something else.
 */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `must have at most ${maxLength} characters`)
    // oxlint-disable-next-line no-control-regex -- rejecting control characters is the point
    .regex(
      /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]*$/u,
      'has characters that are not allowed',
    )

/** Text on a single line. */
export const line = (maxLength: number) =>
  // oxlint-disable-next-line no-control-regex -- rejecting control characters is the point
  z
    .string()
    .max(maxLength, `must have at most ${maxLength} characters`)
    .regex(/^[^\u0000-\u001f\u007f\ud800-\udfff]*$/u, 'has characters that are not allowed')

/** A trimmed, non-empty line. Zero-width characters alone are nothing. */
export const required = (maxLength: number) =>
  line(maxLength)
    .trim()
    .min(1, missing)
    .refine((typed) => typed === '' || isVisible(typed), missing)

/** Whether a text has more than blanks and zero-width characters. */
export const isVisible = (typed: string): boolean =>
  /[^\s\p{Default_Ignorable_Code_Point}]/u.test(typed)

export const emailSchema = line(254)
  .trim()
  .min(1, missing)
  .pipe(z.email('must be an email address'))

/** An email address, or an empty field. */
export const optionalEmailSchema = line(254)
  .trim()
  .refine((email) => email === '' || z.email().safeParse(email).success, 'must be an email address')

/** For an update. The server accepts an empty value only if the stored one is empty too. */
export const keptOrRequired = (maxLength: number) => line(maxLength).trim()

/**
 * The version that the form was loaded with. If the row has changed since, the update is rejected with
 * CONFLICT. If omitted, the update overwrites whatever is stored.
 */
export const versionSchema = z.int().optional()

/** A sort direction as text in a query. */
export const sortAscSchema = z
  .enum(['true', 'false'])
  .default('true')
  .transform((asc) => asc === 'true')

/** An optional list filter. Null means no filter. */
export const filter = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined)

/** An optional text filter. Empty means no filter. */
export const textFilter = (maxLength: number) =>
  line(maxLength)
    .trim()
    .nullish()
    .transform((typed) => typed || undefined)

export const doneSchema = z.object({ ok: z.literal(true) })

/** `LIKE` matches the text between the outer `%` anywhere in the value. All other characters are literal. */
export type Operator = '=' | 'LIKE' | 'BETWEEN'

/** A searchable field: its operators (the first is the default) and the type of its value. */
export type SearchField<O extends Operator = Operator, V extends z.ZodType = z.ZodType> = {
  operators: readonly [O, ...O[]]
  value: V
}

/** The criteria of a list, as `[{field, value, operator}]`. Undeclared fields and operators are rejected. */
export const criteriaOf = <const Fields extends Record<string, SearchField>>(fields: Fields) => {
  type Criterion = {
    [Name in keyof Fields & string]: {
      field: Name
      operator: Fields[Name]['operators'][number]
      value: z.output<Fields[Name]['value']>
    }
  }[keyof Fields & string]
  const [first, ...rest] = Object.entries(fields).map(([name, { operators, value }]) =>
    z.strictObject({
      field: z.literal(name),
      operator: z.enum(operators).default(operators[0]),
      value,
    }),
  )
  if (!first) throw new RangeError('a list without fields has no criteria')
  return z
    .array(z.discriminatedUnion('field', [first, ...rest]))
    .max(20)
    .nullish()
    .transform((criteria) => criteria ?? []) as unknown as z.ZodType<Criterion[]> // zod's types can't follow the construction from `fields`
}
