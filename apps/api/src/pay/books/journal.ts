import type { AnswerOf } from '@tallyroom/contract/endpoint'
import {
  type booksEndpoints,
  type JournalAccount,
  type JournalAccounts,
  type JournalLine,
  USUAL_ACCOUNTS,
} from '@tallyroom/contract/pay/books'
import type { BalanceEntryKind } from '@tallyroom/domain/pay'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { dayIn } from '@tallyroom/domain/time-zones'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import { insertRows } from '../../db/rows.queries.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inSnapshot, inTransaction, nowOf } from '../../db/transaction.ts'
import { conflict } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { getBankTimeZone, lockBalances } from '../terms/settings.queries.ts'
import { findClosedMonth, findJournalAccounts } from './journal.queries.ts'
import { findJournalMovements, findMonths, type Movement } from './movements.queries.ts'

/** The journal of a month, YYYY-MM, up to today where the bank is, and the months that have one. */
export const getJournal = (
  { db }: Pick<Services, 'db'>,
  month: string,
): Promise<AnswerOf<(typeof booksEndpoints)['journal']>> =>
  inSnapshot(db, async (tx) => {
    const days = periodOf(`${month}-01`, 'month')
    const { bank, closed, isOver, isClosed } = await stateOf(tx, month)
    const lines = journalOf(await findJournalMovements(tx, days))
    return {
      accounts: await getJournalAccounts(tx),
      months: await findMonths(tx, bank),
      closed: closed ? { ...closed, closedAt: closed.closedAt.toISOString() } : null,
      canClose: isOver && !isClosed,
      lines: lines
        .filter(({ day }) => day >= days.start && day <= days.end && day <= bank)
        .toSorted((one, other) => compareDays(one.day, other.day)),
    }
  })

const compareDays = (one: Day, other: Day): number => (one < other ? -1 : one > other ? 1 : 0)

/**
 * Whether a month is over in New York, where pay is earned, and where the bank is, and whether it was closed. `bank`: today there;
 * `closed`: the last month that was.
 */
async function stateOf(db: DbOrTx, month: string) {
  const now = nowOf(db)
  const bank = dayIn(await getBankTimeZone(db), now)
  const { end } = periodOf(`${month}-01`, 'month')
  const closed = await findClosedMonth(db)
  return {
    bank,
    closed,
    isOver: end < dayOf(now) && end < bank,
    isClosed: closed !== undefined && closed.month >= month,
  }
}

/**
 * Closes a month and all before it: what is entered from now on and belongs there is booked on the first day after it. It
 * can't be opened again, as it was exported. Closing what is closed changes nothing.
 *
 * @throws CONFLICT for a month that is not over.
 */
export function closeMonth(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  month: string,
): Promise<void> {
  refuseSignedInAs(viewer)
  return inTransaction(db, async (tx) => {
    // No entry is half made: whoever makes one holds the balances.
    await lockBalances(tx)
    const { isOver, isClosed } = await stateOf(tx, month)
    if (!isOver) throw conflict(`${month} is not over.`)
    if (isClosed) return
    await insertRows(tx, 'closed_months', {
      month,
      closed_at: tx.now,
      closed_by: viewer.accountId,
      closed_by_name: viewer.username,
    })
  })
}

export const getJournalAccounts = async (db: DbOrTx): Promise<JournalAccounts> =>
  (await findJournalAccounts(db)) ?? USUAL_ACCOUNTS

export function saveJournalAccounts(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { taxRate, ...accounts }: JournalAccounts,
): Promise<void> {
  refuseSignedInAs(viewer)
  return inTransaction(db, (tx) =>
    insertRows(tx, 'journal_accounts', {
      ...accounts,
      tax_rate: taxRate,
      set_at: tx.now,
      set_by: viewer.accountId,
    }),
  )
}

/** Against what each kind of entry changes what is owed on its day, and what it is, as a text. */
const kinds: Record<
  BalanceEntryKind,
  {
    against: JournalAccount | ((one: Movement) => JournalAccount)
    text: (one: Movement) => string
    document: (one: Movement) => string
  }
