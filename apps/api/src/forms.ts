import { requestFor } from '@tallyroom/contract/messages'
import { hasContent, MAX_RICH_TEXT } from '@tallyroom/domain/rich-text'
import { isDeepStrictEqual } from 'node:util'
import { conflict, invalid } from './errors.ts'
import { cleanHtml } from './lib/files/clean-html.ts'

type Change<Form> = { [Name in keyof Form]?: Form[Name] | undefined }

/**
 * Merges a change into the stored form. Omitted fields stay unchanged.
 *
 * @param fixed fields that cannot be changed. The request may contain them with their current value.
 * @param required texts that may remain empty if imported so, but may not become empty.
 * @throws VALIDATION_ERROR listing all violations of both.
 */
export function withChange<Form extends object>(
  present: Form,
  change: Change<Form>,
  {
    fixed = [],
    required = [],
  }: { fixed?: readonly (keyof Form & string)[]; required?: readonly (keyof Form & string)[] } = {},
): Form {
  const named = Object.entries(change).filter(
    ([name, value]) => value !== undefined && name in present,
  )
  const next = { ...present, ...Object.fromEntries(named) }
  const isOther = (name: keyof Form) => !isDeepStrictEqual(next[name], present[name])
  const problems = [
    ...fixed.filter(isOther).map((name) => [name, ['can’t be changed here']]),
    ...required
      .filter((name) => isOther(name) && next[name] === '')
      .map((name) => [name, [requestFor(name)]]),
  ]
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
  return next
}

/** The columns that a save changes. What stays is not written, so that whoever can't change a column may save the others. */
export const changedColumns = <Columns extends object>(
  present: Columns,
  next: Columns,
): Partial<Columns> =>
  Object.fromEntries(
    Object.entries(next).filter(
      ([name, value]) => !isDeepStrictEqual(value, present[name as keyof Columns]),
    ),
  ) as Partial<Columns> // the compiler can't see that the entries come from `next`

/**
 * Optimistic locking: rejects a save if the row has changed since the form was loaded.
 *
 * @param known the version that the form was loaded with; undefined overwrites whatever is stored.
 * @throws CONFLICT if the row has changed.
 */
export function refuseStale(what: string, present: number, known: number | undefined): void {
  if (known === undefined || known === present) return
  throw conflict(
    `Somebody else has changed this ${what} since you opened it. ` +
      'Nothing was saved. Reopen it to see the changes, then make yours.',
  )
}

/**
 * Sanitizes the rich text of the field `html` for storing. Returns an empty text if it has no visible content.
 *
 * @throws VALIDATION_ERROR if escaping makes it too long.
 */
export function richTextToStore(html: string): string {
  const cleaned = cleanHtml(html)
  if (cleaned.length > MAX_RICH_TEXT) {
    throw invalid({ html: [`must have at most ${MAX_RICH_TEXT} characters`] })
  }
  return hasContent(cleaned) ? cleaned : ''
}

/** @throws VALIDATION_ERROR also if it has no visible content. */
export function requiredRichTextToStore(html: string): string {
  const stored = richTextToStore(html)
  if (stored === '') throw invalid({ html: [requestFor('html')] })
  return stored
}
