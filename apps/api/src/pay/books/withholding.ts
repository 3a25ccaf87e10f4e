import type { AnswerOf } from '@tallyroom/contract/endpoint'
import type {
  TaxLine,
  TaxQuarter,
  withholdingEndpoints,
} from '@tallyroom/contract/pay/books/withholding'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { CURRENCIES } from '@tallyroom/domain/pay'
import { type DateRange, rangeInWords } from '@tallyroom/domain/periods'
import { daysOfQuarter, monthsOfQuarter, placeInQuarter } from '@tallyroom/domain/quarters'
import { taxpayerOf } from '@tallyroom/domain/tax-number'
import { quarterOf, taxRateText } from '@tallyroom/domain/withholding'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inSnapshot } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import { cellsOf, type ColumnOf, factsOf, type Sheet } from '../../http/sheets/sheet.ts'
import type { Services } from '../../services.ts'
import { type Calendar, findCalendar, nextPeriod } from '../terms/calendar.ts'
import { findPayeeNames, type PayeeKey, PAYER, payeeText } from '../terms/payees.queries.ts'
import {
  findSameTaxpayers,
  findTaxDetails,
  findTaxDetailsById,
  type StoredTaxDetails,
} from '../terms/tax-details.queries.ts'
import { findTaxedDays, findTaxedStatements, type TaxedStatement } from './withholding.queries.ts'
import { refuseForeignPayee } from '../terms/own-payee.ts'

type Needed = Pick<Services, 'db' | 'clock'>

/** What was withheld in a quarter, and the quarters in which something was. */
export const getTaxQuarter = (
  { db }: Needed,
  quarter: string,
): Promise<AnswerOf<typeof withholdingEndpoints.taxQuarter>> =>
  inSnapshot(db, async (tx) => {
    const today = quarterOf(todayNewYork(tx.now))
    const taxed = (await findTaxedDays(tx)).map(quarterOf)
    return {
      ...(await findQuarter(tx, quarter)),
      quarters: [...new Set([today, ...taxed])].toSorted().toReversed(),
    }
  })

/**
 * The quarters in which tax was withheld of a payee, newest first, with what was withheld of others who were the same taxpayer.
 *
 * @throws NOT_FOUND for a foreign payee
 */
export const listTaxCertificates = (
  { db }: Needed,
  viewer: Viewer,
  payee: PayeeKey,
): Promise<TaxQuarter[]> =>
  inSnapshot(db, async (tx) => {
    await refuseForeignPayee(tx, viewer, payee)
    const statements = await findOfTaxpayer(tx, payee)
    const present = await presenter(tx, statements)
    return [...Map.groupBy(statements, ({ tax }) => tax.quarter)]
      .map(([quarter, own]) => present(quarter, own))
      .toReversed()
  })

/** What a certificate of the tax withheld says. */
export type TaxCertificate = TaxQuarter & {
  payee: StoredTaxDetails
  payer: StoredTaxDetails
  statements: TaxedStatement[]
}

/**
 * A payee's certificate of a quarter, with the network as it was on the last day of the last of its statements, or as it was
 * entered first.
 *
 * @throws NOT_FOUND for a foreign payee, and if nothing was withheld; CONFLICT until the network has tax details.
 */
export const getTaxCertificate = (
  { db }: Needed,
  viewer: Viewer,
  payee: PayeeKey,
  quarter: string,
): Promise<TaxCertificate> =>
  inSnapshot(db, async (tx) => {
    await refuseForeignPayee(tx, viewer, payee)
    const statements = await findOfTaxpayer(tx, payee, daysOfQuarter(quarter))
    const last = statements.at(-1)
    if (!last) throw notFound('certificate')
    const own = (await findTaxDetailsById(tx, [last.tax.detailsId])).get(last.tax.detailsId)
    const payer = await findPayer(tx, last.lastDay)
    if (!own) throw notFound('tax details')
    if (!payer)
      throw conflict('The tax details of the network are missing. Enter them in Settings → Pay.')
    const present = await presenter(tx, statements)
    return { ...present(quarter, statements), payee: own, payer, statements }
  })

