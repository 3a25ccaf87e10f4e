import { formatCount } from '@tallyroom/domain/money'
import { type Day, dayOf, daysBetween } from '@tallyroom/domain/new-york'
import { type CountsAs, type Currency, isPaidOut } from '@tallyroom/domain/pay'
import { type DateRange, daysInWords, rangeInWords } from '@tallyroom/domain/periods'
import { taxRateText, withheldOf } from '@tallyroom/domain/withholding'
import { moneyText } from '../money-text.ts'
import type { RateLine, StatementContent, TierLine } from './statement.ts'
import type { StatementItem } from './statements.ts'

export { moneyText }

type AdjustmentLine = StatementContent['adjustments'][number]

/*
 * A statement in words. Its page, print version and files all show these, so that they say the
 * same.
 */

/** One line. Amounts are minor units of `currency`. */
export type StatementRow = {
  /** The same for everybody who may see the line. */
  key: string
  /** The agent; null for an adjustment. */
  agent: { id: number; name: string } | null
  /** The office of the line. */
  office: { id: number; name: string } | null
  /** `Lantern Live · Gold`, `Week of 2026-11-02`, or the reason of an adjustment. */
  what: string
  /** Why it is paid in this way, if that is not obvious. */
  note: string
  /** Per event; null for an adjustment, and for events that a tier pays. */
  rate: number | null
  /** Counts of events; null for an adjustment, and where the others of the two names count them. */
  sales: number | null
  bonuses: number | null
  /** Sales and bonuses of a site that used approve-sale. */
  dayOne: number | null
  dayTwo: number | null
  reversals: number | null
  /** From backdated rates; null for lines that can't have any. */
  differences: number | null
  /** Refunded parts of sales; null for lines that can't have any. */
  parts: number | null
  currency: Currency
  amount: number
  /** What the line was made from. */
  of:
    | { kind: 'rate'; line: RateLine }
    | { kind: 'tier'; line: TierLine }
    | { kind: 'adjustment'; line: AdjustmentLine }
}

/** The columns of counts. */
export const COUNT_HEADERS = {
  sales: 'Sales',
  bonuses: 'Bonuses',
  dayOne: 'Day#1',
  dayTwo: 'Day#2',
  reversals: 'Reversals',
} as const
export type CountName = keyof typeof COUNT_HEADERS
export const COUNT_NAMES = Object.keys(COUNT_HEADERS) as CountName[]

export type StatementSection = {
  key: string
  title: string
  /** One sentence on what its lines have in common; empty for the lines of the period. */
  about: string
  /** The days of its lines, if they differ from those of the statement's period. */
  days?: DateRange
  rows: StatementRow[]
  /** The sum of the rows in each of their currencies. */
  sums: { currency: Currency; amount: number }[]
}

/** The lines by kind, in the order in which they are read. Kinds without lines are left out. */
export function statementSections(content: StatementContent): StatementSection[] {
  const { lines, fraud, late, tiers, adjustments } = content
  const rowsAs = (as: CountsAs) =>
    adjustments.filter(({ countsAs = 'earned' }) => countsAs === as).map(adjustmentRow)
  return [
    section('lines', 'Sales and bonuses', '', rateRows('lines', lines)),
    section(
      'fraud',
      'Marked for fraud',
      'These events are marked for fraud. They are paid like all others, unless the payee is on hold.',
      rateRows('fraud', fraud),
    ),
    ...late.map(({ name, start, end, lines: ofPeriod }) => ({
      ...section(
        `late.${start}`,
        `Late for ${name}`,
        `These events happened on ${rangeInWords({ start, end })} and arrived after that period was closed.`,
        rateRows(`late.${start}`, ofPeriod),
      ),
      days: { start, end },
    })),
    section(
      'tiers',
      'AVP',
      'The number of an agent’s AVP sales in a week decides the rate of all of them. A week is paid whole, with the period in which it ends.',
      tiers.map(tierRow),
    ),
    section('adjustments', 'Adjustments', '', rowsAs('earned')),
    section(
      'notIncome',
      'Not income',
      'Reimbursements, returned fees and the like. No tax is withheld from them.',
      rowsAs('not income'),
    ),
  ].filter(({ rows }) => rows.length > 0)
}

/** A self-billed document in words. */
export type DocumentWords = {
  /** `Self-billed statement no. 3` */
  title: string
  /** What it is. */
  about: string
  parties: { role: 'Payer' | 'Payee'; name: string; taxNumber: string; address: string }[]
}

