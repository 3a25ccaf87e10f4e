import type { PayFileTemplate } from '@tallyroom/contract/pay/files/files'
import type { LeftOut, LeftOutCause } from '@tallyroom/contract/pay/runs/runs'
import { laterText, moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import {
  type Currency,
  freeOf,
  type HeldPart,
  isPaidOut,
  minimumIn,
  type PayeeKind,
  settingsOn,
} from '@tallyroom/domain/pay'
import { daysInWords } from '@tallyroom/domain/periods'
import type { DbOrTx } from '../../db/database.ts'
import { nowOf } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import {
  findDeleted,
  findPayeeNames,
  findPayeePeople,
  type PayeeKey,
  payeeText,
  personOf,
} from '../terms/payees.queries.ts'
import { getCalendar } from '../terms/calendar.ts'
import { accountSeals } from '../accounts/sealed-account.ts'
import { findStandings, type Standing } from '../accounts/standings.ts'
import { type BalanceRow, findBalances } from './candidates.queries.ts'
import type { Transfer } from '../files/file-values.ts'
import { partsOf, problemOf } from '../files/pay-file.ts'
import { findUsualTemplate } from './templates.ts'

export type CandidateServices = Pick<Services, 'secret' | 'formerSecrets'>

/** A part of a balance that somebody chose to pay. */
export type ChosenPart = PayeeKey & { amount: number; reason: string }

/** A balance that a run would pay: all of it that is free, or the chosen part. */
export type PaidCandidate = {
  payee: { kind: PayeeKind; id: number; name: string }
  amount: number
  balance: number
  /** What of the balance can be paid only later. */
  later: HeldPart[]
  /** Why only a part is paid; null if all is. */
  partReason: string | null
  /** The amounts of its transfers: one, unless a channel's limit splits it. */
  parts: number[]
  accountId: number
  lastCharacters: string
  transfer: Transfer
}

/**
 * The payees that a run would pay, and those it would leave out, with the reason.
 *
 * @throws VALIDATION_ERROR for a chosen part that is not less than what is free of the balance, or that no transfer can pay.
 */
export async function findCandidates(
  services: CandidateServices,
  db: DbOrTx,
  {
    periodId,
    ...asked
  }: {
    periodId: number | null
    currency: Currency
    template: PayFileTemplate
    parts: readonly ChosenPart[]
  },
): Promise<Judged> {
  const which = periodId === null ? 'all' : { periodId }
  const today = dayOf(nowOf(db))
  const rows = await findBalances(db, { currency: asked.currency, today }, which)
  return judge(services, db, rows, asked)
}

/**
 * Whom the next run would leave out, and why, if these were the balances, in one currency. Those who owe and those who are
 * owed nothing are not told. A run is prepared with any template: this takes the one of the last run, or the first.
 *
 * @param due in minor units. `added`: what the statement to be made adds, and until when it is held; null if it is not.
 */
export async function findRefusals(
  services: CandidateServices,
  db: DbOrTx,
  currency: Currency,
  due: readonly (PayeeKey & { due: number; added: HeldPart | null })[],
): Promise<LeftOut[]> {
  const today = dayOf(nowOf(db))
  const template = await findUsualTemplate(db, currency)
  const owed = new Map(due.flatMap((one) => (one.due > 0 ? [[payeeText(one), one]] : [])))
  const rows = await findBalances(db, { currency, today }, { payees: [...owed.values()] })
  const balances = rows.map((row) => {
    const { due: balance = 0, added = null } = owed.get(payeeText(row)) ?? {}
    const isHeld = added !== null && added.from > today
    return { ...row, balance, held: isHeld ? [...row.held, added] : row.held }
  })
  return (await judge(services, db, balances, { currency, template, parts: [] })).leftOut
}

type Judged = { paid: PaidCandidate[]; leftOut: LeftOut[] }

type Asked = {
  currency: Currency
  /** Undefined: into which file it would have to fit is not known. */
  template: PayFileTemplate | undefined
  parts: readonly ChosenPart[]
}

async function judge(
  services: CandidateServices,
  db: DbOrTx,
  balances: readonly BalanceRow[],
  asked: Asked,
): Promise<Judged> {
  const known = await findKnown(services, db, balances, asked)
  const judged = balances.map((row) => judgeOne(row, known))
  return {
    paid: judged.flatMap((one) => ('transfer' in one ? [one] : [])),
    leftOut: judged.flatMap((one) => ('cause' in one ? [one] : [])),
  }
}

type Known = Awaited<ReturnType<typeof findKnown>>

/** What payees are judged by. */
async function findKnown(
  services: CandidateServices,
  db: DbOrTx,
  balances: readonly BalanceRow[],
  { currency, template, parts }: Asked,
) {
  const day = dayOf(nowOf(db))
  const standings = await findStandings(db)
  const settings = settingsOn((await getCalendar(db)).settings, day)
  return {
    currency,
    template,
    day,
    preparedAt: nowOf(db),
    standings,
    minimum: minimumIn(currency, settings),
    names: await findPayeeNames(db, balances),
    deleted: await findDeleted(db, balances),
    people: await findPayeePeople(db, balances),
    seals: accountSeals(services),
    chosenParts: new Map(parts.map((part) => [payeeText(part), part])),
  }
}

/** Whoever deleted them gave up what was unpaid: only what came since is left. */
export const WAS_DELETED =
  'The agent was deleted, so no run pays what is left. Two people can pay it outside payment runs.'

/** Whether a payee is paid, or why not: the first reason that applies. */
function judgeOne(row: BalanceRow, known: Known): PaidCandidate | LeftOut {
  const { currency, template } = known
  const { kind, id, balance } = row
  const payee = { kind, id, name: known.names.get(payeeText(row)) ?? '' }
  const leave = (cause: LeftOutCause, why: string) => ({ ...payee, balance, cause, why })

  const standing = known.standings.get(payeeText(row))
  const refusal = whyLeftOut(row, { ...known, standing })
  if (refusal) return leave(...refusal)
  const account = standing?.inForce
  const secret = account && known.seals.open(account, account.sealed)
  if (!account || !secret)
    return leave('no confirmed account', 'Its account can’t be decrypted: a secret key is missing.')

  const { amount, free, later, isFree, part } = dueOf(row, payee.name, known)
  const transfer: Transfer = {
    reference: '',
    kind,
    payee: payee.name,
    person: personOf(known.people, row),
    amount,
    currency,
    channel: account.channel === 'wallet' ? 'wallet' : 'bank',
    institution: account.institution ?? '',
    ...secret,
    remarks: '',
    day: known.day,
    preparedAt: known.preparedAt,
  }
  const { parts, problem } = fitInto(template, transfer)
  if (problem && part && isFree)
    throw invalid({ parts: [`This part of ${payee.name} can’t be paid: ${problem}`] })
  if (problem)
    return leave('not in the file', `It doesn’t fit into a file of ${template?.name}: ${problem}.`)
  if (!isFree) return leave('not free yet', whyNotFree(free, later, currency))
  return {
    payee,
    amount,
    balance,
    later,
    partReason: part?.reason ?? null,
    parts,
    accountId: account.id,
    lastCharacters: account.last_characters,
    transfer,
  }
}

/**
 * What would be paid of a balance: what of it is free, or the part that was chosen. While too little is free, it is the whole
 * balance, since whether that fits into a file is told before it is free.
 *
 * @throws VALIDATION_ERROR for a part that is not less than what is free.
 */
function dueOf(row: BalanceRow, name: string, { currency, minimum, chosenParts }: Known) {
  const part = chosenParts.get(payeeText(row))
  const { free, later } = freeOf(row.balance, row.held)
  const isFree = isPaidOut(free, row.minimum ?? minimum)
  if (part && isFree && part.amount >= free)
    throw invalid({
      parts: [
        `The part of ${name} must be less than ${later.length > 0 ? 'what is free of its balance' : 'its balance'}, ${moneyText(free, currency)}`,
      ],
    })
  return { amount: isFree ? (part?.amount ?? free) : row.balance, free, later, isFree, part }
}

/** The amounts of the transfers that a file needs for this one, and why it can't have one of them. */
function fitInto(template: PayFileTemplate | undefined, transfer: Transfer) {
  if (!template) return { parts: [transfer.amount], problem: undefined }
  const { layout } = template
  const parts = partsOf(layout, transfer) ?? [transfer.amount]
  const [problem] = parts.flatMap((amount) => problemOf(layout, { ...transfer, amount }) ?? [])
  return { parts, problem }
}

function whyLeftOut(
  row: BalanceRow,
  given: {
    standing: Standing | undefined
    currency: Currency
    minimum: number
    day: Day
    deleted: ReadonlySet<string>
  },
): [LeftOutCause, string] | undefined {
  const { balance, run } = row
  const { standing, currency } = given
  if (run) return ['in another run', `It is in ${run}, which is not approved yet.`]
  if (balance < 0)
    return ['negative', 'It owes the network. The next statement carries the balance.']
  if (balance === 0) return ['nothing owed', 'Everything was paid.']
  if (given.deleted.has(payeeText(row))) return ['deleted', WAS_DELETED]
  const held = whyHeld(row, standing)
  if (held) return ['on hold', held]
  const early = whyTooEarly(standing, given.day)
  if (early) return ['new account', early]
  const minimum = row.minimum ?? given.minimum
  if (balance < minimum)
    return [
      'below minimum',
      `Less than ${moneyText(minimum, currency)} is carried to the next period.`,
    ]
  if (!standing?.inForce) return ['no confirmed account', 'It has no confirmed account yet.']
  if (standing.inForce.currency !== currency)
    return ['no confirmed account', `Its account takes only ${standing.inForce.currency}.`]
  return undefined
}

/** Why nothing is paid of a balance, in a sentence. */
const whyNotFree = (free: number, later: readonly HeldPart[], currency: Currency): string =>
  free > 0
    ? `Only ${moneyText(free, currency)} is free, which is less than the minimum. Later: ${laterText(later, currency)}.`
    : `It is paid later: ${laterText(later, currency)}.`

/** Why a payee is not paid: staff put it on hold, or its new account awaits confirmation. */
export const whyHeld = (
  { hold }: Pick<BalanceRow, 'hold'>,
  standing: Standing | undefined,
): string | undefined =>
  hold ??
  (standing?.newest?.state === 'waiting'
    ? 'Its new payment account is waiting for confirmation.'
    : undefined)

/** Why a payee whose account is confirmed is not paid yet: it had too little time to notice that somebody else entered it. */
export function whyTooEarly(standing: Standing | undefined, today: Day): string | undefined {
  const from = standing?.inForce?.paid_from ?? today
  if (from <= today) return undefined
  return `Its payment account is new and is paid from ${daysInWords({ start: from, end: from })}.`
}
