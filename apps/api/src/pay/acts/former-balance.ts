import {
  CURRENCY_NAMES,
  laterText,
  moneyText,
} from '@tallyroom/contract/pay/statements/statement-sections'
import { convert, otherThan } from '@tallyroom/domain/conversion'
import { dayOf } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import {
  type BalanceKey,
  balanceText,
  findBalances,
  findCurrency,
  findInRuns,
  findReceivedSince,
} from '../ledger/balances.queries.ts'
import { getCalendar } from '../terms/calendar.ts'
import { findFree } from '../ledger/held.ts'
import { insertApprovedEntries } from '../ledger/outside.queries.ts'
import { type PayeeKey, isPayee } from '../terms/payees.queries.ts'
import { insertProposal, type Proposal, type ProposedAct } from '../ledger/proposals.queries.ts'
import type { ActOfTwo } from '../proposals/act-of-two.ts'

/*
 * A balance in a currency that its payee has left: no run pays it and no statement reckons with it, so it is changed directly,
 * by two people.
 */

/** A balance in its minor units; 0 without one. */
export async function findBalance(db: DbOrTx, key: BalanceKey): Promise<number> {
  const found = (await findBalances(db, key)).find(({ currency }) => currency === key.currency)
  return found?.balance ?? 0
}

/** Why a balance is not a former one that can be changed now, in a sentence; undefined if it is. */
async function whyNotFormer(db: DbOrTx, key: BalanceKey): Promise<string | undefined> {
  const name = CURRENCY_NAMES[key.currency]
  if (!(await isPayee(db, key))) return `The ${key.kind} no longer exists.`
  if ((await findCurrency(db, key)) === key.currency) return `The payee is paid in ${name} now.`
  if ((await findInRuns(db, key)).has(balanceText(key)))
    return `The balance in ${name} is in a payment run that is not finished.`
  if ((await findBalance(db, key)) === 0) return `The payee has no balance in ${name}.`
  return undefined
}

/**
 * Corrects a former balance. Returns the id of the proposal that waits for a second person.
 *
 * @throws CONFLICT unless it can be changed now.
 */
export async function correctFormer(
  tx: Tx,
  act: Omit<Extract<ProposedAct, { kind: 'correction' }>, 'kind'>,
  entered: Pick<Proposal, 'reason' | 'madeAt' | 'madeBy'>,
): Promise<number> {
  const why = await whyNotFormer(tx, { ...act.payee, currency: act.currency })
  if (why !== undefined) throw conflict(why)
  return insertProposal(tx, {
    act: { kind: 'correction', ...act },
    ...entered,
    why: 'It changes a balance at once, without a statement.',
  })
}

/**
 * Proposes to convert the whole of a former balance into the currency in which the payee is paid now. Returns the
 * proposal's id.
 *
 * @param asked `pesosE4`: ten-thousandths of a peso for a dollar.
 * @throws NOT_FOUND; CONFLICT unless it can be changed now, and nothing of it is held; VALIDATION_ERROR if nothing would be
 * left of it.
 */
export const convertBalance = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  payee: PayeeKey,
  { currency, pesosE4, source }: { currency: Currency; pesosE4: number; source: string },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    await getCalendar(tx)
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    const key = { ...payee, currency }
    const why = await whyNotFormer(tx, key)
    if (why !== undefined) throw conflict(why)
    const { free: amount, later } = await findFree(tx, key, dayOf(tx.now))
    if (later.length > 0)
      throw conflict(
        `A balance is converted as a whole, and this one can’t be paid yet: ${laterText(later, currency)}.`,
      )
    if (convert(amount, currency, pesosE4) === 0)
      throw invalid({
        _form: [`At this rate, nothing is left of ${moneyText(amount, currency)}. Adjust it.`],
      })
    return insertProposal(tx, {
      act: { kind: 'conversion', payee, currency, amount, pesosE4 },
      reason: source,
      why: 'Balances are converted by two people.',
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
  })

const former = {
  lock: 'balances',
  whyOutdated: (db: DbOrTx, { act: { payee, currency } }: Proposal<'correction' | 'conversion'>) =>
    whyNotFormer(db, { ...payee, currency }),
} as const

export const correction: ActOfTwo<'correction'> = {
  ...former,
  async whyOutdated(db, proposal) {
    const { payee, currency } = proposal.act
    const key = { ...payee, currency }
    const received = await findReceivedSince(db, key, proposal.madeAt)
    if (received === 0) return former.whyOutdated(db, proposal)
    const left = moneyText(await findBalance(db, key), currency)
    return `${moneyText(received, currency)} was received in the meantime, and the balance is ${left} now.`
  },
  async carryOut(tx, proposal) {
    const { payee, currency, amount } = proposal.act
    await insertApprovedEntries(tx, proposal, [
      { ...payee, currency, amount, entryKind: 'correction' },
    ])
    return null
  },
  present: ({ payee, ...act }, names) => ({ ...act, payee: names.payee(payee) }),
}

export const conversion: ActOfTwo<'conversion'> = {
  ...former,
  async whyOutdated(db, proposal) {
    const { payee, currency, amount } = proposal.act
    const why = await former.whyOutdated(db, proposal)
    if (why !== undefined) return why
    const balance = await findBalance(db, { ...payee, currency })
    return balance === amount
      ? undefined
      : `The balance is ${moneyText(balance, currency)} now, not ${moneyText(amount, currency)}.`
  },
  async carryOut(tx, proposal) {
    const { payee, currency, amount, pesosE4 } = proposal.act
    const entryKind = 'conversion'
    const to = { currency: otherThan(currency), amount: convert(amount, currency, pesosE4) }
    await insertApprovedEntries(tx, proposal, [
      { ...payee, currency, amount: -amount, entryKind },
      { ...payee, ...to, entryKind },
    ])
    return null
  },
  present: ({ payee, ...act }, names) => ({
    ...act,
    payee: names.payee(payee),
    converted: convert(act.amount, act.currency, act.pesosE4),
  }),
}
