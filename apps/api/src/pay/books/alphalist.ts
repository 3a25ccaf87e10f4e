import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { toCentavos } from '@tallyroom/domain/conversion'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { daysOfQuarter } from '@tallyroom/domain/quarters'
import { tinOf } from '@tallyroom/domain/tax-number'
import { taxRateText } from '@tallyroom/domain/withholding'
import type { DbOrTx } from '../../db/database.ts'
import { inSnapshot } from '../../db/transaction.ts'
import { conflict } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findCalendar } from '../terms/calendar.ts'
import { payeeText } from '../terms/payees.queries.ts'
import { findExchangeRates } from '../terms/settings.queries.ts'
import type { StoredTaxDetails } from '../terms/tax-details.queries.ts'
import { findTaxedStatements } from './withholding.queries.ts'
import { findDetailsOf, findPayer, isQuarterOver, taxpayersOf } from './withholding.ts'

/** The list of a quarter for the tax office's own program, and what it leaves to a person. */
export type Alphalist = {
  /** Why there is no file yet, in a sentence; null if there is one. */
  problem: string | null
  /** What is not in it, or may be refused there, each in a sentence. */
  notes: string[]
}

/** What was earned at a rate, under a code. */
type Row = {
  party: StoredTaxDetails
  code: string
  rateBp: number
  /** In centavos. */
  base: number
  withheld: number
}

type Made = Alphalist & { payer: StoredTaxDetails | undefined; rows: Row[] }

/** What the file of a quarter would say. */
export async function findAlphalist(db: DbOrTx, quarter: string): Promise<Made> {
  const statements = await findTaxedStatements(db, undefined, daysOfQuarter(quarter))
  const details = await findDetailsOf(db, statements)
  const taxpayer = taxpayersOf(statements, details)
  const rates = await findExchangeRates(db)
  // The last details of a taxpayer are in force.
  const latest = new Map<string, StoredTaxDetails>()
  const sums = new Map<string, Omit<Row, 'party'> & { who: string }>()
  const unpriced: { who: string; period: string }[] = []
  const notes = new Set<string>()
  for (const { kind, id, period, currency, tax } of statements) {
    const party = details.get(tax.detailsId)
    const who = taxpayer.get(payeeText({ kind, id }))
    if (!party || who === undefined) continue
    latest.set(who, party)
    const rate = rates.get(period)?.pesosE4
    if (currency === 'USD' && rate === undefined) {
      unpriced.push({ who, period })
      continue
    }
    const inPesos = (amount: number) =>
      currency === 'PHP' ? amount : toCentavos(amount, rate ?? 0)
    const key = JSON.stringify([who, tax.code, tax.rateBp])
    const own = sums.get(key)
    sums.set(key, {
      who,
      code: tax.code,
      rateBp: tax.rateBp,
      base: (own?.base ?? 0) + inPesos(tax.base),
      withheld: (own?.withheld ?? 0) + inPesos(tax.withheld),
    })
  }
  const rows = [...sums.values()].flatMap(({ who, ...sum }): Row[] => {
    const party = latest.get(who)
    if (party?.country === 'PH') return [{ party, ...sum }]
    if (party)
      notes.add(`${party.registeredName} has no Philippine tax number, so it is not in the file.`)
    return []
  })
  for (const { who, period } of unpriced) {
    const party = latest.get(who)
    if (party?.country === 'PH')
      notes.add(
        `Dollars of ${party.registeredName} are not in the file: ${period} has no exchange rate.`,
      )
  }
  const kept = rows.filter(({ base, withheld }) => base > 0 && withheld > 0)
  for (const { party, code, rateBp, base, withheld } of rows) {
    const of = `${party.registeredName}, ${code} at ${taxRateText(rateBp)}`
    if (base <= 0 || withheld <= 0) {
      if (base !== 0 || withheld !== 0)
        notes.add(
          `${of}: ${moneyText(base, 'PHP')} and ${moneyText(withheld, 'PHP')} of tax are not in the file, which takes nothing below a centavo. Take it off by hand.`,
        )
    } else if (isOfPerson(code) && !party.registeredName.includes(','))
      notes.add(
        `${of}: a code of persons, whose registered name has to be “Last, First, Middle” in the tax details.`,
      )
  }
  const payer = await findPayer(db, statements.at(-1)?.lastDay ?? daysOfQuarter(quarter).end)
  return {
    problem: whyNone(payer, kept, isQuarterOver(await findCalendar(db), quarter)),
    notes: [...notes].toSorted((one, other) => one.localeCompare(other, 'en')),
    payer,
    rows: kept.toSorted(inOrder),
  }
}

