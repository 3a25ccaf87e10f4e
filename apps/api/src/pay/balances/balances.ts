import {
  type Balance,
  type BalanceItem,
  USUAL_HOLD,
} from '@tallyroom/contract/pay/balances/balances'
import { institutionName } from '@tallyroom/domain/institutions'
import { can } from '@tallyroom/domain/abilities'
import { todayNewYork } from '@tallyroom/domain/new-york'
import {
  minimumIn,
  CURRENCIES,
  type Currency,
  freeOf,
  isPaidOut,
  settingsOn,
} from '@tallyroom/domain/pay'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { insertSealed, lockSealHead } from '../../seals/index.ts'
import { findAccountInForce } from '../accounts/standings.ts'
import { findBank } from '../terms/bank.ts'
import { findApproversAfter, type NextRun } from '../runs/next-approvers.ts'
import { refuseForged } from '../evidence/evidence.ts'
import { findAdvances } from '../ledger/advances.queries.ts'
import { findGivenUp } from '../ledger/given-up.queries.ts'
import { findToGiveUp } from '../outside/give-up.ts'
import {
  findAdjustments,
  findDoubted,
  findEntries,
  findHoldHistory,
} from '../ledger/adjustments.queries.ts'
import {
  balanceText,
  findAwaitingAccounts,
  findBalances,
  findCurrencies,
  findCurrency,
  findHeldParts,
  findHolds,
  findMinimums,
  findInRuns,
  findWaitingDays,
  type Hold,
} from '../ledger/balances.queries.ts'
import {
  findDeleted,
  findPayeeNames,
  type PayeeKey,
  payeeText,
  isPayee,
} from '../terms/payees.queries.ts'
import { findCalendar, getCalendar } from '../terms/calendar.ts'
import { tellPayees } from '../statements/tell-payees.ts'
import { refuseOther, takeBackWaits } from '../acts/adjust.ts'
import {
  findAdjustmentLimit,
  findWaitingProposals,
  type ProposedAct,
} from '../ledger/proposals.queries.ts'
import { refuseForeignPayee } from '../terms/own-payee.ts'

type Needed = Pick<Services, 'db' | 'clock'>

/** All balances, highest first, pesos before dollars. */
export async function listBalances({ db, clock }: Needed): Promise<BalanceItem[]> {
  const items = await findItems(db, clock.now(), { forStaff: true })
  return items.toSorted((one, other) =>
    one.currency === other.currency ? other.balance - one.balance : one.currency === 'PHP' ? -1 : 1,
  )
}

/** @throws NOT_FOUND, also when an office or agent asks for another payee. */
export async function getBalance(
  { db, clock }: Needed,
  viewer: Viewer,
  payee: PayeeKey,
): Promise<Balance> {
  await refuseForeignPayee(db, viewer, payee)
  const now = clock.now()
  const names = await findPayeeNames(db, [payee])
  const calendar = await findCalendar(db)
  const forStaff = can(viewer, 'pay.manage')
  const adjustments = await findAdjustments(db, payee)
  const currency = await findCurrency(db, payee)
  const named = { ...payee, name: names.get(payeeText(payee)) ?? '' }
  const limit = await findAdjustmentLimit(db, { ...payee, currency })
  const doubted = await findDoubted(
    db,
    adjustments.flatMap(({ heldBackFor }) => heldBackFor ?? []),
  )
  const heldBackFor = (id: number) => {
    const { name = `deleted agent ${id}`, isDoubted = false } = doubted.get(id) ?? {}
    return { id, name, isDoubted }
  }
  return {
    payees: calendar ? settingsOn(calendar.settings, todayNewYork(now)).payees : null,
    payee: named,
    currency,
    balances: await findItems(db, now, { only: payee, forStaff }),
    ownMinimums: await findOwnMinimums(db, payee),
    entries: (await findEntries(db, payee)).map(({ payment, ...entry }) => ({
      ...withMadeAt(entry),
      payment: payment && {
        state: payment.state,
        bankReference: payment.bankReference,
        part: payment.part,
        isPart: payment.isPart,
        executionDay: payment.executionDay,
        institutionName: institutionName(payment.institution ?? ''),
        lastCharacters: payment.lastCharacters ?? '',
      },
    })),
    advances: await findShownAdvances(db, payee, currency),
    givenUp: await findGivenUp(db, payee),
    ...(can(viewer, 'agents.delete') && { toGiveUp: await findToGiveUp(db, payee) }),
    adjustments: adjustments.map(
      ({ madeBy, madeById, approvedBy, heldBackFor: agentId, ...adjustment }) => ({
        ...withMadeAt(adjustment),
        ...(forStaff && {
          madeBy,
          approvedBy,
          heldBackFor: agentId === null ? null : heldBackFor(agentId),
          takeBackWaits: takeBackWaits({ ...adjustment, approvedBy, madeById }, viewer, limit),
        }),
      }),
    ),
    ...(forStaff && {
      waiting: await findWaitingFor(db, payee),
      adjustmentLimit: limit,
      approversAfter: await approversAfter(db, now, { payee: named, currency }, viewer),
      bank: await findBank(db),
    }),
    holds: (await findHoldHistory(db, payee)).map((hold) => ({
      ...shownHold(hold, forStaff),
      told: hold.told ?? (hold.held ? USUAL_HOLD : null),
      held: hold.held,
    })),
  }
}

