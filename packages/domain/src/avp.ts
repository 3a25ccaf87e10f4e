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

/** A tier with what a sale pays, in minor units. */
export type PricedTier = AvpTier & { payoutCentavos: number; payoutCents: number }

/**
 * What sales pay at the tier that their agent's week has reached; 0 without a tier. Minor units.
 */
export const tierPay = (sales: number, tier: PricedTier | undefined) => ({
  // Reversals at a tier that pays nothing are 0, not −0.
  centavos: sales * (tier?.payoutCentavos ?? 0) || 0,
  cents: sales * (tier?.payoutCents ?? 0) || 0,
})

/**
 * Where a week stands: its tier, what it pays, how many sales are missing to the next tier, and what reaching it adds,
 * the missing sales included.
 *
 * @param weekSales - The agent's whole week, which decides the tier.
 * @param paidSales - Those of them that are paid here: an office sees what was sold for it.
 */
export function standingOf<Tier extends PricedTier>(
  { weekSales, paidSales }: { weekSales: number; paidSales: number },
  tiers: readonly Tier[],
) {
  const tier = tierOf(weekSales, tiers)
  const pay = tierPay(paidSales, tier)
  const nextTier = tier && tiers.find(({ index }) => index === tier.index + 1)
  if (!nextTier) return { tier, pay, next: undefined }
  const missing = nextTier.from - weekSales
  const then = tierPay(paidSales + missing, nextTier)
  const adds = { centavos: then.centavos - pay.centavos, cents: then.cents - pay.cents }
  return { tier, pay, next: { tier: nextTier, missing, adds } }
}

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
