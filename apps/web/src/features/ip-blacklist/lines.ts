/** How many lines one list may have. Longer ones would keep a browser busy for more than some minutes. */
export const MAX_LINES = 100_000

/** The lines of a list as typed or pasted: trimmed, without empty ones, each once, in their order. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r\n|\r|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** What became of a line. */
export interface LineResult {
  line: string
  /** Nothing more is to be done about it; otherwise it stays in the list. */
  isDone: boolean
  /** 'added', 'already there', or why not. */
  outcome: string
}

/** Answers come as they come; they are read in the order of the list. */
export function inLineOrder(
  results: readonly LineResult[],
  lines: readonly string[],
): LineResult[] {
  const places = new Map(lines.map((line, place) => [line, place]))
  const placeOf = ({ line }: LineResult) => places.get(line) ?? lines.length
  return results.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** What is left of a list once some lines are done. */
export function linesLeft(lines: readonly string[], results: readonly LineResult[]): string[] {
  const done = new Set(results.filter(({ isDone }) => isDone).map(({ line }) => line))
  return lines.filter((line) => !done.has(line))
}

/** 'added' → how often, the most frequent first. */
export function countOutcomes(results: readonly LineResult[]): [outcome: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}
