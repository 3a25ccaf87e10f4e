import { Text } from '@mantine/core'
import type { Earned, ShownStatement } from '@tallyroom/contract/pay/closing/earned'
import type { SaleLogItem } from '@tallyroom/contract/desk/sale-logs'
import type { SaleTierPay } from '@tallyroom/contract/sale-tier-pay'
import { moneyText } from '@tallyroom/contract/pay/money-text'
import type { Day } from '@tallyroom/domain/new-york'
import { CURRENCIES, type Currency } from '@tallyroom/domain/pay'
import { daysInWords } from '@tallyroom/domain/periods'
import { signedDollars, signedPesos } from '@tallyroom/domain/money'
import { SaleLink } from '../ui/ObjectLink.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'

/* What was earned, in words. In one file, because every chunk's name weighs on the first page. */

/**
 * What a sale pays: its rate, or what its week's tier pays instead or on top. It opens the sale, whose page has both.
 */
export function SalePay({ id, payout, tierPay }: Pick<SaleLogItem, 'id' | 'payout' | 'tierPay'>) {
  if (!tierPay) return <SaleLink id={id}>{signedPesos(payout)}</SaleLink>
  if (tierPay.amount === 0 && !tierPay.next) {
    return (
      <SaleLink id={id}>
        <span style={{ whiteSpace: 'nowrap' }}>{tierAmountText(tierPay, tierPay)}</span>
        <Text span fz={12} c="dimmed">
          {' '}
          · paid by tier
        </Text>
      </SaleLink>
    )
  }
  return (
    <span style={{ display: 'inline-flex', flexDirection: 'column', alignItems: 'flex-end' }}>
      {tierPay.isOnTop && <SaleLink id={id}>{signedPesos(payout)}</SaleLink>}
      <Tooltip label={nextText(tierPay)} withArrow>
        <span>
          <SaleLink id={id}>
            <Text span fz={12} c="dimmed">
              {tierPay.isOnTop && '+ '}AVP · tier {tierPay.tier} ·{' '}
            </Text>
            <span style={{ whiteSpace: 'nowrap' }}>{tierAmountText(tierPay, tierPay)}</span>
          </SaleLink>
        </span>
      </Tooltip>
    </span>
  )
}

/** `AVP · tier 2 · ₱120.00`, as plain text. */
export const tierPayText = (pay: SaleTierPay): string =>
  `AVP · tier ${pay.tier} · ${tierAmountText(pay, pay)}`

type Paid = { payout: number; tierPay?: SaleTierPay | undefined }

/** What the entries of a sale log pay: by rates, and by tiers where these pay. In minor units. */
export function paidOf(entries: readonly Paid[]): Both {
  const both = { PHP: 0, USD: 0 }
  for (const { payout, tierPay } of entries) {
    if (tierPay) both[tierPay.currency] += Math.round(tierPay.amount * 100)
    if (!tierPay || tierPay.isOnTop) both.PHP += Math.round(payout * 100)
  }
  return both
}

/** `-₱45.00`, or what is paid instead: `₱0.00, paid by tier (by rates -₱45.00)`. */
export function paidText({ payout, tierPay }: Paid): string {
  if (!tierPay) return signedPesos(payout)
  const byTier = tierAmountText(tierPay, tierPay)
  return tierPay.isOnTop
    ? `${signedPesos(payout)} and ${byTier} by tier`
    : `${byTier}, paid by tier (by rates ${signedPesos(payout)})`
}

/** An amount of a tier, in the currency that it is paid in. */
export const tierAmountText = ({ currency }: SaleTierPay, { amount }: { amount: number }): string =>
  (currency === 'PHP' ? signedPesos : signedDollars)(amount)

const nextText = (pay: SaleTierPay): string =>
  pay.next
    ? `Tier ${pay.tier} is what the week has reached. At tier ${pay.next.tier}: ${tierAmountText(pay, pay.next)}`
    : `Tier ${pay.tier} is the top tier.`

type Both = Readonly<Record<Currency, number>>

/**
 * `₱4,710.00`, or `₱1,200.00 + $12.00` for amounts that no exchange rate joins yet.
 * @param ofNothing the currency of a zero
 */
export function bothText(both: Both, ofNothing: Currency = 'PHP'): string {
  const shown = CURRENCIES.filter((currency) => both[currency] !== 0)
  return (shown.length > 0 ? shown : [ofNothing])
    .map((currency) => moneyText(both[currency], currency))
    .join(' + ')
}

/** What several payees, or none, earned together. */
export function earnedText(earned: readonly Earned[]): string {
  const both = { PHP: 0, USD: 0 }
  for (const one of earned) {
    if (one.amount === null)
      for (const currency of CURRENCIES) both[currency] += partsIn(one, currency)
    else both[one.currency] += one.amount
  }
  return bothText(both, earned[0]?.currency)
}

/** Whether some of it waits for an exchange rate. */
export const waitsForRate = (earned: readonly Earned[]): boolean =>
  earned.some(({ amount }) => amount === null)

