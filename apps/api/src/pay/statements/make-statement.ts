import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import type {
  RateLine,
  StatementContent,
  TierLine,
} from '@tallyroom/contract/pay/statements/statement'
import { type BookedKind, eventKindOf } from '@tallyroom/domain/event-types'
import type { Day } from '@tallyroom/domain/new-york'
import { convert } from '@tallyroom/domain/conversion'
import { type Currency, paidFromOf } from '@tallyroom/domain/pay'
import { quarterOf, withheldOf } from '@tallyroom/domain/withholding'
import { instalmentsOf } from '../ledger/advances.ts'
import type { Advance } from '../ledger/advances.queries.ts'
import type { Booking } from '../bookings/book-events.queries.ts'

export type AdjustmentLine = StatementContent['adjustments'][number]

/** At which rate tax is withheld on a period's last day, and what was withheld of the payee in its quarter before. */
export type TaxTerms = Pick<
  NonNullable<StatementContent['tax']>,
  'detailsId' | 'code' | 'rateBp' | 'before'
>

/** Everything that goes into a statement. */
export type StatementParts = {
  number: string
  period: StatementContent['period']
  payee: Payee
  currency: Currency
  closedBy: string
  closedAt: Date
  bookings: readonly Booking[]
  tiers: readonly TierLine[]
  adjustments: readonly AdjustmentLine[]
  carried: number
  tax: TaxTerms | undefined
  /** What the payee owes of advances in the statement's currency. */
  advances: readonly Advance[]
  minimum: number
  /** What makes it a self-billed document. */
  document: StatementContent['document']
  /** How many days after the period's end it is paid. */
  holdingDays: number
  exchangeRate: { pesosE4: number; source: string } | undefined
  /** The period of a day that precedes the statement's own period. */
  periodOf: (day: Day) => { name: string; start: Day; end: Day }
}

/** A statement needs a conversion, but the period has no exchange rate. */
export class MissingExchangeRate extends Error {
  override name = 'MissingExchangeRate'
}

/** Runs `fn`, and throws the refusal if an exchange rate is missing. */
export async function withoutRate<T>(
  fn: () => Promise<T>,
  refusal: () => Error | Promise<Error>,
): Promise<T> {
  try {
    return await fn()
  } catch (error) {
    throw error instanceof MissingExchangeRate ? await refusal() : error
  }
}

/**
 * The content of a statement. The same parts always make the same content, whatever their order.
 *
 * @throws MissingExchangeRate
 */
export function makeStatement(parts: StatementParts): StatementContent {
  const { period, currency, bookings, carried } = parts
  const timely = bookings.filter(({ day }) => day >= period.start)
  const late = bookings.filter(({ day }) => day < period.start)
  const content = {
    lines: rateLines(timely.filter(({ fraud }) => !fraud)),
    fraud: rateLines(timely.filter(({ fraud }) => fraud)),
    late: latePeriods(late, parts.periodOf),
    tiers: parts.tiers.toSorted(
      inOrder(({ week, agentName, agentId, officeId }) => [week, agentName, agentId, officeId]),
    ),
    adjustments: parts.adjustments.toSorted((one, other) => one.id - other.id),
  }
  const { amount, conversion, notIncome } = sumUp(content, currency, parts.exchangeRate)
  const settled = settle({ ...parts, amount, notIncome, lastDay: period.end })
  const paidFrom = paidFromOf(period, parts.holdingDays, settled.due - carried)
  return {
    format: 1,
    number: parts.number,
    period,
    zone: 'America/New_York',
    payee: parts.payee,
    currency,
    closedBy: parts.closedBy,
    closedAt: parts.closedAt.toISOString(),
    ...content,
    conversion,
    amount,
    ...(notIncome !== undefined && { notIncome }),
    carried,
    ...settled,
    ...(paidFrom !== null && { paidFrom }),
    minimum: parts.minimum,
    ...(parts.document && { document: parts.document }),
  }
}

/**
 * What becomes of a statement's sum and the balance before: tax on what was earned, then what is taken back of advances, and what is
 * due.
 */
export function settle({
  amount,
  notIncome = 0,
  carried,
  tax: terms,
  advances: owed,
  lastDay,
}: Pick<StatementParts, 'carried' | 'tax' | 'advances'> & {
  amount: number
  /** What of it is not income. */
  notIncome?: number | undefined
  lastDay: Day
}): Pick<StatementContent, 'tax' | 'advances' | 'due'> {
  const base = amount - notIncome
  const withheld = terms ? withheldOf(base, terms.rateBp, terms.before) : 0
  const net = amount - withheld
  const advances = instalmentsOf(owed, { amount: net, carried })
  const taken = advances.reduce((sum, one) => sum + one.amount, 0)
  return {
    ...(terms && { tax: { ...terms, quarter: quarterOf(lastDay), base, withheld } }),
    ...(advances.length > 0 && { advances }),
    due: net + carried - taken,
  }
}

type Lines = Pick<StatementContent, 'lines' | 'fraud' | 'late' | 'tiers' | 'adjustments'>

/**
 * The sum in the statement's currency, and what of it is not income. Amounts in the other currency are added up, then converted once.
 *
 * @throws MissingExchangeRate
 */
