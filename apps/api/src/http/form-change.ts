import { isDeepStrictEqual } from 'node:util'
import { invalid } from './errors.ts'

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
