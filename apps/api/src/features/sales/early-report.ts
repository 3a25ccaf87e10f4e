import type { Report, SaleOutcome } from './report.ts'

/** How far a merchant's clock may be behind ours. */
const MOST_LAG_MS = 5 * 60_000

/**
 * What a report is dated, when nothing of it can have happened before `earliestAt`: that of its click, or of the
 * sale that it reverses. Undefined when a person has to decide: days that were paid would change.
 */
export function dateOf(
  { occurredAt, ifEarly }: Pick<Report, 'occurredAt' | 'ifEarly'>,
  earliestAt: Date,
): Date | undefined {
  const isEarly = earliestAt.getTime() - occurredAt.getTime() > MOST_LAG_MS
  if (!isEarly || ifEarly === 'keep') return occurredAt
  return ifEarly === 'redate' ? earliestAt : undefined
}

/** To be settled by a person. */
export const heldFor = (
  origin: 'click' | 'sale',
  earliestAt: Date,
): Extract<SaleOutcome, { outcome: 'conflict' }> => ({
  outcome: 'conflict',
  reason: `It is dated more than five minutes before its ${origin}.`,
  earliestAt,
})