/** The network's tax details on a day, or the first that were entered; undefined if there are none. */
export async function findPayer(db: DbOrTx, day: Day): Promise<StoredTaxDetails | undefined> {
  const payers = await findTaxDetails(db, PAYER)
  return payers.find(({ fromDay }) => fromDay <= day) ?? payers.at(-1)
}

/**
 * The statements by which a payee was taxed, and in the same quarters those of whoever was the same taxpayer then, oldest first.
 */
async function findOfTaxpayer(
  db: DbOrTx,
  payee: PayeeKey,
  days?: DateRange,
): Promise<TaxedStatement[]> {
  const own = await findTaxedStatements(db, [payee], days)
  const details = await findDetailsOf(db, own)
  const same = new Map([[payeeText(payee), payee]])
  for (const { kind, id } of await findSameTaxpayers(db, [...details.values()]))
    same.set(payeeText({ kind, id }), { kind, id })
  if (same.size === 1) return own
  const all = await findTaxedStatements(db, [...same.values()], days)
  const known = await findDetailsOf(db, all)
  return [...Map.groupBy(all, ({ tax }) => tax.quarter).values()].flatMap((statements) => {
    const taxpayer = taxpayersOf(statements, known)
    const who = taxpayer.get(payeeText(payee))
    return statements.filter((one) => taxpayer.get(payeeText(one)) === who)
  })
}

export const findDetailsOf = (db: DbOrTx, statements: readonly TaxedStatement[]) =>
  findTaxDetailsById(
    db,
    statements.map(({ tax }) => tax.detailsId),
  )

/** Which taxpayer each payee of these statements is, by `payeeText`: as the last of them says. */
export function taxpayersOf(
  statements: readonly TaxedStatement[],
  details: Known['details'],
): ReadonlyMap<string, string> {
  return new Map(
    statements.map((one) => {
      const party = details.get(one.tax.detailsId)
      const payee = payeeText(one)
      return [payee, party ? taxpayerOf(party.country, party.taxNumber) : payee]
    }),
  )
}

async function findQuarter(db: DbOrTx, quarter: string): Promise<TaxQuarter> {
  const statements = await findTaxedStatements(db, undefined, daysOfQuarter(quarter))
  return (await presenter(db, statements))(quarter, statements)
}

/** Presents a quarter with its statements, which are some of these. */
async function presenter(db: DbOrTx, statements: readonly TaxedStatement[]) {
  const calendar = await findCalendar(db)
  const known = {
    names: await findPayeeNames(db, statements),
    details: await findDetailsOf(db, statements),
  }
  return (quarter: string, own: readonly TaxedStatement[]): TaxQuarter => ({
    quarter,
    isComplete: isQuarterOver(calendar, quarter),
    lines: linesOf(own, known),
  })
}

/** Whether all periods that end in a quarter are closed. */
export const isQuarterOver = (calendar: Calendar | undefined, quarter: string): boolean =>
  calendar !== undefined && nextPeriod(calendar).end > daysOfQuarter(quarter).end

type Known = {
  names: ReadonlyMap<string, string>
  details: ReadonlyMap<number, StoredTaxDetails>
}

