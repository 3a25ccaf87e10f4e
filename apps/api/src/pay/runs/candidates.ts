import type { PayFileTemplate } from '@tallyroom/contract/pay/files'
import type { LeftOut, LeftOutCause } from '@tallyroom/contract/pay/runs'
import { laterText, moneyText } from '@tallyroom/contract/pay/statement-sections'
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
  findPayeeNames,
  findPayeePeople,
  type PayeeKey,
  payeeText,
  personOf,
} from '../periods/payees.queries.ts'
import { getCalendar } from '../periods/calendar.ts'
import { accountSeals } from '../accounts/sealed-account.ts'
import { findStandings, type Standing } from '../accounts/standings.ts'
import { type BalanceRow, findBalances } from './candidates.queries.ts'
import type { Transfer } from './file-values.ts'
import { partsOf, problemOf } from './pay-file.ts'
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

async function judge(
  services: CandidateServices,
  db: DbOrTx,
  balances: readonly BalanceRow[],
  asked: {
    currency: Currency
    /** Undefined: into which file it would have to fit is not known. */
    template: PayFileTemplate | undefined
    parts: readonly ChosenPart[]
  },
): Promise<Judged> {
  const { currency, template } = asked
  const day = dayOf(nowOf(db))
  const standings = await findStandings(db)
  const settings = settingsOn((await getCalendar(db)).settings, day)
  const minimum = minimumIn(currency, settings)
  const names = await findPayeeNames(db, balances)
  const people = await findPayeePeople(db, balances)
  const seals = accountSeals(services)
  const chosenParts = new Map(asked.parts.map((part) => [payeeText(part), part]))
  const paid: PaidCandidate[] = []
  const leftOut: LeftOut[] = []

  for (const row of balances) {
    const { kind, id, balance } = row
    const name = names.get(payeeText(row)) ?? ''
    const payee = { kind, id, name }
    const leave = (cause: LeftOutCause, why: string) =>
      leftOut.push({ ...payee, balance, cause, why })

    const standing = standings.get(payeeText(row))
    const refusal = whyLeftOut(row, { standing, currency, minimum, day })
    if (refusal) {
      leave(...refusal)
      continue
    }
    const account = standing?.inForce
    const secret = account && seals.open(account, account.sealed)
    if (!account || !secret) {
      leave('no confirmed account', 'Its account can’t be decrypted: a secret key is missing.')
      continue
    }
    const part = chosenParts.get(payeeText(row))
    const { free, later } = freeOf(balance, row.held)
    const isFree = isPaidOut(free, row.minimum ?? minimum)
    if (part && isFree && part.amount >= free)
      throw invalid({
        parts: [
          `The part of ${name} must be less than ${later.length > 0 ? 'what is free of its balance' : 'its balance'}, ${moneyText(free, currency)}`,
        ],
      })
    // Whether it fits into a file shall be known before it is free.
    const amount = isFree ? (part?.amount ?? free) : balance
    const transfer: Transfer = {
      reference: '',
      kind,
      payee: name,
      person: personOf(people, row),
      amount,
      currency,
      channel: account.channel === 'wallet' ? 'wallet' : 'bank',
      institution: account.institution ?? '',
      ...secret,
      remarks: '',
      day,
      preparedAt: nowOf(db),
    }
    const parts = (template && partsOf(template.layout, transfer)) ?? [amount]
    const [problem] = parts.flatMap(
      (one) => (template && problemOf(template.layout, { ...transfer, amount: one })) ?? [],
    )
    if (problem && part && isFree)
      throw invalid({ parts: [`This part of ${name} can’t be paid: ${problem}`] })
    if (problem)
      leave('not in the file', `It doesn’t fit into a file of ${template?.name}: ${problem}.`)
    else if (!isFree) leave('not free yet', whyNotFree(free, later, currency))
    else {
      const { id: accountId, last_characters: lastCharacters } = account
      const partReason = part?.reason ?? null
      paid.push({
        payee,
        amount,
        balance,
        later,
        partReason,
        parts,
        accountId,
        lastCharacters,
        transfer,
      })
    }
  }
  return { paid, leftOut }
}

function whyLeftOut(
  row: BalanceRow,
  given: { standing: Standing | undefined; currency: Currency; minimum: number; day: Day },
): [LeftOutCause, string] | undefined {
  const { balance, run } = row
  const { standing, currency } = given
  if (run) return ['in another run', `It is in ${run}, which is not finished.`]
  if (balance < 0)
    return ['negative', 'It owes the network. The next statement carries the balance.']
  if (balance === 0) return ['nothing owed', 'Everything was paid.']
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
  if (!standing?.inForce)
    return ['no confirmed account', 'It is paid once its account is entered and confirmed.']
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