> = {
  statement: {
    against: 'commissions',
    text: ({ statement }) => `Statement ${statement}`,
    document: ({ statement }) => statement ?? '',
  },
  payment: { against: 'bank', text: transfer('is paid'), document: runOf },
  failed: { against: atBank, text: transfer('failed'), document: runOf },
  cancelled: { against: atBank, text: transfer('was cancelled'), document: runOf },
  returned: {
    against: 'bank',
    text: (one) => transfer(`came back on ${one.returnedOn}`)(one),
    document: runOf,
  },
  outside: {
    against: 'outside',
    text: ({ outside, reason }) =>
      `Paid outside on ${outside?.paidOn} (${outside?.way})${reason ? `: ${reason}` : ''}`,
    document: voucherOf,
  },
  correction: {
    against: 'commissions',
    text: ({ isWriteOff, reason }) =>
      `${isWriteOff ? 'Write-off' : 'Correction'} of a former balance: ${reason}`,
    document: () => '',
  },
  conversion: {
    against: 'clearing',
    text: ({ reason }) => `Conversion of a former balance: ${reason}`,
    document: () => '',
  },
  advance: {
    against: ofAdvances,
    text: ({ reason }) => `Advance: ${reason}`,
    document: () => '',
  },
  instalment: {
    against: ofAdvances,
    text: ({ statement }) => `Advance taken back by statement ${statement}`,
    document: ({ statement }) => statement ?? '',
  },
  tax: {
    against: 'withheld',
    text: ({ statement, amount }) =>
      `Tax ${amount < 0 ? 'withheld' : 'given back'} by statement ${statement}`,
    document: ({ statement }) => statement ?? '',
  },
  received: {
    against: ({ outside }) => (outside?.way === 'transfer' ? 'bank' : 'outside'),
    text: ({ outside, reason }) =>
      `Money received on ${outside?.paidOn} (${outside?.way}): ${reason}`,
    document: voucherOf,
  },
  'given back': {
    against: ofAdvances,
    text: ({ reason }) => `Advance given back: ${reason}`,
    document: voucherOf,
  },
}

function voucherOf({ outside }: Movement): string {
  return outside?.voucher ?? ''
}

function transfer(became: string): (one: Movement) => string {
  return ({ reference, reason }) => `Transfer ${reference} ${became}${reason ? `: ${reason}` : ''}`
}

function runOf({ run }: Movement): string {
  return run ?? ''
}

/** Until there was an account of their own, advances stood between the currencies. */
function ofAdvances({ isAsEntered }: Movement): JournalAccount {
  return isAsEntered ? 'clearing' : 'advances'
}

/** Where what failed or was cancelled comes back from. */
function atBank({ neverLeft }: Movement): JournalAccount {
  return neverLeft ? 'transit' : 'bank'
}

type Posting = {
  entry: string
  day: Day
  belongs: Day
  from: JournalAccount
  to: JournalAccount
  amount: number
}

/**
 * What an entry moves between two accounts, and on which days. What is not income has lines of its own in the same entry. A
 * transfer is in transit from its approval until the bank's day; one that never left goes back from there.
 */
function postingsOf(one: Movement): Posting[] {
  const { id, kind, amount, notIncome, day, belongs, entered, neverLeft } = one
  const { against } = kinds[kind]
  const account = typeof against === 'function' ? against(one) : against
  const entry = String(id)
  const onDay = day !== null && belongs !== null ? { day, belongs } : undefined
  if (kind !== 'payment' || (!neverLeft && onDay?.day === entered))
    return onDay
      ? [
          { entry, ...onDay, from: 'payable', to: account, amount: amount - notIncome },
          { entry, ...onDay, from: 'payable', to: 'reimbursements', amount: notIncome },
        ]
      : []
  const approved = {
    entry,
    day: entered,
    belongs: entered,
    from: 'payable',
    to: 'transit',
    amount,
  } as const
  if (neverLeft || !onDay) return [approved]
  return [approved, { entry: `${id}b`, ...onDay, from: 'transit', to: 'bank', amount }]
}

/** Two lines for each posting. Nothing for one of 0. */
const journalOf = (movements: readonly Movement[]): JournalLine[] =>
  movements.flatMap((one) => {
    const { text, document } = kinds[one.kind]
    return postingsOf(one).flatMap(({ entry, day, belongs, from, to, amount }): JournalLine[] => {
      if (amount === 0) return []
      const line = (account: JournalAccount, debit: number): JournalLine => ({
        entry,
        day,
        belongs,
        account,
        debit: Math.max(0, debit),
        credit: Math.max(0, -debit),
        currency: one.currency,
        payee: one.payee.name,
        reference: one.reference ?? '',
        document: document(one),
        text: to === 'reimbursements' ? `${text(one)}, not income` : text(one),
      })
      // A debit first, as journals have it.
      return amount > 0
        ? [line(to, amount), line(from, -amount)]
        : [line(from, -amount), line(to, amount)]
    })
  })
