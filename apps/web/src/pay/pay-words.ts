import type { BalanceItem } from '@tallyroom/contract/pay/balances/balances'
import type { PayPeriodItem } from '@tallyroom/contract/pay/closing/periods'
import type { PaySettings } from '@tallyroom/contract/pay/terms/settings'
import type { StatementItem } from '@tallyroom/contract/pay/statements/statements'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Day } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import type { AvpRule, Currency, Payees, PayLength } from '@tallyroom/domain/pay'

type State<Name extends string> = Record<Name, { label: string; color: string }>

export const periodStates: State<PayPeriodItem['state']> = {
  open: { label: 'Open', color: 'gray' },
  ready: { label: 'Ready to close', color: 'brand' },
  waits: { label: 'After an earlier period', color: 'gray' },
  closed: { label: 'Closed', color: 'green' },
}

export const statementColors: Record<StatementItem['state'], string> = {
  paid: 'green',
  running: 'brand',
  failed: 'red',
  returned: 'red',
  held: 'yellow',
  later: 'gray',
  carried: 'gray',
  converted: 'gray',
  'written-off': 'gray',
  'given-up': 'gray',
  'paid-back': 'green',
  due: 'brand',
}

export const balanceStates: State<BalanceItem['state']> = {
  payable: { label: 'To be paid', color: 'brand' },
  held: { label: 'On hold', color: 'yellow' },
  'account-waits': { label: 'New account to confirm', color: 'yellow' },
  'account-new': { label: 'New account', color: 'yellow' },
  'no-account': { label: 'No confirmed account', color: 'yellow' },
  deleted: { label: 'Deleted, not paid', color: 'gray' },
  negative: { label: 'Negative', color: 'gray' },
  nothing: { label: 'Nothing owed', color: 'gray' },
  'below-minimum': { label: 'Below the minimum', color: 'gray' },
  later: { label: 'Paid later', color: 'gray' },
}

export const payeesWords: Record<Payees, { label: string; about: string }> = {
  offices: {
    label: 'Offices',
    about: 'One statement for each office, with the lines of its agents.',
  },
  agents: { label: 'Agents', about: 'One statement for each agent.' },
}

export const lengthWords: Record<PayLength, { label: string; about: string }> = {
  beWeek: {
    label: 'Half-month',
    about: 'The 1st to the 15th, and the 16th to the end of the month.',
  },
  week: { label: 'Week', about: 'Monday to Sunday.' },
  month: { label: 'Month', about: 'The 1st to the end of the month.' },
}

export const avpWords: Record<AvpRule, { label: string; about: string }> = {
  instead: {
    label: 'Instead of rates',
    about: 'Sales of AVP sites are paid by their week’s tier, all others by their rates.',
  },
  'on-top': {
    label: 'On top of rates',
    about: 'Sales of AVP sites are paid by their rates, and by their week’s tier as well.',
  },
  information: {
    label: 'For information only',
    about: 'All sales are paid by their rates. Tiers are shown but pay nothing.',
  },
}

/** `Offices, by half-month, paid 15 days after its end. AVP instead of rates.` */
export const settingsText = ({
  payees,
  periodLength,
  avp,
  holdingDays,
}: Pick<
  NonNullable<PaySettings['now']>,
  'payees' | 'periodLength' | 'avp' | 'holdingDays'
>): string =>
  `${payeesWords[payees].label}, by ${lengthWords[periodLength].label.toLowerCase()}${holdingDays > 0 ? `, paid ${daysText(holdingDays)} after its end` : ''}. AVP ${avpWords[avp].label.toLowerCase()}.`

const daysText = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`

export const payeeParams = ({ kind, id }: Pick<Payee, 'kind' | 'id'>) => ({ kind, id: String(id) })

/** A change with its sign, `+₱450.00` or `-$12.50`; none for zero. @param amount minor units */
export const signedMoney = (amount: number, currency: Currency): string =>
  (amount > 0 ? '+' : '') + moneyText(amount, currency)

/** Whether to say on which day money comes: not if it passed before a file left, as the first download asks for another. */
export const isDaySaid = (step: string, executionDay: Day, today: Day): boolean =>
  step === 'sent' || ((step === 'prepared' || step === 'approved') && executionDay >= today)

/** `In run R-2026-0002, waiting for approval: on 18 Dec to BDO ••8871` */
export function paymentText(
  {
    run,
    step,
    executionDay,
    institutionName,
    lastCharacters,
    bankReferences,
  }: NonNullable<StatementItem['payment']>,
  today: Day,
): string {
  const account = lastCharacters ? ` to ${institutionName} ••${lastCharacters}` : ''
  if (step === 'paid')
    return [
      `By run ${run}${account}`,
      ...(bankReferences.length > 0 ? [`bank’s reference ${bankReferences.join(', ')}`] : []),
    ].join(' · ')
  const on = daysInWords({ start: executionDay, end: executionDay })
  const when = isDaySaid(step, executionDay, today) ? `: on ${on}` : account && ','
  return `In run ${run}, ${STEPS[step]}${when}${account}`
}

const STEPS = { prepared: 'waiting for approval', approved: 'approved', sent: 'sent to the bank' }

/** Whom an act that one person does alone leaves to approve a payee's next run; undefined if more than one. */
export function leftToApprove(
  payee: string,
  approvers: readonly string[] | null,
): string | undefined {
  if (approvers === null || approvers.length > 1) return undefined
  const [only] = approvers
  return only === undefined
    ? `After this, nobody could approve the next run of ${payee}: everyone who may pay would have had a hand in it. Let somebody do it who has already, or let a superadmin give PAY to somebody else: they can approve seven days after they were granted PAY and set a password of their own.`
    : `After this, only ${only} could approve the next run of ${payee}, so somebody else must prepare it.`
}
