import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Day } from '@tallyroom/domain/new-york'
import { CURRENCIES, type Currency, filledBy, type ReceivedWay } from '@tallyroom/domain/pay'
import { daysInWords } from '@tallyroom/domain/periods'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { openOf } from '../ledger/advances.ts'
import { type Advance, findAdvances } from '../ledger/advances.queries.ts'
import { type BalanceKey, balanceText, findBalances } from '../ledger/balances.queries.ts'
import { findGivenUp } from '../ledger/given-up.queries.ts'
import { findSameVoucher, insertApprovedEntries } from '../ledger/outside.queries.ts'
import { insertProposal, type Proposal } from '../ledger/proposals.queries.ts'
import type { ActOfTwo } from '../proposals/act-of-two.ts'
import { getCalendar } from '../terms/calendar.ts'
import { type PayeeKey, isPayee } from '../terms/payees.queries.ts'
import { refusePaidOn } from './outside.ts'

/**
 * Enters what a payee paid back: it ends advances, the oldest first, and raises a negative balance by the rest. Of one who was
 * deleted, it takes back what was given up. It always waits for a second person, who sees the receipt or the bank's statement. Returns the proposal's id.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a day that is not within the last year, a currency in which nothing is owed, or more
 * than is owed; CONFLICT if the voucher was entered before.
 */
export const receiveMoney = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  payee: PayeeKey,
  {
    reason,
    ...received
  }: {
    currency: Currency
    amount: number
    way: ReceivedWay
    paidOn: Day
    voucher: string
    reason: string
  },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    await getCalendar(tx)
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    const { currency, amount, paidOn, voucher } = received
    await refusePaidOn(tx, paidOn)
    const [same] = await findSameVoucher(tx, { kind: 'money received', payee, ...received })
    if (same)
      throw conflict(`${same.by} has already entered money from them with the voucher ${voucher}.`)
    const owes = await findOwes(tx, { ...payee, currency })
    if (owes.all === 0) throw invalid({ currency: [await whyNothing(tx, payee)] })
    if (amount > owes.all) throw invalid({ amount: [moreThan(owes, currency)] })
    const early = paidAfter(received, owes)
    if (early)
      throw invalid({
        paidOn: [`must not be before ${early}, when the advance that it ends was paid`],
      })
    return insertProposal(tx, {
      act: { kind: 'money received', payee, ...received },
      reason,
      why: 'It was paid back without a statement.',
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
  })

/** What a payee owes in a currency, in its minor units. */
type Owes = {
  /** Those of which something is open, oldest first. */
  advances: readonly Advance[]
  /** What the balance lacks. */
  ofBalance: number
  /** What was given up of it. */
  givenUp: number
  all: number
}

async function findOwes(db: DbOrTx, key: BalanceKey): Promise<Owes> {
  const found = (await findAdvances(db, { only: key })).get(balanceText(key)) ?? []
  const advances = found.filter((one) => openOf(one) > 0)
  const own = (await findBalances(db, key)).find(({ currency }) => currency === key.currency)
  const open = advances.reduce((sum, one) => sum + openOf(one), 0)
  const ofBalance = Math.max(0, -(own?.balance ?? 0))
  const gone = (await findGivenUp(db, key)).find(({ currency }) => currency === key.currency)
  const givenUp = gone?.amount ?? 0
  return { advances, ofBalance, givenUp, all: open + ofBalance + givenUp }
}

/** What of an amount ends which advances. The rest raises the balance, and then takes back what was given up. */
function endedBy(amount: number, { advances }: Owes): { advance: Advance; amount: number }[] {
  const parts = filledBy(amount, advances.map(openOf))
  return advances
    .map((advance, place) => ({ advance, amount: parts[place] ?? 0 }))
    .filter((one) => one.amount > 0)
}

/** When an advance was paid that money of a day would end before that; undefined if none would be. */
function paidAfter(
  { amount, paidOn }: { amount: number; paidOn: Day },
  owes: Owes,
): string | undefined {
  const early = endedBy(amount, owes).find(({ advance }) => advance.paidOn > paidOn)
  return early && daysInWords({ start: early.advance.paidOn, end: early.advance.paidOn })
}

async function whyNothing(db: DbOrTx, payee: PayeeKey): Promise<string> {
  const owed: string[] = []
  for (const currency of CURRENCIES) {
    const { all } = await findOwes(db, { ...payee, currency })
    if (all > 0) owed.push(moneyText(all, currency))
  }
  return owed.length === 0
    ? 'is not owed: they owe nothing'
    : `is not the one in which they owe: that is ${owed.join(' and ')}`
}

const moreThan = ({ all }: Owes, currency: Currency, now = ''): string =>
  `is more than the ${moneyText(all, currency)} that they owe${now}`

/** Why money that was received can't be approved any more; undefined if it can. */
async function whyReceivedOutdated(
  db: DbOrTx,
  { act }: Proposal<'money received'>,
): Promise<string | undefined> {
  if (!(await isPayee(db, act.payee))) return `The ${act.payee.kind} no longer exists.`
  const same = (await findSameVoucher(db, act)).find(({ approved }) => approved)
  if (same) return `Money with the voucher ${act.voucher} was approved in the meantime.`
  const owes = await findOwes(db, { ...act.payee, currency: act.currency })
  if (act.amount > owes.all)
    return `${moneyText(act.amount, act.currency)} ${moreThan(owes, act.currency, ' now')}. Enter what they owe, and what is above it as an adjustment that is not income.`
  const early = paidAfter(act, owes)
  return early && `The advance that it would end was paid on ${early}, after that day.`
}

/** What a payee paid back. */
export const moneyReceived: ActOfTwo<'money received'> = {
  lock: 'balances',
  whyOutdated: whyReceivedOutdated,
  async carryOut(tx, proposal) {
    const { payee, currency, amount } = proposal.act
    const key = { ...payee, currency }
    const owes = await findOwes(tx, key)
    const ended = endedBy(amount, owes)
    const rest = ended.reduce((left, one) => left - one.amount, amount)
    const back = Math.max(0, rest - owes.ofBalance)
    await insertApprovedEntries(tx, proposal, [
      // First, so that what it ends takes nothing of the balance.
      { ...key, amount, entryKind: 'received' },
      ...ended.map((one) => ({
        ...key,
        amount: -one.amount,
        entryKind: 'given back' as const,
        advanceId: one.advance.proposalId,
      })),
      ...(back > 0 ? [{ ...key, amount: -back, entryKind: 'given up' as const }] : []),
    ])
    return null
  },
  // Whoever is named as having paid knows best whether they did.
  tells: ({ payee, currency, amount, way, paidOn, voucher }) => [
    { kind: 'received', payee, currency, amount, way, paidOn, voucher },
  ],
  present: ({ payee, ...act }, names) => ({ ...act, payee: names.payee(payee) }),
}
