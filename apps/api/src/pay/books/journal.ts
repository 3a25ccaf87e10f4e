import type { AnswerOf } from '@tallyroom/contract/endpoint'
import {
  type booksEndpoints,
  type JournalAccount,
  type JournalAccounts,
  type JournalLine,
  USUAL_ACCOUNTS,
} from '@tallyroom/contract/pay/books'
import type { BalanceEntryKind } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import { insertRows } from '../../db/rows.queries.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inSnapshot, inTransaction } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import { findJournalAccounts, findMonths } from './journal.queries.ts'
import { findMovements, type Movement } from './movements.queries.ts'

/** The journal of a month, YYYY-MM, and the months that have one. */
export const getJournal = (
  { db }: Pick<Services, 'db'>,
  month: string,
): Promise<AnswerOf<(typeof booksEndpoints)['journal']>> =>
  inSnapshot(db, async (tx) => ({
    accounts: await getJournalAccounts(tx),
    months: await findMonths(tx),
    lines: journalOf(await findMovements(tx, periodOf(`${month}-01`, 'month'))),
  }))

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

/** Against what each kind of entry changes what is owed, and what it is, as a text. */
const kinds: Record<
  BalanceEntryKind,
  { against: JournalAccount; text: (one: Movement) => string; document: (one: Movement) => string }
> = {
  statement: {
    against: 'commissions',
    text: ({ statement }) => `Statement ${statement}`,
    document: ({ statement }) => statement ?? '',
  },
  payment: { against: 'bank', text: transfer('is paid'), document: runOf },
  failed: { against: 'bank', text: transfer('failed'), document: runOf },
  cancelled: { against: 'bank', text: transfer('was cancelled'), document: runOf },
  returned: {
    against: 'bank',
    text: (one) => transfer(`came back on ${one.returnedOn}`)(one),
    document: runOf,
  },
  outside: {
    against: 'outside',
    text: ({ outside, reason }) =>
      `Paid outside on ${outside?.paidOn} (${outside?.way})${reason ? `: ${reason}` : ''}`,
    document: ({ outside }) => outside?.voucher ?? '',
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
    against: 'clearing',
    text: ({ reason }) => `Advance: ${reason}`,
    document: () => '',
  },
  instalment: {
    against: 'clearing',
    text: ({ statement }) => `Advance taken back by statement ${statement}`,
    document: ({ statement }) => statement ?? '',
  },
  tax: {
    against: 'withheld',
    text: ({ statement, amount }) =>
      `Tax ${amount < 0 ? 'withheld' : 'given back'} by statement ${statement}`,
    document: ({ statement }) => statement ?? '',
  },
}

function transfer(became: string): (one: Movement) => string {
  return ({ reference, reason }) => `Transfer ${reference} ${became}${reason ? `: ${reason}` : ''}`
}

function runOf({ run }: Movement): string {
  return run ?? ''
}

/** Two lines for each entry: what is owed, and against what. Nothing for a statement of 0. */
const journalOf = (movements: readonly Movement[]): JournalLine[] =>
  movements.flatMap((one): JournalLine[] => {
    const { amount } = one
    if (amount === 0) return []
    const { against, text, document } = kinds[one.kind]
    const line = (account: JournalAccount, debit: number): JournalLine => ({
      entry: one.id,
      day: one.day,
      account,
      debit: Math.max(0, debit),
      credit: Math.max(0, -debit),
      currency: one.currency,
      payee: one.payee.name,
      reference: one.reference ?? '',
      document: document(one),
      text: text(one),
    })
    // A debit first, as journals have it.
    return amount > 0
      ? [line(against, amount), line('payable', -amount)]
      : [line('payable', -amount), line(against, amount)]
  })
