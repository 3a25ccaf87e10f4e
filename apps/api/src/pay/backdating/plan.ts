import type { FeeColumns } from '../../catalogue/index.ts'
import type { RateSpan, Span } from '../../tracking/index.ts'

/** A row of rates that was not withdrawn. */
export type StandingRate = Omit<RateSpan, 'until'> & { backdatingId: number | null }

/** Rates that should have been in force since a past day. Omitted amounts stay as they were. */
export type Backdated = {
  officeId: number | null
  from: Date
  enabled: boolean
  amounts: Partial<FeeColumns>
  /** Whether they also replace the changes made since that day. */
  replaceLater: boolean
}

/** The changes, and all rates once they are made. */
export type Plan = {
  /** When the new rows begin: on that day, and wherever a replaced change begins. */
  starts: Date[]
  amounts: FeeColumns
  changed: Span[]
  spans: RateSpan[]
  /** Changes made since that day that are kept. */
  laterChanges: number
}

/** `rates` are all standing rows of the link type in the order in which they were added. */
export function planBackdating(
  rates: readonly StandingRate[],
  { officeId, from, enabled, amounts, replaceLater }: Backdated,
  now: Date,
): Plan {
  const former = spansOf(rates)
  const inForce = (whose: number | null) =>
    former.find((span) => span.officeId === whose && covers(span, from))
  const own = inForce(officeId)
  // An office whose own rates are disabled has the default rates.
  const present = (own && (own.enabled || !enabled) ? own : inForce(null))?.amounts
  if (!present) throw new Error('the default rates of a link type have no beginning')

  const later = former.filter(
    (span) => span.officeId === officeId && span.from && span.from > from && span.from <= now,
  )
  const starts = [from, ...(replaceLater ? later.map((span) => span.from ?? from) : [])]
  const all = { ...present, ...amounts }
  const planned = starts.map((start): StandingRate => ({
    rateId: null,
    officeId,
    from: start,
    enabled,
    isUndated: false,
    backdatingId: null,
    amounts: all,
  }))
  const spans = spansOf([...rates, ...planned])
  return {
    starts,
    amounts: all,
    changed: joined(spans.filter(({ rateId }) => rateId === null)),
    spans,
    laterChanges: replaceLater ? 0 : later.length,
  }
}

/** When the rows of a backdating are in force, and all rates including them. */
export function planOfBackdating(
  rates: readonly StandingRate[],
  backdatingId: number,
): Pick<Plan, 'changed' | 'spans'> {
  const spans = spansOf(rates)
  const own = rates.filter((rate) => rate.backdatingId === backdatingId)
  const ids = new Set(own.map(({ rateId }) => rateId))
  return { changed: joined(spans.filter(({ rateId }) => ids.has(rateId))), spans }
}

/** What changes when the rates of a backdating are withdrawn. */
export const planUndo = (
  rates: readonly StandingRate[],
  backdatingId: number,
): Pick<Plan, 'changed' | 'spans'> => ({
  changed: planOfBackdating(rates, backdatingId).changed,
  spans: spansOf(rates.filter((rate) => rate.backdatingId !== backdatingId)),
})

/** Ends each row where the office's next one begins. Of rows that begin together, the last one added wins. */
function spansOf(rates: readonly StandingRate[]): RateSpan[] {
  const groups = [...Map.groupBy(rates, ({ officeId }) => officeId).values()]
  return groups.flatMap((group) => {
    const ordered = group.toSorted(byStart)
    return ordered.flatMap((rate, place): RateSpan[] => {
      const next = ordered[place + 1]
      if (next && startOf(next) === startOf(rate)) return []
      return [{ ...rate, until: next?.from ?? null }]
    })
  })
}

/** By beginning, then in the order of addition. */
function byStart(one: { from: Date | null }, other: { from: Date | null }): number {
  const [first, second] = [startOf(one), startOf(other)]
  return first === second ? 0 : first - second
}

const startOf = ({ from }: { from: Date | null }): number => from?.getTime() ?? -Infinity
const endOf = ({ until }: Span): number => until?.getTime() ?? Infinity
const covers = (span: Span, at: Date): boolean =>
  startOf(span) <= at.getTime() && at.getTime() < endOf(span)

/** Joins adjacent spans. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const { from, until } of spans.toSorted(byStart)) {
    const last = result.at(-1)
    if (last && endOf(last) === startOf({ from })) result[result.length - 1] = { ...last, until }
    else result.push({ from, until })
  }
  return result
}
