/**
 * A step of Agent Volume Pay: an agent with `from` to `to` sales in a week, both inclusive, is paid
 * the rates of this step for each sale. A `to` of `AVP_OPEN_END` or more means no upper end.
 */
export type AvpTier = { index: number; from: number; to: number }

/** A tier with its rates per sale, decimals as in JSON. */
export type AvpPeriod = AvpTier & { payoutPhp: number; payoutDollars: number }

/** The wire's upper end of a tier that has none. */
export const AVP_OPEN_END = 1000

/** The tier for a week's number of sales; fewer than none, after reversals, counts as none. */
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
 * What is wrong with a set of tiers, in sentences; empty when every number of sales from 0 up has
 * exactly one tier. They must come in their order, numbered from 0.
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
    if (next === Infinity) problems.push(`${name} comes after a tier without an end`)
    else if (from > next) problems.push(`${name} leaves a gap: it must start at ${next}`)
    else if (from < next) problems.push(`${name} overlaps: it must start at ${next}`)
    next = isOpen(to) ? Infinity : to + 1
  }
  if (next !== Infinity) problems.push(`The last tier must end at ${AVP_OPEN_END} or more`)
  return problems
}

const isOpen = (to: number): boolean => to >= AVP_OPEN_END
