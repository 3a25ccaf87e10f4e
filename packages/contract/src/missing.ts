import type { z } from 'zod'

/** The sentence that asks for a field; undefined for fields that no form shows. */
let wordsFor = (_field: string): string | undefined => undefined

/** Registers the sentences of `messages`, so that pages without forms do not load them. */
export const askBy = (words: typeof wordsFor): void => void (wordsFor = words)

export type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** For a schema or check that refuses a missing value. */
export const missing = {
  error: ({ path }: Pick<Issue, 'path'>) => wordsFor(nameOf(path)) ?? 'is required',
}

/** For a schema that refuses a missing value, or one of another kind. */
export const mustBe = (kind: string) => ({
  error: (issue: Issue) => (isMissing(issue) ? missing.error(issue) : `must be ${kind}`),
})

const nameOf = (path: Issue['path']): string => String(path?.at(-1))

/** Whether a value is missing. Selects and number fields without a value are null or empty, which only a field of a form can be. */
export const isMissing = ({ input, path }: Issue): boolean =>
  input === undefined || ((input === null || input === '') && wordsFor(nameOf(path)) !== undefined)