/** Undefined for a statement that is none. */
export function documentWords({ document }: StatementContent): DocumentWords | undefined {
  if (!document) return undefined
  const { serial, payer, payee } = document
  const party = (
    role: 'Payer' | 'Payee',
    { registeredName, taxNumber, address }: typeof payer,
  ) => ({
    role,
    name: registeredName,
    taxNumber: `Tax number ${taxNumber}`,
    address,
  })
  return {
    title: `Self-billed statement no. ${serial}`,
    about:
      'The payer issues it in place of an invoice of the payee. Each payee’s are numbered without gaps. Whether it counts as an invoice is for the law of both.',
    parties: [party('Payer', payer), party('Payee', payee)],
  }
}

/** A line of the closing sums. */
export type StatementSum = { key: string; label: string; currency: Currency; amount: number }

/** What became of a statement since it was made. */
type Became = Pick<StatementItem, 'state' | 'carriedInto'>

/** From the sum of the lines to what becomes of the balance, which comes last. */
export function statementSums(content: StatementContent, became?: Became): StatementSum[] {
  const { amount, carried, due, conversion, currency, tax } = content
  const sum = (key: string, label: string, value: number, of: Currency = currency) => ({
    key,
    label,
    currency: of,
    amount: value,
  })
  return [
    ...(conversion
      ? [
          sum(
            'from',
            `Sum in ${CURRENCY_NAMES[conversion.from]}`,
            conversion.amount,
            conversion.from,
          ),
          sum('converted', `Converted at ${rateText(conversion.pesosE4)}`, conversion.converted),
        ]
      : []),
    sum('amount', `Sum of ${content.period.name}`, amount),
    ...(tax ? [sum('tax', taxLabel(tax, content), 0 - tax.withheld)] : []),
    sum('carried', 'Balance before', carried),
    ...(content.advances ?? []).map((one) =>
      sum(`instalment.${one.id}`, instalmentText(one, currency), -one.amount),
    ),
    sum('due', dueLabel(content, became), due),
  ]
}

/** `10 % (WI515)` or `none` */
export const taxText = ({ rateBp, code }: { rateBp: number; code: string | null }): string =>
  code === null ? 'none' : `${taxRateText(rateBp)} (${code})`

/** `Tax withheld 10 % of ₱26,180.00 (WI515)`, with what is not income where there is some. Of a negative sum, it is given back, at most what was withheld before. */
function taxLabel(
  { rateBp, code, base, before, withheld, quarter }: NonNullable<StatementContent['tax']>,
  { currency, notIncome }: Pick<StatementContent, 'currency' | 'notIncome'>,
): string {
  const without =
    notIncome === undefined ? '' : `, without ${moneyText(notIncome, currency)} that is not income`
  const of = `${taxRateText(rateBp)} of ${moneyText(base, currency)}${without}`
  if (base >= 0) return `Tax withheld ${of} (${code})`
  const isAll = withheld === withheldOf(base, rateBp, Infinity)
  const most = isAll ? '' : `, only ${moneyText(before, currency)} was withheld in ${quarter}`
  return `Tax given back ${of} (${code}${most})`
}

type InstalmentLine = NonNullable<StatementContent['advances']>[number]

/** `Instalment 2 of 4 of the advance of 25 Nov, voucher 118 (₱750.00 stays owed)` */
function instalmentText({ paidOn, voucher, place, of, owed }: InstalmentLine, currency: Currency) {
  const day = daysInWords({ start: paidOn, end: paidOn })
  const which = place > of ? 'Rest' : `Instalment ${place} of ${of}`
  const rest = owed === 0 ? 'paid back' : `${moneyText(owed, currency)} stays owed`
  return `${which} of the advance of ${day}, voucher ${voucher} (${rest})`
}

const CARRIED = 'Carried to the next period'

/** Only what is paid is to pay. */
function dueLabel(content: StatementContent, became?: Became): string {
  const { due, minimum } = content
  if (due === 0) return 'Nothing to pay'
  if (became?.state === 'given-up') return 'Given up'
  if (became?.state === 'paid-back') return due < 0 ? 'Paid back' : 'Settled'
  if (due < 0) return 'Owed by you'
  if (became?.state === 'held') return 'Held'
  if (became?.state === 'converted') return 'Converted'
  if (became?.state === 'written-off') return 'Written off'
  if (became?.state === 'carried')
    return became.carriedInto === null ? CARRIED : `Carried into ${became.carriedInto}`
  if (!isPaidOut(due, minimum)) return CARRIED
  const { paidFrom, carried, currency } = content
  if (paidFrom === undefined) return 'To pay'
  const from = rangeInWords({ start: paidFrom, end: paidFrom })
  return carried > 0
    ? `To pay, ${moneyText(due - carried, currency)} of it from ${from}`
    : `To pay from ${from}`
}

