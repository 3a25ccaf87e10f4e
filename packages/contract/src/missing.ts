import type { z } from 'zod'

/** The sentence that asks for a field; undefined for fields that are in no form. */
let wordsFor = (_field: string): string | undefined => undefined

/** Registers the sentences of `messages`, so that pages without forms do not load them. */
export const askBy = (words: typeof wordsFor): void => void (wordsFor = words)

export type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** For a schema or check that rejects a missing value. */
export const missing = {
  error: ({ path }: Pick<Issue, 'path'>) => wordsFor(nameOf(path)) ?? 'is required',
}

/** For a schema that rejects a missing value, or one of the wrong type. */
export const mustBe = (kind: string) => ({
  error: (issue: Issue) => (isMissing(issue) ? missing.error(issue) : `must be ${kind}`),
})

const nameOf = (path: Issue['path']): string => String(path?.at(-1))

/**
 * Whether a value is missing. Empty selects and number fields hold null or an empty text, which
 * only form fields can hold.
 */
export const isMissing = ({ input, path }: Issue): boolean =>
  input === undefined || ((input === null || input === '') && wordsFor(nameOf(path)) !== undefined)
