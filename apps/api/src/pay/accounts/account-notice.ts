import type { LoginAlerts } from '@tallyroom/contract/desk/login-alerts'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import type { Services } from '../../services.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'
import { findAccounts } from './payee-accounts.queries.ts'
import { accountInWords } from './present-account.ts'

/** How long a change of account is shown in a browser that has not dismissed it. */
const NOTICE_MS = 30 * 24 * 60 * 60_000

export type AccountNotice = NonNullable<LoginAlerts['payeeAccount']>

/** What to tell a payee about their newest account; null if there is nothing new. */
export async function findAccountNotice(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  payee: PayeeKey,
): Promise<AccountNotice | null> {
  const newest = (await findAccounts(db, { payee })).at(-1)
  if (!newest || newest.entered_at.getTime() + NOTICE_MS < clock.now().getTime()) return null
  const account = accountInWords(newest)
  if (newest.disowned) {
    return {
      text: `You said that you did not enter the account ${account}. It will not be paid, and your pay is on hold until we have talked to you. Change your password, and end your other sessions in your profile.`,
      disown: null,
    }
  }
  const refusal = newest.decisions.find(({ confirmed }) => !confirmed)
  if (refusal) {
    return {
      text: `Your new payment account ${account} was refused: ${refusal.reason ?? ''}. Enter it again on the page Payment account.`,
      disown: null,
    }
  }
  const from = newest.paid_from
  return {
    text:
      `Your payment account was changed on ${formatDateTime(newest.entered_at)} to the account ${account}. ` +
      (from === null
        ? ''
        : `It is paid from ${daysInWords({ start: from, end: from })} at the earliest, once we have confirmed it. `) +
      'If that wasn’t you, say so at once.',
    disown: newest.id,
  }
}
