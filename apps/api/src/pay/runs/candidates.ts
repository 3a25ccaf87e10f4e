import type { PayFileTemplate } from '@tallyroom/contract/pay/files'
import type { LeftOut, LeftOutCause } from '@tallyroom/contract/pay/runs'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { minimumIn, type Currency, type PayeeKind, settingsOn } from '@tallyroom/domain/pay'
import { daysInWords } from '@tallyroom/domain/periods'
import type { DbOrTx } from '../../db/database.ts'
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

export type CandidateServices = Pick<Services, 'clock' | 'secret' | 'formerSecrets'>

/** A part of a balance that somebody chose to pay. */
export type ChosenPart = PayeeKey & { amount: number; reason: string }

/** A balance that a run would pay, or the chosen part of it. */
export type PaidCandidate = {
  payee: { kind: PayeeKind; id: number; name: string }
  amount: number
  balance: number
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
 * @throws VALIDATION_ERROR for a chosen part that is not less than the balance, or that no transfer can pay.
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
  return judge(services, db, await findBalances(db, asked.currency, which), asked)
}

/**
 * Whom the next run would leave out, and why, if these were the balances, in one currency. Those who owe and those who are
 * owed nothing are not told. A run is prepared with any template: this takes the one of the last run, or the first.
 *
 * @param due in minor units
 */
export async function findRefusals(
  services: CandidateServices,
  db: DbOrTx,
  currency: Currency,
  due: readonly (PayeeKey & { due: number })[],
): Promise<LeftOut[]> {
  const template = await findUsualTemplate(db, currency)
  const owed = new Map(due.flatMap((one) => (one.due > 0 ? [[payeeText(one), one.due]] : [])))
  const rows = await findBalances(db, currency, {
    payees: due.filter((one) => owed.has(payeeText(one))),
  })
  const balances = rows.map((row) => ({ ...row, balance: owed.get(payeeText(row)) ?? 0 }))
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
  const day = dayOf(services.clock.now())
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
    if (part && part.amount >= balance)
      throw invalid({
        parts: [
          `The part of ${name} must be less than its balance, ${moneyText(balance, currency)}`,
        ],
      })
    const amount = part?.amount ?? balance
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
      preparedAt: services.clock.now(),
    }
    const parts = (template && partsOf(template.layout, transfer)) ?? [amount]
    const [problem] = parts.flatMap(
      (one) => (template && problemOf(template.layout, { ...transfer, amount: one })) ?? [],
    )
    if (problem && part)
      throw invalid({ parts: [`This part of ${name} can’t be paid: ${problem}`] })
    if (problem)
      leave('not in the file', `It doesn’t fit into a file of ${template?.name}: ${problem}.`)
    else {
      const { id: accountId, last_characters: lastCharacters } = account
      const partReason = part?.reason ?? null
      paid.push({
        payee,
        amount,
        balance,
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
