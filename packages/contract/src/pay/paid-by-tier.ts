import { formatCount } from '@tallyroom/domain/money'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import type { StatementRow, StatementSection } from './statement-sections.ts'

/** Whether the money for a line is in the line of its AVP week. This line then pays nothing. */
export const isPaidByTier = ({ of, amount }: StatementRow): boolean =>
  of.kind === 'rate' && of.line.tierWeek !== null && amount === 0

/**
 * `12 more sales and 1 reversal are paid by tier`: how many in the weeks of this statement, and how many wait for a week that ends
 * after the period; undefined if a section has none.
 * @param periodEnd the last day of the statement's period
 */
export function paidByTierText({ rows }: StatementSection, periodEnd: Day): string | undefined {
  const byTier = rows.filter(isPaidByTier)
  const counted = countsOf(byTier)
  if (counted.length === 0) return undefined
  const waiting = byTier.filter((row) => endOf(row) > periodEnd)
  const text = `${listed(inWords(counted, byTier.length < rows.length ? ' more' : ''))} ${verbOf(counted)} paid by tier`
  if (waiting.length === 0) return `${text}, in the weeks below`
  const week = waiting.map(endOf).toSorted()[0] ?? periodEnd
  const next = `on the next statement, because their week ends on ${week}`
  if (waiting.length === byTier.length) return `${text}, ${next}`
  const now = byTier.filter((row) => !waiting.includes(row))
  return `${text}: ${listed(inWords(countsOf(now)))} in the weeks below, ${listed(inWords(countsOf(waiting)))} ${next}`
}

/** The Sunday of a line's AVP week, or an empty text. */
const endOf = ({ of }: StatementRow): Day =>
  of.kind === 'rate' && of.line.tierWeek !== null ? addDays(of.line.tierWeek, 6) : ''

type Count = { of: number; one: string; several: string }

/** By kind, without zeros. */
function countsOf(rows: readonly StatementRow[]): Count[] {
  const count = (name: 'sales' | 'bonuses' | 'reversals' | 'differences' | 'parts') =>
    rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)
  return [
    { of: count('sales'), one: 'sale', several: 'sales' },
    { of: count('bonuses'), one: 'bonus', several: 'bonuses' },
    { of: count('reversals'), one: 'reversal', several: 'reversals' },
    {
      of: count('differences'),
      one: 'difference from backdated rates',
      several: 'differences from backdated rates',
    },
    {
      of: count('parts'),
      one: 'refunded part of a sale',
      several: 'refunded parts of sales',
    },
  ].filter((one) => one.of > 0)
}

const inWords = (counts: readonly Count[], more = ''): string[] =>
  counts.map(
    ({ of, one, several }, index) =>
      `${formatCount(of)}${index === 0 ? more : ''} ${of === 1 ? one : several}`,
  )

const verbOf = (counts: readonly Count[]): 'is' | 'are' =>
  counts.length === 1 && counts[0]?.of === 1 ? 'is' : 'are'

/** `a`, `a and b`, `a, b and c` */
const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ')