function whyNone(
  payer: StoredTaxDetails | undefined,
  rows: readonly Row[],
  isOver: boolean,
): string | null {
  if (!payer) return 'The tax details of the network are missing. Enter them in Settings → Pay.'
  if (payer.country !== 'PH') return 'The network has no Philippine tax number.'
  if (rows.length === 0) return 'Nothing that the file takes was withheld in this quarter.'
  return isOver ? null : 'Some periods that end in this quarter are not closed yet.'
}

/**
 * The quarterly list of payees for form 1601-EQ, as the tax office's program reads it: a line for each taxpayer, code and rate, in
 * pesos, dollars at the rates of their periods.
 *
 * @param district the network's revenue district
 * @throws CONFLICT while there is no such file
 */
export const alphalistFile = (
  { db }: Pick<Services, 'db'>,
  quarter: string,
  district: string,
): Promise<{ name: string; text: string }> =>
  inSnapshot(db, async (tx) => {
    const { problem, payer, rows } = await findAlphalist(tx, quarter)
    if (problem !== null || !payer)
      throw conflict(problem ?? 'The tax details of the network are missing.')
    const { tin, branch } = tinOf(payer.taxNumber)
    const [year = '', month = ''] = daysOfQuarter(quarter).end.split('-')
    const period = `${month}/${year}`
    const lines = [
      ['HQAP', 'H1601EQ', tin, branch, quoted(payer.registeredName, 50), period, district],
      ...rows.map(({ party, code, rateBp, base, withheld }, index) => {
        const own = tinOf(party.taxNumber)
        return [
          'D1',
          '1601EQ',
          String(index + 1),
          own.tin,
          own.branch,
          ...namesOf(party.registeredName, code),
          period,
          code,
          (rateBp / 100).toFixed(2),
          pesos(base),
          pesos(withheld),
        ]
      }),
      [
        'C1',
        '1601EQ',
        tin,
        branch,
        period,
        pesos(sumOf(rows, 'base')),
        pesos(sumOf(rows, 'withheld')),
      ],
    ]
    return {
      name: `${tin}${branch}${month}${year}1601EQ.DAT`,
      text: lines.map((cells) => `${cells.join(',')}\r\n`).join(''),
    }
  })

const pesos = (centavos: number): string => fromMinorUnits(centavos).toFixed(2)

const sumOf = (rows: readonly Row[], of: 'base' | 'withheld'): number =>
  rows.reduce((sum, row) => sum + row[of], 0)

const inOrder = (one: Row, other: Row): number =>
  one.party.registeredName.localeCompare(other.party.registeredName, 'en') ||
  one.party.taxNumber.localeCompare(other.party.taxNumber, 'en') ||
  one.code.localeCompare(other.code, 'en') ||
  one.rateBp - other.rateBp

/** Codes of what persons earn begin with WI, those of companies with WC. */
const isOfPerson = (code: string): boolean => code.startsWith('WI')

/** Registered, last, first and middle name: a company has the first, a person the others. */
function namesOf(registeredName: string, code: string): string[] {
  if (!isOfPerson(code) || !registeredName.includes(','))
    return [quoted(registeredName, 50), quoted(''), quoted(''), quoted('')]
  const [last = '', first = '', ...middle] = registeredName.split(',')
  return [quoted(''), quoted(last, 30), quoted(first, 30), quoted(middle.join(' '), 30)]
}

/** In the letters that the program takes: capitals without accents, and few signs. */
function quoted(text: string, most = 50): string {
  const plain = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll('&', ' AND ')
    .replaceAll(/[^A-Z0-9 ./()-]/g, ' ')
    .replaceAll(/ +/g, ' ')
  return `"${plain
    .slice(0, most + 1)
    .trim()
    .slice(0, most)}"`
}
