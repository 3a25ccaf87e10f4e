/**
 * A tier of Agent Volume Pay: an agent with `from` to `to` sales in a week, both inclusive, gets this
 * tier's rates for each sale. A `to` of `AVP_OPEN_END` or more means no upper limit.
 */
export type AvpTier = { index: number; from: number; to: number }

/** A tier with its rates per sale, as decimals. */
export type AvpPeriod = AvpTier & { payoutPhp: number; payoutDollars: number }

/** How the API represents the missing upper limit of the last tier. */
export const AVP_OPEN_END = 1000

/** The tier for a week's number of sales. A negative number, due to reversals, counts as 0. */
export const tierOf = <Tier extends AvpTier>(
  sales: number,
  tiers: readonly Tier[],
): Tier | undefined =>
  tiers.find(({ from, to }) => from <= Math.max(0, sales) && (isOpen(to) || sales <= to))

/** In selects: `0 sales`, `1-4 sales`, `50+`. */
export function avpSelectLabel({ index, from, to }: AvpTier): string {
  if (index === 0) return '0 sales'
  return isOpen(to) ? `${from}+` : `${from}-${to} sales`
}

/** In the pay schedule box: `NO` for the two lowest tiers, then `5 - 9`, `50+`. */
export function avpScheduleLabel({ index, from, to }: AvpTier): string {
  if (index <= 1) return 'NO'
  return isOpen(to) ? `${from}+` : `${from} - ${to}`
}

/**
 * Validation messages for a set of tiers; empty if every number of sales from 0 up has exactly one tier.
 * The tiers must be in order, numbered from 0.
 */
export function avpProblems(tiers: readonly AvpTier[]): string[] {
  const problems: string[] = []
  let next = 0
  for (const [position, { index, from, to }] of tiers.entries()) {
    const name = `Tier ${position}`
    if (index !== position) problems.push(`${name} is numbered ${index}`)
    if (!Number.isInteger(from) || !Number.isInteger(to)) {
      problems.push(`${name} has a bound that is not a whole number`)
    } else if (from > to) problems.push(`${name} ends before it starts`)
    if (next === Infinity) problems.push(`${name} follows a tier that has no upper limit`)
    else if (from > next) problems.push(`${name} leaves a gap: it must start at ${next}`)
    else if (from < next) problems.push(`${name} overlaps: it must start at ${next}`)
    next = isOpen(to) ? Infinity : to + 1
  }
  if (next !== Infinity) problems.push(`The last tier must end at ${AVP_OPEN_END} or more`)
  return problems
}

const isOpen = (to: number): boolean => to >= AVP_OPEN_END
