import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import './messages.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './list-choices.ts'

/** A row's id in a JSON body. */
export const idSchema = z.int().min(1).max(MAX_ID)

/** A row's id in a path or query, where everything is text: plain digits only, no sign, no fraction. */
export const idTextSchema = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be a whole number')
  .transform(Number)
  .pipe(idSchema)

/** Paging and sorting, as every list takes them. `page` counts from 1. Unknown sort columns are refused. */
export const listRequest = <const Field extends string>(
  sortFields: readonly [Field, ...Field[]],
  standard: { sortField: NoInfer<Field>; sortAsc: boolean },
) =>
  z.object({
    page: z.int().min(1).max(1_000_000).default(1),
    pageSize: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
    sortField: z.enum(sortFields).default(standard.sortField as never), // zod can't see that a Field is its own output
    sortAsc: z.boolean().default(standard.sortAsc),
  })

/** One page of a list, and how many rows the whole list has. */
export const pagedList = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int().min(0) })

/**
 * Free text that a person typed: no NUL, no other control characters but tab and line breaks, and no half
 * characters (lone surrogates), which would be stored as something else.
 */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `must have at most ${maxLength} characters`)
    // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
    .regex(
      /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]*$/u,
      'has characters that are not allowed',
    )

/** Text on a single line. */
export const line = (maxLength: number) =>
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  z
    .string()
    .max(maxLength, `must have at most ${maxLength} characters`)
    .regex(/^[^\u0000-\u001f\u007f\ud800-\udfff]*$/u, 'has characters that are not allowed')

/** The same, trimmed and not empty. */
export const required = (maxLength: number) => line(maxLength).trim().min(1, 'is required')

export const emailSchema = line(254).trim().pipe(z.email('must be an e-mail address'))

/** The same where there may be none: an empty field. */
export const optionalEmailSchema = line(254)
  .trim()
  .refine(
    (email) => email === '' || z.email().safeParse(email).success,
    'must be an e-mail address',
  )

/** For an update: empty only where it is so already, which the server knows. */
export const keptOrRequired = (maxLength: number) => line(maxLength).trim()

/**
 * The version that a form was filled with. When somebody else has changed the row since, the change is
 * refused with CONFLICT. Left out: it replaces whatever is there.
 */
export const versionSchema = z.int().optional()

/** A direction in a query, where everything is text. */
export const sortAscSchema = z
  .enum(['true', 'false'])
  .default('true')
  .transform((asc) => asc === 'true')

/** A filter of a list: null, like leaving it out, filters nothing. */
export const filter = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined)

/** The same of text that a person typed: an empty field filters nothing. */
export const textFilter = (maxLength: number) =>
  line(maxLength)
    .trim()
    .nullish()
    .transform((typed) => typed || undefined)

/** An answer that says nothing but that it was done. */
export const doneSchema = z.object({ ok: z.literal(true) })

/** How a criterion compares. `LIKE` finds the text between its outer `%` anywhere; all else in it is literal. */
export type Operator = '=' | 'LIKE' | 'BETWEEN'

/** One field that a list can be searched by: the operators that it takes (the first is the default) and its value. */
export type SearchField<O extends Operator = Operator, V extends z.ZodType = z.ZodType> = {
  operators: readonly [O, ...O[]]
  value: V
}

/**
 * The criteria of a list, as `[{field, value, operator}]`. Fields that are not declared are refused, and so
 * are operators that a field does not take.
 */
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
    .default([]) as unknown as z.ZodType<Criterion[]> // built from `fields`, which zod's types can't follow
}
