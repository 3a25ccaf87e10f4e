import { formatCount } from '@tallyroom/domain/money'
import type { StatementRow, StatementSection } from './statement-sections.ts'

/** Whether the money for a line is in the line of its AVP week. This line then pays nothing. */
export const isPaidByTier = ({ of, amount }: StatementRow): boolean =>
  of.kind === 'rate' && of.line.tierWeek !== null && amount === 0

/** `12 more sales and 1 reversal are paid by tier`; undefined if a section has none. */
export function paidByTierText({ rows }: StatementSection): string | undefined {
  const byTier = rows.filter(isPaidByTier)
  const count = (name: 'sales' | 'bonuses' | 'reversals' | 'differences') =>
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
  ].filter((one) => one.of > 0)
  if (counts.length === 0) return undefined
  const more = byTier.length < rows.length ? ' more' : ''
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