/** Whether some of it was converted into the currency of its statement. */
export const isConverted = (earned: readonly Earned[]): boolean =>
  earned.some((one) => {
    const other = one.currency === 'PHP' ? 'USD' : 'PHP'
    return one.amount !== null && partsIn(one, other) !== 0
  })

const partsIn = (
  { rates, bonuses, differences, tiers, adjustments }: Earned,
  currency: Currency,
): number =>
  (currency === 'PHP' ? rates + bonuses + differences : 0) + tiers[currency] + adjustments[currency]

export type EarnedPart = {
  key: 'rates' | 'tiers' | 'bonuses' | 'differences' | 'adjustments'
  label: string
  both: Both
}

/** The parts of a sum: rates, tiers and bonuses always, the others if there are any. */
export function earnedParts(earned: readonly Earned[]): EarnedPart[] {
  const pesos = (of: (one: Earned) => number): Both => ({ PHP: sum(earned.map(of)), USD: 0 })
  const both = (of: (one: Earned) => Both): Both => ({
    PHP: sum(earned.map((one) => of(one).PHP)),
    USD: sum(earned.map((one) => of(one).USD)),
  })
  const parts: EarnedPart[] = [
    { key: 'rates', label: 'Rates', both: pesos(({ rates }) => rates) },
    { key: 'tiers', label: 'Tiers', both: both(({ tiers }) => tiers) },
    { key: 'bonuses', label: 'Bonuses', both: pesos(({ bonuses }) => bonuses) },
    { key: 'differences', label: 'Differences', both: pesos(({ differences }) => differences) },
    { key: 'adjustments', label: 'Adjustments', both: both(({ adjustments }) => adjustments) },
  ]
  return parts.filter(
    ({ key, both: amounts }) =>
      !['differences', 'adjustments'].includes(key) || amounts.PHP !== 0 || amounts.USD !== 0,
  )
}

/** `tiers ₱4,935.00` */
export const partText = ({ label, both }: EarnedPart): string =>
  `${label.toLowerCase()} ${bothText(both)}`

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/**
 * What a period pays and what the one before it paid, in minor units of the same currency. `now` is undefined for amounts in
 * both currencies; `before` also if it was in the other one.
 */
export function comparedAmounts(to: readonly Earned[], toBefore: readonly Earned[] | undefined) {
  const now = oneAmount(to)
  const isSame = new Set([...to, ...(toBefore ?? [])].map(({ currency }) => currency)).size < 2
  return { now, before: toBefore && isSame ? oneAmount(toBefore) : undefined }
}

function oneAmount(earned: readonly Earned[]): number | undefined {
  const currencies = new Set(earned.map(({ currency }) => currency))
  if (currencies.size > 1 || waitsForRate(earned)) return undefined
  return earned.reduce((total, { amount }) => total + (amount ?? 0), 0)
}

const STEP_WORDS = {
  prepared: { whole: 'Waits for approval', part: 'Payment to your office waits for approval' },
  approved: { whole: 'Approved, not sent yet', part: 'Payment to your office approved' },
  sent: { whole: 'Sent to the bank', part: 'Sent to your office’s bank' },
} satisfies Record<NonNullable<ShownStatement['step']>, object>

/** What became of a statement, for a reader who is its payee, or whose lines are part of it. */
export function statementWords(
  statement: Pick<
    ShownStatement,
    'state' | 'step' | 'paidFrom' | 'paidOn' | 'paidInPart' | 'carriedInto'
  >,
  isPart: boolean,
): string {
  const words = stateWords(statement, isPart)
  return statement.paidInPart
    ? `Paid in part. The rest: ${words.charAt(0).toLowerCase()}${words.slice(1)}`
    : words
}

const dayText = (day: Day): string => daysInWords({ start: day, end: day })

function stateWords(
  {
    state,
    step,
    paidFrom,
    paidOn,
    carriedInto,
  }: Pick<ShownStatement, 'state' | 'step' | 'paidFrom' | 'paidOn' | 'carriedInto'>,
  isPart: boolean,
): string {
  const toOffice = isPart ? ' to your office' : ''
  switch (state) {
    case 'paid':
      return `Paid${toOffice}${paidOn ? ` on ${dayText(paidOn)}` : ''}`
    case 'running':
      return STEP_WORDS[step ?? 'prepared'][isPart ? 'part' : 'whole']
    case 'failed':
      return `Transfer${toOffice} failed`
    case 'returned':
      return `Transfer${toOffice} came back`
    case 'held':
      return 'On hold'
    case 'later':
      return `To be paid${toOffice}${paidFrom ? ` from ${dayText(paidFrom)}` : ''}`
    case 'carried':
      return carriedInto === null ? 'Carried to the next period' : `Carried into ${carriedInto}`
    case 'converted':
      return 'Converted'
    case 'written-off':
      return 'Written off'
    case 'given-up':
      return 'Given up'
    case 'paid-back':
      return isPart ? 'Settled' : 'Paid back'
    case 'due':
      return isPart ? 'Your office is to be paid' : 'To be paid'
  }
}
