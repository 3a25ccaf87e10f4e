import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'

/** A row's id in a JSON body. */
export const idSchema = z.int().min(1).max(MAX_ID)

/** A row's id in a path or query, where everything is text: plain digits only, no sign, no fraction. */
export const idTextSchema = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be a whole number')
  .transform(Number)
  .pipe(idSchema)

export const DEFAULT_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 500

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

/** Free text that a person typed: no NUL, no other control characters but tab and line breaks. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
    .regex(
      /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/,
      'has characters that are not allowed',
    )

/** Text on a single line. */
export const line = (maxLength: number) =>
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  z
    .string()
    .max(maxLength)
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'has characters that are not allowed')

/** An answer that says nothing but that it was done. */
export const doneSchema = z.object({ ok: z.literal(true) })
