import { HIGHEST_RATE } from '@tallyroom/contract/amounts'
import { MAX_AVP_TIERS, type AvpSchedule } from '@tallyroom/contract/catalogue/avp-schedules'
import { AVP_OPEN_END, avpProblems } from '@tallyroom/domain/avp'
import { fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import type { NewSchedule } from './avp-schedules.api.ts'

/** A tier as typed. The last tier is open-ended; its `to` is ignored. */
export interface TierValues extends Record<string, string> {
  from: string
  to: string
  payoutPhp: string
  payoutDollars: string
}

export interface ScheduleValues extends Record<string, unknown> {
  /** A Monday. */
  validFrom: Day
  tiers: TierValues[]
}

/** The form starts as a copy of a schedule, or with a single tier that pays nothing. */
export const scheduleValues = (
  validFrom: Day,
  tiers: AvpSchedule['tiers'] = [],
): ScheduleValues => ({
  validFrom,
  tiers:
    tiers.length === 0
      ? [{ from: '0', to: '', payoutPhp: '0.00', payoutDollars: '0.00' }]
      : tiers.map(({ from, to, payoutPhp, payoutDollars }, index) => ({
          from: String(from),
          to: index === tiers.length - 1 ? '' : String(to),
          payoutPhp: payoutPhp.toFixed(2),
          payoutDollars: payoutDollars.toFixed(2),
        })),
})

/** The body to send. The values must have no `scheduleProblems`. */
export const scheduleOf = ({ validFrom, tiers }: ScheduleValues): NewSchedule => ({
  validFrom,
  tiers: tiers.map((tier, index) => ({
    ...boundsOf(tier, index === tiers.length - 1),
    payoutPhp: rateOf(tier.payoutPhp) ?? 0,
    payoutDollars: rateOf(tier.payoutDollars) ?? 0,
  })),
})

/** The reasons why the schedule can't be saved, in sentences. Tiers must cover every number of sales once. */
export function scheduleProblems({ tiers }: ScheduleValues): string[] {
  const last = tiers.length - 1
  return [
    ...avpProblems(tiers.map((tier, index) => ({ index, ...boundsOf(tier, index === last) }))),
    ...tiers.flatMap(({ payoutPhp, payoutDollars }, index) =>
      [payoutPhp, payoutDollars].some((text) => rateOf(text) === undefined)
        ? `Tier ${index} needs pay in ₱ and in $, each at most ${HIGHEST_RATE.toLocaleString('en-US')} with two decimals`
        : [],
    ),
  ]
}

/** A new end also moves the start of the next tier, if the two were adjacent. */
export function changeTier(
  tiers: readonly TierValues[],
  index: number,
  part: Partial<TierValues>,
): TierValues[] {
  const before = tiers[index]
  const isJoined = before !== undefined && tiers[index + 1]?.from === nextAfter(before.to)
  return tiers.map((tier, position) => {
    if (position === index) return { ...tier, ...part } as TierValues // a part never names undefined
    if (position === index + 1 && isJoined && part.to !== undefined)
      return { ...tier, from: nextAfter(part.to) ?? tier.from }
    return tier
  })
}

/** Adds a tier at the end. The tier before it is closed at its own start. */
export function addTier(tiers: readonly TierValues[]): TierValues[] {
  const last = tiers.at(-1)
  if (!last || tiers.length >= MAX_AVP_TIERS) return [...tiers]
  return [
    ...tiers.slice(0, -1),
    { ...last, to: last.from },
    { ...last, from: nextAfter(last.from) ?? '', to: '' },
  ]
}

/** The next tier takes over the removed one's range. Nothing takes over the last one's. */
export const removeTier = (tiers: readonly TierValues[], index: number): TierValues[] =>
  tiers
    .map((tier, position) =>
      position === index + 1 ? { ...tier, from: tiers[index]?.from ?? tier.from } : tier,
    )
    .filter((_, position) => position !== index)

const boundsOf = ({ from, to }: TierValues, isLast: boolean) => {
  const start = wholeOf(from)
  return { from: start, to: isLast ? Math.max(AVP_OPEN_END, start || 0) : wholeOf(to) }
}

/** NaN unless it is a whole number. `avpProblems` reports NaN. */
const wholeOf = (text: string): number =>
  /^\d{1,6}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN

/** In pesos or dollars. Undefined if the text is not an amount, or above `HIGHEST_RATE`. */
const rateOf = (text: string): number | undefined => {
  const units = toMinorUnits(text.trim())
  return units === undefined || units < 0 || units > HIGHEST_RATE * 100
    ? undefined
    : fromMinorUnits(units)
}

const nextAfter = (to: string): string | undefined => {
  const end = wholeOf(to)
  return Number.isNaN(end) ? undefined : String(end + 1)
}
