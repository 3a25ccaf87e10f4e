import type { JournalAccount, JournalLine } from '@tallyroom/contract/pay/books/books'
import type { Day } from '@tallyroom/domain/new-york'
import type { BalanceEntryKind, Currency } from '@tallyroom/domain/pay'
import type { Movement } from './movements.queries.ts'

/** Against what each kind of entry changes what is owed on its day, and what it is, as a text. */
const kinds: Record<
  BalanceEntryKind,
  {
    against: JournalAccount | ((one: Movement) => JournalAccount)
    text: (one: Movement, posting: Pick<Posting, 'to'>) => string
    document: (one: Movement) => string
  }
> = {
  statement: {
    against: 'commissions',
    text: ({ statement }) => `Statement ${statement}`,
    document: ({ statement }) => statement ?? '',
  },
  payment: {
    against: 'bank',
    // What is in transit has not been paid yet.
    text: (one, { to }) => transfer(to === 'transit' ? 'was approved' : 'is paid')(one),
    document: runOf,
  },
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
  'given up': {
    against: 'givenUp',
    text: ({ outside, isOfAdvance, reason }) =>
      outside
        ? `Received of what was given up: ${reason}`
        : isOfAdvance
          ? `Advance of a deleted payee: ${reason}`
          : 'Balance of a deleted payee',
    document: voucherOf,
  },
  'advance given up': {
    against: ofAdvances,
    text: ({ reason }) => `Advance given up: ${reason}`,
    document: () => '',
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

/** What moves between two accounts. */
export type Posting = {
  /** The entry of a balance by its id; ends in b on the bank's day, if it was in transit before. What was exported otherwise adds -2 and so on. */
  entry: string
  day: Day
  belongs: Day
  from: JournalAccount
  to: JournalAccount
  /** In minor units of the currency; negative: from `to` to `from`. Never 0. */
  amount: number
  currency: Currency
  /** It takes back what was exported before, and no longer holds. */
  takesBack?: true
}

/** The id of the entry of a balance that a posting is of. */
export const movementOf = ({ entry }: Pick<Posting, 'entry'>): number => Number.parseInt(entry, 10)

/**
 * What an entry moves between two accounts, and on which days. What is not income has lines of its own in the same entry. A
 * transfer is in transit from its approval until the bank's day; one that never left goes back from there.
 */
export const postingsOf = (one: Movement): Posting[] =>
  allOf(one).filter(({ amount }) => amount !== 0)

function allOf(one: Movement): Posting[] {
  const { id, kind, amount, notIncome, day, belongs, entered, neverLeft, currency } = one
  const { against } = kinds[kind]
  const account = typeof against === 'function' ? against(one) : against
  const entry = String(id)
  const onDay = day !== null && belongs !== null ? { day, belongs } : undefined
  if (kind !== 'payment' || (!neverLeft && onDay?.day === entered))
    return onDay
      ? [
          { entry, ...onDay, from: 'payable', to: account, amount: amount - notIncome, currency },
          { entry, ...onDay, from: 'payable', to: 'reimbursements', amount: notIncome, currency },
        ]
      : []
  const approved = {
    entry,
    day: entered,
    belongs: entered,
    from: 'payable',
    to: 'transit',
    amount,
    currency,
  } as const
  if (neverLeft || !onDay) return [approved]
  return [approved, { entry: `${id}b`, ...onDay, from: 'transit', to: 'bank', amount, currency }]
}

/** The two lines of each posting, which is of one of these movements. */
export function linesOf(
  postings: readonly Posting[],
  movements: readonly Movement[],
): JournalLine[] {
  const known = new Map(movements.map((one) => [one.id, one]))
  return postings.flatMap((posting): JournalLine[] => {
    const { entry, day, belongs, from, to, amount, currency, takesBack } = posting
    const one = known.get(movementOf(posting))
    if (!one) return []
    const { text, document } = kinds[one.kind]
    const said = to === 'reimbursements' ? `${text(one, posting)}, not income` : text(one, posting)
    const line = (account: JournalAccount, debit: number): JournalLine => ({
      entry,
      day,
      belongs,
      account,
      debit: Math.max(0, debit),
      credit: Math.max(0, -debit),
      currency,
      payee: one.payee.name,
      payeeKey: { kind: one.payee.kind, id: one.payee.id },
      reference: one.reference ?? '',
      document: document(one),
      text: takesBack ? `No longer so: ${said}` : said,
    })
    // A debit first, as journals have it.
    return amount > 0
      ? [line(to, amount), line(from, -amount)]
      : [line(from, -amount), line(to, amount)]
  })
}
