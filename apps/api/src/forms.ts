import { hasContent, MAX_RICH_TEXT } from '@tallyroom/domain/rich-text'
import { isDeepStrictEqual } from 'node:util'
import { conflict, invalid } from './errors.ts'
import { cleanHtml } from './lib/clean-html.ts'

type Change<Form> = { [Name in keyof Form]?: Form[Name] | undefined }

/**
 * A form as it becomes: what a change names is put in the place of what is there, and what is left out stays.
 *
 * @param fixed what the form tells and the call does not change. It may come back as it was.
 * @param required texts that may stay empty, as they were taken over, but not become so.
 * @throws VALIDATION_ERROR about each of both at once.
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
      .map((name) => [name, ['is required']]),
  ]
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
  return next
}

/**
 * Keeps somebody who saves a form from undoing what another has saved since the form was filled.
 *
 * @param known the version that the form was filled with; undefined replaces whatever is there.
 * @throws CONFLICT when the row has changed since.
 */
export function refuseStale(what: string, present: number, known: number | undefined): void {
  if (known === undefined || known === present) return
  throw conflict(
    `Somebody else has changed this ${what} since you opened it. ` +
      'Nothing was saved. Open it again to see the changes, then make yours.',
  )
}

/**
 * What is stored of a rich text that somebody sent in the field `html`: clean, and empty when there is
 * nothing to read in it.
 *
 * @throws VALIDATION_ERROR for one that grows too long once each `<` of it is written out.
 */
export function richTextToStore(html: string): string {
  const cleaned = cleanHtml(html)
  if (cleaned.length > MAX_RICH_TEXT) {
    throw invalid({ html: [`must have at most ${MAX_RICH_TEXT} characters`] })
  }
  return hasContent(cleaned) ? cleaned : ''
}

/** @throws VALIDATION_ERROR also when there is nothing to read in it. */
export function requiredRichTextToStore(html: string): string {
  const stored = richTextToStore(html)
  if (stored === '') throw invalid({ html: ['is required'] })
  return stored
}
