import { formatCount } from '@tallyroom/domain/money'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import type { StatementRow, StatementSection } from './statement-sections.ts'

/** Whether the money for a line is in the line of its AVP week. This line then pays nothing. */
export const isPaidByTier = ({ of, amount }: StatementRow): boolean =>
  of.kind === 'rate' && of.line.tierWeek !== null && amount === 0

/**
 * `12 more sales and 1 reversal are paid by tier`, and what of them waits for a week that ends after the period; undefined if a
 * section has none.
 * @param periodEnd the last day of the statement's period
 */
export function paidByTierText({ rows }: StatementSection, periodEnd: Day): string | undefined {
  const byTier = rows.filter(isPaidByTier)
  const text = countsText(byTier, rows.length)
  const waiting = byTier.filter((row) => endOf(row) > periodEnd)
  if (text === undefined || waiting.length === 0) return text
  const week = waiting.map(endOf).toSorted()[0] ?? periodEnd
  const counts = countsText(waiting, waiting.length)?.replace(' paid by tier', '')
  const which = waiting.length === byTier.length ? 'They are' : `Of them, ${counts}`
  return `${text}. ${which} on the next statement, because their week ends on ${week}`
}

/** The Sunday of a line's AVP week, or an empty text. */
const endOf = ({ of }: StatementRow): Day =>
  of.kind === 'rate' && of.line.tierWeek !== null ? addDays(of.line.tierWeek, 6) : ''

/** @param all the number of lines, of which `byTier` are some */
function countsText(byTier: readonly StatementRow[], all: number): string | undefined {
  const count = (name: 'sales' | 'bonuses' | 'reversals' | 'differences' | 'parts') =>
    byTier.reduce((sum, row) => sum + (row[name] ?? 0), 0)
  const counts = [
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
  if (counts.length === 0) return undefined
  const more = byTier.length < all ? ' more' : ''
  const words = counts.map(
    ({ of, one, several }, index) =>
      `${formatCount(of)}${index === 0 ? more : ''} ${of === 1 ? one : several}`,
  )
  const isOne = counts.length === 1 && counts[0]?.of === 1
  return `${listed(words)} ${isOne ? 'is' : 'are'} paid by tier`
}

/** `a`, `a and b`, `a, b and c` */
const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ')