/** Who could still approve the payee's next run after the viewer has done something to it alone; null if that bars nobody. */
async function approversAfter(
  db: DbOrTx,
  now: Date,
  next: Pick<NextRun, 'payee' | 'currency'>,
  { accountId: by }: Viewer,
): Promise<string[] | null> {
  const account = await findAccountInForce(db, next.payee)
  const run = { ...next, accountId: account?.id ?? null }
  return (await findApproversAfter(db, now, [run], by))[0] ?? null
}

async function findShownAdvances(
  db: DbOrTx,
  payee: PayeeKey,
  paidIn: Currency,
): Promise<Balance['advances']> {
  const deleted = await findDeleted(db, [payee])
  const advances = [...(await findAdvances(db, { only: payee })).values()].flat()
  return advances
    .toReversed()
    .map(({ proposalId: id, advanced: amount, reason: _reason, ...one }) => ({
      ...one,
      id,
      amount,
      ended: deleted.has(payeeText(payee))
        ? 'deleted'
        : one.currency === paidIn
          ? null
          : 'currency',
    }))
}

const CHANGES_BALANCE = [
  'adjustment',
  'payment outside',
  'money received',
  'correction',
  'conversion',
] as const

type Changing = Extract<ProposedAct, { kind: (typeof CHANGES_BALANCE)[number] }>

/** Whether an act is shown on the page of the balance that it changes. Results and returns are shown with their run. */
const changesBalance = (act: ProposedAct): act is Changing =>
  CHANGES_BALANCE.some((kind) => kind === act.kind)

async function findWaitingFor(db: DbOrTx, payee: PayeeKey): Promise<Balance['waiting']> {
  const waiting = await findWaitingProposals(db)
  return waiting.flatMap(({ id, act, reason, madeAt, madeBy }) => {
    if (!changesBalance(act) || payeeText(act.payee) !== payeeText(payee)) return []
    return {
      id,
      kind: act.kind,
      currency: act.currency,
      amount:
        act.kind === 'payment outside' || act.kind === 'conversion' ? -act.amount : act.amount,
      countsAs: 'countsAs' in act ? act.countsAs : null,
      reason,
      madeAt: madeAt.toISOString(),
      madeBy: madeBy.name,
    }
  })
}

/** Payees never learn why they are on hold, nor who did it, unless somebody wrote it for them. */
const shownHold = (
  { reason, setBy, told, setAt }: Pick<Hold, 'reason' | 'setBy' | 'told' | 'setAt'>,
  forStaff: boolean,
) => ({
  ...(forStaff && { reason, setBy }),
  told: told ?? USUAL_HOLD,
  setAt: setAt.toISOString(),
})

const withMadeAt = <Row extends { madeAt: Date }>(row: Row) => ({
  ...row,
  madeAt: row.madeAt.toISOString(),
})