/** By registered name, then code, pesos before dollars. */
function linesOf(statements: readonly TaxedStatement[], { names, details }: Known): TaxLine[] {
  const taxpayer = taxpayersOf(statements, details)
  const ofTaxpayer = (one: TaxedStatement) => taxpayer.get(payeeText(one)) ?? ''
  // The last of several is in force.
  const latest = new Map(statements.map((one) => [ofTaxpayer(one), one.tax.detailsId]))
  const byLine = Map.groupBy(statements, (one) =>
    JSON.stringify([ofTaxpayer(one), one.currency, one.tax.code]),
  )
  return [...byLine.values()]
    .flatMap((own): TaxLine[] => {
      const [first] = own
      if (!first) return []
      const party = details.get(latest.get(ofTaxpayer(first)) ?? 0)
      const payees = new Map(own.toReversed().map((one) => [payeeText(one), one]))
      return [
        {
          payees: [...payees].map(([text, { kind, id }]) => ({
            kind,
            id,
            name: names.get(text) ?? '',
          })),
          registeredName: party?.registeredName ?? '',
          taxNumber: party?.taxNumber ?? '',
          address: party?.address ?? '',
          code: first.tax.code,
          ratesBp: [...new Set(own.map(({ tax }) => tax.rateBp))],
          currency: first.currency,
          months: [sumOf(own, 0), sumOf(own, 1), sumOf(own, 2)],
          ...sumOf(own),
        },
      ]
    })
    .toSorted(
      (one, other) =>
        one.registeredName.localeCompare(other.registeredName, 'en') ||
        one.taxNumber.localeCompare(other.taxNumber, 'en') ||
        one.code.localeCompare(other.code, 'en') ||
        CURRENCIES.indexOf(one.currency) - CURRENCIES.indexOf(other.currency),
    )
}

/** Of the whole quarter, or of one of its months. */
function sumOf(statements: readonly TaxedStatement[], place?: 0 | 1 | 2) {
  const sums = { base: 0, withheld: 0 }
  for (const { lastDay, tax } of statements) {
    if (place !== undefined && placeInQuarter(lastDay) !== place) continue
    sums.base += tax.base
    sums.withheld += tax.withheld
  }
  return sums
}

/** The list of a quarter as a table for files. */
export async function taxQuarterSheet(
  { db, clock }: Needed,
  viewer: Viewer,
  quarter: string,
): Promise<Sheet> {
  const { lines, isComplete: isWhole } = await inSnapshot(db, (tx) => findQuarter(tx, quarter))
  const columns = columnsOf(quarter)
  return {
    title: 'Withholding tax',
    about: [quarter],
    facts: [
      ['Quarter', `${quarter}: ${rangeInWords(daysOfQuarter(quarter))}`],
      ['Periods', isWhole ? 'All are closed' : 'Some are still open'],
      ...factsOf('Statements of periods that end in the quarter', viewer, clock.now()),
    ],
    columns,
    rows: [lines.map((line) => cellsOf(columns, line))],
  }
}

const columnsOf = (quarter: string): ColumnOf<TaxLine>[] => [
  { header: 'Tax number', kind: 'text', value: ({ taxNumber }) => taxNumber },
  { header: 'Registered name', kind: 'text', value: ({ registeredName }) => registeredName },
  { header: 'Address', kind: 'text', value: ({ address }) => address },
  {
    header: 'Payee',
    kind: 'text',
    value: ({ payees }) => payees.map(({ name }) => name).join(', '),
  },
  { header: 'Code', kind: 'text', value: ({ code }) => code },
  { header: 'Rate', kind: 'text', value: ({ ratesBp }) => ratesBp.map(taxRateText).join(', ') },
  { header: 'Currency', kind: 'text', value: ({ currency }) => currency },
  ...monthsOfQuarter(quarter).flatMap(({ start }, index): ColumnOf<TaxLine>[] => [
    {
      header: `Earned ${start.slice(0, 7)}`,
      kind: 'money',
      value: ({ months }) => fromMinorUnits(months[index]?.base ?? 0),
    },
    {
      header: `Tax ${start.slice(0, 7)}`,
      kind: 'money',
      value: ({ months }) => fromMinorUnits(months[index]?.withheld ?? 0),
    },
  ]),
  { header: 'Earned', kind: 'money', value: ({ base }) => fromMinorUnits(base) },
  { header: 'Tax withheld', kind: 'money', value: ({ withheld }) => fromMinorUnits(withheld) },
]
