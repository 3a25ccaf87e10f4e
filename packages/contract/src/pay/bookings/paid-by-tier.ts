import { formatCount } from '@tallyroom/domain/money'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import type { CountName, StatementRow, StatementSection } from '../statements/statement-sections.ts'

/** Whether the money for a line is in the line of its AVP week. This line then pays nothing. */
export const isPaidByTier = ({ of, amount }: StatementRow): boolean =>
  of.kind === 'rate' && of.line.tierWeek !== null && amount === 0

/**
 * `12 more sales and 1 reversal are paid by tier`: how many in the weeks of this statement, how many wait for a week that ends
 * after the period, and how many leave their week as it was; undefined if a section has none.
 * @param sections all of the statement
 * @param periodEnd the last day of the statement's period
 */
export function paidByTierText(
  { rows }: StatementSection,
  sections: readonly StatementSection[],
  periodEnd: Day,
): string | undefined {
  const byTier = rows.filter(isPaidByTier)
  const counted = countsOf(byTier)
  if (counted.length === 0) return undefined
  const weeks = new Set(
    sections
      .flatMap((section) => section.rows)
      .filter(({ of }) => of.kind === 'tier')
      .map(weekOf),
  )
  const waiting = byTier.filter((row) => endOf(row) > periodEnd)
  const now = byTier.filter((row) => !waiting.includes(row) && weeks.has(weekOf(row)))
  const unchanged = byTier.filter((row) => !waiting.includes(row) && !now.includes(row))
  const text = `${listed(inWords(counted, byTier.length < rows.length ? ' more' : ''))} ${verbOf(counted)} paid by tier`
  const next = waiting.map(endOf).toSorted()[0] ?? periodEnd
  const parts = [
    { rows: now, where: 'in the weeks below' },
    { rows: waiting, where: `on the next statement, because their week ends on ${next}` },
    { rows: unchanged, where: 'without a change to what their week pays' },
  ].filter((part) => part.rows.length > 0)
  if (parts.length === 1) return `${text}, ${parts[0]?.where}`
  return `${text}: ${parts.map((part) => `${listed(inWords(countsOf(part.rows)))} ${part.where}`).join(', ')}`
}

/** An agent's AVP week for an office: that of a tier's line, or of sales that a tier pays. */
const weekOf = ({ of }: StatementRow): string =>
  of.kind === 'adjustment'
    ? ''
    : `${of.line.agentId} ${of.line.officeId} ${of.kind === 'tier' ? of.line.week : of.line.tierWeek}`

/** The Sunday of a line's AVP week, or an empty text. */
const endOf = ({ of }: StatementRow): Day =>
  of.kind === 'rate' && of.line.tierWeek !== null ? addDays(of.line.tierWeek, 6) : ''

type Count = { of: number; one: string; several: string }

/** By kind, without zeros. */
function countsOf(rows: readonly StatementRow[]): Count[] {
  const count = (name: CountName | 'differences' | 'parts') =>
    rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)
  return [
    { of: count('sales'), one: 'sale', several: 'sales' },
    { of: count('bonuses'), one: 'bonus', several: 'bonuses' },
    { of: count('dayOne'), one: 'Day#1 Approval', several: 'Day#1 Approvals' },
    { of: count('dayTwo'), one: 'Day#2 Sale', several: 'Day#2 Sales' },
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