export function sumUp(
  { lines, fraud, late, tiers, adjustments }: Lines,
  currency: Currency,
  rate: { pesosE4: number; source: string } | undefined,
): Pick<StatementContent, 'amount' | 'conversion' | 'notIncome'> {
  const sums = { PHP: 0, USD: 0 }
  for (const { centavos } of [...lines, ...fraud, ...late.flatMap((one) => one.lines)]) {
    sums.PHP += centavos
  }
  for (const tier of tiers)
    sums[tier.currency] += tier.currency === 'PHP' ? tier.centavos : tier.cents
  for (const adjustment of adjustments) sums[adjustment.currency] += adjustment.amount

  const others = adjustments.filter(({ countsAs }) => countsAs === 'not income')
  return {
    ...inOneCurrency(sums, currency, rate),
    ...(others.length > 0 && {
      notIncome: inOneCurrency(adjusted(others), currency, rate).amount,
    }),
  }
}

/** What adjustments add up to in each currency. */
function adjusted(
  adjustments: readonly { currency: Currency; amount: number }[],
): Record<Currency, number> {
  const sums = { PHP: 0, USD: 0 }
  for (const { currency, amount } of adjustments) sums[currency] += amount
  return sums
}

/**
 * Amounts in both currencies as one amount in `currency`: those in the other are summed first and converted once.
 *
 * @throws MissingExchangeRate
 */
export function inOneCurrency(
  sums: Readonly<Record<Currency, number>>,
  currency: Currency,
  rate: { pesosE4: number; source: string } | undefined,
): Pick<StatementContent, 'amount' | 'conversion'> {
  const other = currency === 'PHP' ? 'USD' : 'PHP'
  const foreign = sums[other]
  if (foreign === 0) return { amount: sums[currency], conversion: null }
  if (!rate) throw new MissingExchangeRate()
  const converted = convert(foreign, other, rate.pesosE4)
  return {
    amount: sums[currency] + converted,
    conversion: {
      from: other,
      amount: foreign,
      pesosE4: rate.pesosE4,
      source: rate.source,
      converted,
    },
  }
}

function latePeriods(
  bookings: readonly Booking[],
  periodOf: StatementParts['periodOf'],
): StatementContent['late'] {
  const byPeriod = Map.groupBy(bookings, ({ day }) => periodOf(day).start)
  return [...byPeriod.values()]
    .map((group) => ({ ...periodOf(group[0]?.day ?? ''), lines: rateLines(group) }))
    .toSorted(inOrder(({ start, name }) => [start, name]))
}

/** What a booking of each kind counts as. On a site with approve-sale, the columns are named after the two days. */
const countedAs = { sale: 'sales', bonus: 'bonuses' } as const satisfies Record<
  BookedKind,
  keyof RateLine
>

/** One line for all bookings that were paid in the same way. */
function rateLines(bookings: readonly Booking[]): RateLine[] {
  const lines = new Map<string, RateLine>()
  for (const booking of bookings) {
    const tierWeek = booking.paidBy === 'tier' ? booking.avpWeek : null
    const key = JSON.stringify([
      booking.agentId,
      booking.officeId,
      booking.siteId,
      booking.typeId,
      booking.rateCentavos,
      booking.rateSource,
      booking.quantity === 0,
      booking.isPart,
      tierWeek,
      booking.settledOutside,
      booking.fraud,
      booking.agentName,
      booking.officeName,
      booking.siteName,
      booking.typeName,
    ])
    const line = lines.get(key) ?? emptyLine(booking, tierWeek)
    lines.set(key, line)
    if (booking.isPart) line.parts = (line.parts ?? 0) + 1
    else if (booking.quantity === 0) line.differences = (line.differences ?? 0) + 1
    else if (booking.quantity < 0) line.reversals++
    else line[countedAs[eventKindOf(booking.eventType)]]++
    line.centavos += booking.payoutCentavos
  }
  return [...lines.values()].toSorted(
    inOrder((line) => [
      line.agentName,
      line.agentId,
      line.siteName,
      line.siteId,
      line.typeName,
      line.typeId,
      line.officeId,
      line.rateCentavos,
      line.rateSource,
      line.tierWeek ?? '',
      Number(line.differences !== undefined),
      Number(line.parts !== undefined),
      Number(line.settledOutside),
      Number(line.fraud),
    ]),
  )
}

const emptyLine = (booking: Booking, tierWeek: Day | null): RateLine => ({
  agentId: booking.agentId,
  agentName: booking.agentName,
  officeId: booking.officeId,
  officeName: booking.officeName,
  siteId: booking.siteId,
  siteName: booking.siteName,
  typeId: booking.typeId,
  typeName: booking.typeName,
  rateCentavos: booking.rateCentavos,
  rateSource: booking.rateSource === 'office' ? 'office' : 'type',
  tierWeek,
  settledOutside: booking.settledOutside,
  fraud: booking.fraud,
  sales: 0,
  bonuses: 0,
  reversals: 0,
  centavos: 0,
})

/** Compares by keys, text by code unit, so that no locale changes the order. */
const inOrder =
  <Item>(keysOf: (item: Item) => readonly (string | number)[]) =>
  (one: Item, other: Item): number => {
    const others = keysOf(other)
    for (const [index, key] of keysOf(one).entries()) {
      const against = others[index] ?? ''
      if (key !== against) return key < against ? -1 : 1
    }
    return 0
  }
