import type { RequestOf } from '@tallyroom/contract/endpoint'
import {
  balancesEndpoints,
  MOST_ADJUSTMENTS,
  type ReadAdjustments,
} from '@tallyroom/contract/pay/balances/balances'
import { dayInWords } from '@tallyroom/domain/acts'
import {
  COUNTS_AS,
  type CountsAs,
  type Currency,
  type PayeeKind,
  settingsOn,
} from '@tallyroom/domain/pay'
import { type AdjustmentLimit, isAboveLimit } from '@tallyroom/domain/pay-limits'
import { todayNewYork } from '@tallyroom/domain/new-york'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction, nowOf } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import { LOST } from '../../lib/files/decode-text.ts'
import type { Cell } from '../../lib/files/read-xlsx.ts'
import { BadFileError } from '../../lib/files/read-zip.ts'
import type { Services } from '../../services.ts'
import { amountsIn } from '../files/result-amount.ts'
import { folded, likeOf } from '../files/result-file.ts'
import { type RawTable, readRows } from '../../lib/files/read-rows.ts'
import { adjustAll, whyAbove } from './adjust.ts'
import { findOpenAdjustments } from '../ledger/adjustments.queries.ts'
import { type BalanceKey, balanceText, findCurrencies } from '../ledger/balances.queries.ts'
import { getCalendar, payeeKindOf } from '../terms/calendar.ts'
import { findPayeesNamed, type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import { findAdjustmentLimit } from '../ledger/proposals.queries.ts'
import { lockProposals } from '../terms/settings.queries.ts'

type Needed = Pick<Services, 'db'>
type Calls = typeof balancesEndpoints

/** Says what entering the adjustments of a file would do. Writes nothing. */
export const checkAdjustmentFile = (
  { db }: Needed,
  { file }: RequestOf<Calls['checkAdjustmentFile']>['body'],
): Promise<ReadAdjustments> => readAdjustments(db, file)

/**
 * Enters the adjustments of a file, all of them or none.
 *
 * @throws VALIDATION_ERROR about `file` with each line that is not understood, and about `equalsSeen` if lines equal others
 * and the caller has not seen it.
 */
export const enterAdjustmentFile = (
  { db }: Needed,
  viewer: Viewer,
  { file, equalsSeen }: RequestOf<Calls['enterAdjustmentFile']>['body'],
): Promise<{ made: number; waiting: number }> =>
  inTransaction(db, async (tx) => {
    await lockProposals(tx)
    const { refused, problems, lines } = await readAdjustments(tx, file)
    if (refused !== null) throw invalid({ file: [`can’t be read: ${refused}`] })
    if (problems.length > 0)
      throw invalid({ file: problems.map(({ line, problem }) => `Line ${line}: ${problem}`) })
    const equal = lines.find(({ equals }) => equals !== null)
    if (equal && !equalsSeen)
      throw invalid({ equalsSeen: [`must be seen: line ${equal.line} equals ${equal.equals}`] })
    const madeBy = { id: viewer.accountId, name: viewer.username }
    await adjustAll(
      tx,
      lines.map(({ payee, currency, amount, countsAs, reason, waits }) => ({
        act: {
          kind: 'adjustment',
          payee: { kind: payee.kind, id: payee.id },
          currency,
          amount,
          countsAs,
          oppositeOf: null,
          heldBackFor: null,
        },
        reason,
        why: waits,
        madeAt: tx.now,
        madeBy,
      })),
    )
    const waiting = lines.filter(({ waits }) => waits !== null).length
    return { made: lines.length - waiting, waiting }
  })

type Column = 'payee' | 'amount' | 'reason' | 'countsAs'

/** What the headings of a file may be called, by `likeOf`. */
const HEADINGS: Record<Column, readonly string[]> = {
  payee: ['payee', 'office', 'agent', 'name', 'username'],
  amount: ['amount', 'sum'],
  reason: ['reason', 'description', 'memo', 'note'],
  countsAs: ['countsas', 'whatitis', 'kind'],
}

/** A file without headings has its columns in this order. */
const ORDER: readonly Column[] = ['payee', 'amount', 'reason', 'countsAs']

/** The column that a file may lack. Then all its lines are earned. */
const OPTIONAL: Column = 'countsAs'

/** How a file may say what a line counts as, by `likeOf`. Nothing says `earned`. */
const WORDS: Record<CountsAs, readonly string[]> = {
  earned: ['', 'earned', 'commission', 'bonus', 'clawback'],
  'not income': [
    'notincome',
    'not-income',
    'reimbursement',
    'returnedfee',
    'correction',
    'correctionofapayment',
    'pettycash',
  ],
}

async function readAdjustments(db: DbOrTx, file: string): Promise<ReadAdjustments> {
  const calendar = await getCalendar(db)
  const { payees } = settingsOn(calendar.settings, todayNewYork(nowOf(db)))
  const table = tableIn(Buffer.from(file, 'base64'))
  if ('refused' in table) return { refused: table.refused, problems: [], lines: [] }

  const known = await findKnown(db, payeeKindOf(payees), table.rows)
  const judge = await judgeOf(db)
  const read: ReadAdjustments = { refused: null, problems: [], lines: [] }
  for (const row of table.rows) {
    const { line } = row
    const written = adjustmentIn(row, known)
    if (typeof written === 'string') read.problems.push({ line, problem: written })
    else read.lines.push({ line, ...written, ...(await judge(line, written)) })
  }
  return read
}

type NamedPayee = PayeeKey & { name: string }

/** Whom a file can name, and in which currency they are adjusted. */
type Known = {
  kind: PayeeKind
  /** By name in lower case. */
  named: ReadonlyMap<string, readonly NamedPayee[]>
  currencies: ReadonlyMap<string, Currency>
}

async function findKnown(db: DbOrTx, kind: PayeeKind, rows: readonly Row[]): Promise<Known> {
  const found = await findPayeesNamed(
    db,
    kind,
    rows.map(({ payee }) => payee.text.toLowerCase()),
  )
  const named = Map.groupBy(found, ({ name }) => name.toLowerCase())
  return { kind, named, currencies: await findCurrencies(db, [...named.values()].flat()) }
}

type Written = Pick<
  ReadAdjustments['lines'][number],
  'payee' | 'currency' | 'amount' | 'reason' | 'countsAs'
>

/** The adjustment that a line is, or what is wrong with the line. */
function adjustmentIn(row: Row, known: Known): Written | string {
  const payee = unreadable(row) ?? payeeIn(row.payee.text, known)
  if (typeof payee === 'string') return payee
  const currency = known.currencies.get(payeeText(payee)) ?? 'PHP'
  const amount = amountOf(row.amount.text, currency)
  if (typeof amount === 'string') return amount
  if (row.reason.text === '') return 'has no reason'
  const countsAs = countsAsIn(row.countsAs.text)
  if (countsAs === undefined) return `“${row.countsAs.text}” is neither “earned” nor “not income”`
  const { kind, id } = payee
  const entered = { kind, id, currency, amount, reason: row.reason.text, countsAs }
  const parsed = balancesEndpoints.createAdjustment.body?.safeParse(entered)
  if (parsed && !parsed.success) {
    const [issue] = parsed.error.issues
    return `the ${String(issue?.path[0] ?? 'line')} ${issue?.message ?? ''}`
  }
  return { payee, currency, amount, reason: (parsed?.data ?? entered).reason, countsAs }
}

const countsAsIn = (written: string): CountsAs | undefined =>
  COUNTS_AS.find((one) => WORDS[one].includes(likeOf(written)))

/** Why nothing of a line can be read; undefined if it can. */
function unreadable({ payee, amount, reason, countsAs, tooMany }: Row): string | undefined {
  const cells = [payee, amount, reason, countsAs]
  if (tooMany !== null) return `has more fields than ${tooMany}`
  if (cells.some(({ isFormula }) => isFormula)) return 'has a formula instead of a value'
  if (cells.some(({ text }) => LOST.test(text)))
    return 'has letters that were lost before the file was saved'
  return undefined
}

/** Who is called so, or why nobody is. Case counts only where several names differ by nothing else. */
function payeeIn(written: string, { kind, named }: Known): NamedPayee | string {
  const found = named.get(written.toLowerCase()) ?? []
  const payee = found.length === 1 ? found[0] : found.find(({ name }) => name === written)
  if (payee) return payee
  if (written === '') return `names no ${kind}`
  return found.length > 1
    ? `“${written}” is the name of several ${kind}s, so its case counts`
    : `there is no ${kind} “${written}”`
}

/**
 * Judges the lines of a file in their order: whether one waits for a second person, given those before it, and what it equals,
 * an earlier line or an adjustment that no statement lists yet.
 */
async function judgeOf(db: DbOrTx) {
  const open = new Map(
    (await findOpenAdjustments(db)).map((one) => [equalityOf({ ...one, id: one.payeeId }), one]),
  )
  const limits = new Map<string, AdjustmentLimit>()
  const firstLines = new Map<string, number>()
  return async (
    line: number,
    { payee, currency, amount, reason }: Written,
  ): Promise<{ waits: string | null; equals: string | null }> => {
    const entered = { kind: payee.kind, id: payee.id, currency, amount, reason }
    const key = balanceText(entered)
    const limit = limits.get(key) ?? (await findAdjustmentLimit(db, entered))
    const waits = isAboveLimit(amount, limit)
    limits.set(key, waits ? limit : withAdjusted(limit, amount))
    const equality = equalityOf(entered)
    const first = firstLines.get(equality)
    firstLines.set(equality, first ?? line)
    const twin = open.get(equality)
    return {
      waits: waits ? whyAbove(entered, limit) : null,
      equals:
        first !== undefined
          ? `line ${first}`
          : twin
            ? `an adjustment that ${twin.madeBy} entered on ${dayInWords(twin.madeAt)}`
            : null,
    }
  }
}

/** Adjustments with the same text may be one that was entered twice. */
export const equalityOf = ({
  amount,
  reason,
  ...key
}: BalanceKey & { amount: number; reason: string }): string =>
  `${balanceText(key)} ${amount} ${likeOf(reason)}`

const withAdjusted = (limit: AdjustmentLimit, amount: number): AdjustmentLimit =>
  amount > 0
    ? { ...limit, added: limit.added + amount }
    : { ...limit, subtracted: limit.subtracted - amount }

/** Minor units, or what is wrong with it. */
function amountOf(written: string, currency: Currency): number | string {
  const amounts = amountsIn(written, { currency, isMinor: false })
  const [amount] = amounts
  if (amount === undefined)
    return written === ''
      ? 'has no amount'
      : `“${written}” is not an amount in ${currency === 'PHP' ? 'pesos' : 'dollars'}`
  // A comma before three digits separates thousands, as everywhere in Tallyroom; a point may be either.
  return amounts.length === 1 || /,\d{3}\D*$/.test(written)
    ? amount
    : `“${written}” can be read in two ways: write it without separators of thousands`
}

type Row = Record<Column, Cell> & {
  line: number
  /** Than what it has more fields; null if it has not. */
  tooMany: string | null
}

function tableIn(bytes: Buffer): { rows: Row[] } | { refused: string } {
  try {
    const { rows } = readRows(bytes, (table) =>
      Math.min(...table.slice(0, 20).map(({ cells }) => (cells.length >= 3 ? 3 : 0))),
    )
    return rowsOf(rows)
  } catch (error) {
    if (error instanceof BadFileError) return { refused: error.message }
    throw error
  }
}

function rowsOf(rows: RawTable['rows']): { rows: Row[] } | { refused: string } {
  const [head] = rows
  const headings = head?.cells.map(({ text }) => likeOf(text)) ?? []
  const places = ORDER.map((column) =>
    headings.findIndex((heading) => HEADINGS[column].includes(heading)),
  )
  const missing = ORDER.filter(
    (column, index) => column !== OPTIONAL && isMissing(places[index] ?? -1),
  )
  const hasHeadings = missing.length === 0
  if (!hasHeadings && places.filter((place) => !isMissing(place)).length > 1) {
    return { refused: `there is no column “${missing.join('”, “')}”` }
  }
  const below = hasHeadings ? rows.slice(1) : rows
  const at = hasHeadings ? places : ORDER.map((_, index) => index)
  const width = hasHeadings ? headings.length : ORDER.length
  const most = hasHeadings ? 'its headings' : 'payee, amount, reason and what it counts as'
  if (below.length === 0) return { refused: 'there is no line below the headings' }
  if (below.length > MOST_ADJUSTMENTS)
    return { refused: `it has more than ${MOST_ADJUSTMENTS} lines` }
  const cellAt = (cells: readonly Cell[], index: number): Cell => {
    const cell = cells[at[index] ?? -1]
    return { text: folded(cell?.text ?? ''), isFormula: cell?.isFormula ?? false }
  }
  return {
    rows: below.map(({ line, cells }) => ({
      line,
      payee: cellAt(cells, 0),
      amount: cellAt(cells, 1),
      reason: cellAt(cells, 2),
      countsAs: cellAt(cells, 3),
      tooMany: cells.slice(width).some(({ text }) => text.trim() !== '') ? most : null,
    })),
  }
}

const isMissing = (place: number): boolean => place === -1