/** Why the statement is not paid on its own, or not at once, if that is so. */
export function carriedText(content: StatementContent, became?: Became): string | undefined {
  const { due, minimum, currency, paidFrom, period } = content
  if (became?.state === 'paid-back') return undefined
  if (due < 0) return 'The balance is negative. It is carried to the next period.'
  if (due === 0) return undefined
  if (isPaidOut(due, minimum))
    return paidFrom === undefined
      ? undefined
      : `What ${period.name} adds is held for ${daysBetween(period.end, paidFrom)} days after its end, because sales can still be taken back.`
  return `This is below the minimum of ${moneyText(minimum, currency)}. It is carried to the next period.`
}

/** What of the balance before is paid by a run that was prepared before the statement was made, so that it comes by itself. */
export const carriedInRunsText = (
  runs: readonly { run: string; amount: number }[],
  currency: Currency,
): string =>
  runs
    .map(
      ({ run, amount }) =>
        `${moneyText(amount, currency)} of the balance before is in payment run ${run}, which was prepared before this statement.`,
    )
    .join(' ')

/** `₱12,000.00 from 15 Dec and ₱500.00 from 30 Dec`: what of a balance is held; empty if nothing is. */
export const laterText = (
  later: readonly { amount: number; from: Day }[],
  currency: Currency,
): string =>
  later
    .map(
      ({ amount, from }) =>
        `${moneyText(amount, currency)} from ${daysInWords({ start: from, end: from })}`,
    )
    .join(' and ')

/** `₱58.25 for $1`. @param pesosE4 ten-thousandths of a peso for a dollar */
export const rateText = (pesosE4: number): string =>
  `₱${(pesosE4 / 10_000).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })} for $1`

export const CURRENCY_NAMES: Record<Currency, string> = { PHP: 'pesos', USD: 'dollars' }

/** `17 sales, tier 3` */
const tierWords = ({ sales, tier }: { sales: number; tier: number }) =>
  `${formatCount(sales)} ${sales === 1 ? 'sale' : 'sales'}, ${tier < 0 ? 'no tier' : `tier ${tier}`}`

const section = (
  key: string,
  title: string,
  about: string,
  rows: StatementRow[],
): StatementSection => {
  const currencies = [...new Set(rows.map(({ currency }) => currency))]
  return {
    key,
    title,
    about,
    rows: withOffices(rows),
    sums: currencies.map((currency) => ({
      currency,
      amount: rows.reduce((sum, row) => sum + (row.currency === currency ? row.amount : 0), 0),
    })),
  }
}

/** Names the office of lines that would read alike: an agent's for one thing, but for several offices. */
function withOffices(rows: readonly StatementRow[]): StatementRow[] {
  const alike = Map.groupBy(rows, likenessOf)
  return rows.map((row) => {
    const ids = new Set(alike.get(likenessOf(row))?.map(({ office }) => office?.id))
    return row.office && ids.size > 1
      ? { ...row, note: [`Office ${row.office.name}`, row.note].filter(Boolean).join(' · ') }
      : row
  })
}

const likenessOf = ({ agent, what, of }: StatementRow): string =>
  JSON.stringify([agent?.id, of.kind === 'tier' ? of.line.week : what])

/** Differences and refunded parts of earnings alone change no pay. */
export const isPay = ({ differences, parts, rateCentavos }: RateLine): boolean =>
  (differences === undefined && parts === undefined) || rateCentavos !== 0

const rateRows = (part: string, lines: readonly RateLine[]) =>
  [...Map.groupBy(lines.filter(isPay), keyOf).values()].map((alike) => rateRow(part, alike))

/** Equal for events that are paid in the same way. What their rates were matters only if these pay. */
const keyOf = (line: RateLine): string =>
  [
    line.agentId,
    line.officeId,
    line.siteId,
    line.typeId,
    ...(line.tierWeek === null ? [line.rateCentavos, line.rateSource] : ['', '']),
    line.tierWeek,
    line.settledOutside,
    line.fraud,
    line.differences !== undefined,
    ...(line.parts === undefined ? [] : ['parts']),
  ].join('.')

function rateRow(part: string, alike: readonly RateLine[]): StatementRow {
  const line = together(alike)
  return {
    key: `${part}.${keyOf(line)}`,
    agent: { id: line.agentId, name: line.agentName },
    office: { id: line.officeId, name: line.officeName },
    what: `${line.siteName} · ${line.typeName}`,
    note: [
      ...(line.differences === undefined
        ? []
        : [
            `Differences from backdated rates: ${formatCount(line.differences)}`,
            ...backdatingTexts(line.backdatings ?? []),
          ]),
      line.parts !== undefined && `Refunded parts of sales: ${formatCount(line.parts)}`,
      line.tierWeek !== null && `Paid by tier, week of ${line.tierWeek}`,
      line.tierWeek === null && line.rateSource === 'office' && 'The office’s own rate',
      // Lines of the statement's own period have a section of their own.
      line.fraud && part !== 'fraud' && 'Marked for fraud',
      line.settledOutside && 'The sale was paid before pay was switched on',
    ]
      .filter((words) => words !== false)
      .join(' · '),
    rate: line.tierWeek === null ? line.rateCentavos : null,
    sales: line.useApproveSale ? null : line.sales,
    bonuses: line.useApproveSale ? null : line.bonuses,
    dayOne: line.useApproveSale ? line.sales : null,
    dayTwo: line.useApproveSale ? line.bonuses : null,
    reversals: line.reversals,
    differences: line.differences ?? 0,
    parts: line.parts ?? 0,
    currency: 'PHP',
    amount: line.centavos,
    of: { kind: 'rate', line },
  }
}

