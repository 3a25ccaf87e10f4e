/** A longer list would take several minutes. */
export const MAX_LINES = 100_000

/** The lines of the text, trimmed, in order, without empty ones and duplicates. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r\n|\r|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** The outcome of a line. */
export interface LineResult {
  line: string
  /** Otherwise the line stays in the list. */
  isDone: boolean
  /** 'added', 'already there', or the reason for a refusal. */
  outcome: string
}

/** Sorts results, which arrive in any order, by their place in the list. */
export function inLineOrder(
  results: readonly LineResult[],
  lines: readonly string[],
): LineResult[] {
  const places = new Map(lines.map((line, place) => [line, place]))
  const placeOf = ({ line }: LineResult) => places.get(line) ?? lines.length
  return results.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** The lines that are not done yet. */
export function linesLeft(lines: readonly string[], results: readonly LineResult[]): string[] {
  const done = new Set(results.filter(({ isDone }) => isDone).map(({ line }) => line))
  return lines.filter((line) => !done.has(line))
}

/** Outcomes with their counts, most frequent first. */
export function countOutcomes(results: readonly LineResult[]): [outcome: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}
