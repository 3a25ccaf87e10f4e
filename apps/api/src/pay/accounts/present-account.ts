import type { PayeeAccount } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { institutionName } from '@tallyroom/domain/institutions'
import { type Day, type Instant, todayNewYork } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import type { AccountRow } from './payee-accounts.queries.ts'
import type { AccountSeals } from './sealed-account.ts'

/** An account with all but the last characters of its number left out. */
export function shownAccount(seals: AccountSeals, account: AccountRow): PayeeAccount {
  const secret = seals.open(account, account.sealed)
  return {
    id: account.id,
    channel: account.channel === 'wallet' ? 'wallet' : 'bank',
    institution: account.institution ?? '',
    institutionName: institutionName(account.institution ?? ''),
    accountName: secret?.accountName ?? null,
    details: secret?.details ?? {},
    lastCharacters: account.last_characters,
    currency: account.currency as Currency, // payee_accounts__currency
    enteredAt: account.entered_at.toISOString(),
    enteredBy: account.entered_by_name,
  }
}

/** The first day on which an account can be paid, if that is later than today. */
export function laterPaidFrom(
  { paid_from }: Pick<AccountRow, 'paid_from'>,
  now: Instant,
): Day | null {
  return paid_from !== null && paid_from > todayNewYork(now) ? paid_from : null
}

/** `at GCash, number ending in 7890`. */
export const accountInWords = ({
  institution,
  last_characters,
}: Pick<AccountRow, 'institution' | 'last_characters'>): string =>
  `at ${institutionName(institution ?? '')}, number ending in ${last_characters}`