/** Lines with the same key as one. If a tier pays, its rate is that of the first. */
function together(lines: readonly RateLine[]): RateLine {
  const [first] = lines
  if (!first) throw new RangeError('a row has a line')
  const sumOf = (of: (line: RateLine) => number) => lines.reduce((sum, line) => sum + of(line), 0)
  return {
    ...first,
    sales: sumOf((line) => line.sales),
    bonuses: sumOf((line) => line.bonuses),
    reversals: sumOf((line) => line.reversals),
    ...(first.differences !== undefined && {
      differences: sumOf((line) => line.differences ?? 0),
    }),
    ...(first.parts !== undefined && { parts: sumOf((line) => line.parts ?? 0) }),
    ...(first.backdatings && {
      backdatings: byReason(lines.flatMap(({ backdatings }) => backdatings ?? [])),
    }),
    centavos: sumOf((line) => line.centavos),
  }
}

type Backdated = NonNullable<RateLine['backdatings']>[number]

/** One for each reason, over all of their days. */
export const byReason = (backdatings: readonly Backdated[]): Backdated[] =>
  [...Map.groupBy(backdatings, ({ reason }) => reason)].map(([reason, same]) => ({
    reason,
    differences: same.reduce((sum, one) => sum + one.differences, 0),
    start: same.map(({ start }) => start).toSorted()[0] ?? '',
    end:
      same
        .map(({ end }) => end)
        .toSorted()
        .at(-1) ?? '',
  }))

/** `sales of 3–9 Nov 2026: “Agreed”`; where there are several reasons, each with its number. */
const backdatingTexts = (backdatings: readonly Backdated[]): string[] =>
  backdatings.map(({ reason, differences, start, end }) => {
    const sales = differences === 1 ? 'sale' : 'sales'
    const which = backdatings.length > 1 ? `${formatCount(differences)} ${sales}` : sales
    return `${which} of ${rangeInWords({ start, end })}${reason === null ? '' : `: “${reason}”`}`
  })

function tierRow(line: TierLine): StatementRow {
  const isDollars = line.currency === 'USD'
  const [own, other] = isDollars ? [line.cents, line.centavos] : [line.centavos, line.cents]
  const otherCurrency = isDollars ? 'PHP' : 'USD'
  const now = tierWords(line)
  const rate = isDollars ? line.rateCents : line.rateCentavos
  const whole = rate * line.paidSales
  return {
    key: ['tiers', line.agentId, line.officeId, line.week].join('.'),
    agent: { id: line.agentId, name: line.agentName },
    office: { id: line.officeId, name: line.officeName },
    what: `Week of ${line.week}: ${line.before ? `${tierWords(line.before)} → ${now}` : now}`,
    note: [
      line.paidSales !== line.sales &&
        `${formatCount(line.paidSales)} of them ${line.paidSales === 1 ? 'is' : 'are'} paid here`,
      line.before !== null &&
        `${moneyText(whole, line.currency)}, less ${moneyText(whole - own, line.currency)} paid before`,
      other !== 0 && `${moneyText(other, otherCurrency)}, for information`,
    ]
      .filter((words) => words !== false)
      .join(' · '),
    ...NO_COUNTS,
    rate,
    sales: line.paidSales,
    currency: line.currency,
    amount: own,
    of: { kind: 'tier', line },
  }
}

/** What a row has that counts no events. */
export const NO_COUNTS = {
  rate: null,
  sales: null,
  bonuses: null,
  dayOne: null,
  dayTwo: null,
  reversals: null,
  differences: null,
  parts: null,
} as const

const adjustmentRow = (line: AdjustmentLine): StatementRow => ({
  key: `adjustment.${line.id}`,
  agent: null,
  office: null,
  what: line.reason,
  note: `${line.by ? `By ${line.by} on` : 'On'} ${dayOf(new Date(line.at))}`,
  ...NO_COUNTS,
  currency: line.currency,
  amount: line.amount,
  of: { kind: 'adjustment', line },
})