async function findItems(
  db: DbOrTx,
  now: Date,
  { only, forStaff }: { only?: PayeeKey; forStaff: boolean },
): Promise<BalanceItem[]> {
  const balances = await findBalances(db, only)
  if (balances.length === 0) return []
  const names = await findPayeeNames(db, balances)
  const deleted = await findDeleted(db, balances)
  const holds = await findHolds(db, only)
  const minimums = await findMinimums(db, only)
  const inRuns = await findInRuns(db, only)
  const currencies = await findCurrencies(db, only && [only])
  const awaiting = await findAwaitingAccounts(db, only)
  const today = todayNewYork(now)
  const waiting = await findWaitingDays(db, today, only)
  const heldParts = await findHeldParts(db, today, only)
  const settings = settingsOn((await getCalendar(db)).settings, today)
  return balances.map(({ kind, id, currency, balance }) => {
    const key = payeeText({ kind, id })
    const hold = holds.get(key)
    const own = minimums.get(balanceText({ kind, id, currency }))
    const { running = 0, prepared = 0 } = inRuns.get(balanceText({ kind, id, currency })) ?? {}
    const { free, later } = freeOf(
      balance,
      heldParts.get(balanceText({ kind, id, currency })) ?? [],
    )
    const minimum = own ?? minimumIn(currency, settings)
    return {
      payee: { kind, id, name: names.get(key) ?? '' },
      currency,
      balance,
      running,
      later,
      left: free - prepared,
      minimum,
      ownMinimum: own !== undefined,
      hold: hold ? shownHold(hold, forStaff) : null,
      paidFrom: waiting.get(key) ?? null,
      state: blockOf(
        { balance, free, minimum },
        {
          isDeleted: deleted.has(key),
          held: hold !== undefined,
          awaits: awaiting.has(key),
          isNew: waiting.has(key),
          hasAccount: currencies.get(key) === currency,
        },
      ),
    }
  })
}

async function findOwnMinimums(db: DbOrTx, payee: PayeeKey): Promise<Balance['ownMinimums']> {
  const minimums = await findMinimums(db, payee)
  return CURRENCIES.flatMap((currency) => {
    const amount = minimums.get(balanceText({ ...payee, currency }))
    return amount === undefined ? [] : [{ currency, amount }]
  })
}

/** `payable`, or why a balance would not be paid now. */
export function blockOf(
  { balance, free, minimum }: { balance: number; free: number; minimum: number },
  account: {
    isDeleted?: boolean
    held: boolean
    awaits: boolean
    isNew: boolean
    hasAccount: boolean
  },
): BalanceItem['state'] {
  if (balance < 0) return 'negative'
  if (balance === 0) return 'nothing'
  if (account.isDeleted) return 'deleted'
  if (account.held) return 'held'
  if (account.awaits) return 'account-waits'
  if (account.isNew) return 'account-new'
  if (balance < minimum) return 'below-minimum'
  if (!account.hasAccount) return 'no-account'
  return isPaidOut(free, minimum) ? 'payable' : 'later'
}

/**
 * Puts a payee on hold or releases it, with a reason for staff. A hold stops payments, not statements.
 *
 * @param act `seen`: when the hold was set that the caller looks at. Without it, the one in force is changed.
 * @throws CONFLICT if there is none to lift, or another one than the caller looks at.
 */
export const setHold = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  payee: PayeeKey,
  {
    held,
    reason,
    told,
    seen,
  }: { held: boolean; reason: string; told: string; seen?: string | null | undefined },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    // Of two at once, the second finds the hold of the first. Holds never wait for a closing.
    await lockSealHead(tx)
    const now = (await findHolds(tx, payee)).get(payeeText(payee))
    if (seen !== undefined && seen !== (now?.setAt.toISOString() ?? null))
      throw conflict(
        now
          ? `${now.setBy} has put them on hold: “${now.reason}”. Look at it first.`
          : 'Somebody else has lifted the hold. Reload the page.',
      )
    if (!held && !now) throw conflict('They are not on hold.')
    if (!held) await refuseForged(tx, { payees: [payee] })
    await insertSealed(tx, 'pay_holds', {
      payee_kind: payee.kind,
      payee_id: payee.id,
      held,
      reason,
      told: told || null,
      // Staff may write another reason, but an account that its payee did not enter stays with the hold.
      account_id: (held && now?.accountId) || null,
      set_at: tx.now,
      set_by: viewer.accountId,
      set_by_name: viewer.username,
    })
    // Another reason for staff is no news for the payee.
    if (held && now && (now.told ?? '') === told) return
    await tellPayees(tx, [{ kind: held ? 'held' : 'released', payee, told }], viewer.accountId)
  })

/** @throws NOT_FOUND; VALIDATION_ERROR for an amount in another currency than the payee's. */
export const setMinimum = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  payee: PayeeKey,
  { amount, currency: given }: { amount: number | null; currency?: Currency | undefined },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    const paidIn = await findCurrency(tx, payee)
    const currency = given ?? paidIn
    if (amount !== null) refuseOther(currency, paidIn)
    await insertSealed(tx, 'pay_minimums', {
      payee_kind: payee.kind,
      payee_id: payee.id,
      currency,
      amount,
      set_at: tx.now,
      set_by: viewer.accountId,
    })
  })
