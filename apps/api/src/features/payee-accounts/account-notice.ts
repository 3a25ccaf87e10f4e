import { institutionName } from '@tallyroom/domain/institutions'
import { formatDateTime } from '@tallyroom/domain/new-york'
import type { Services } from '../../services.ts'
import type { PayeeKey } from '../pay/index.ts'
import { findAccounts } from './payee-accounts.queries.ts'

/** How long Home shows a change of account in a browser that has not dismissed it. */
const NOTICE_MS = 30 * 24 * 60 * 60_000

/** What to tell a payee about their newest account; empty if there is nothing new. */
export async function findAccountNotice(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  payee: PayeeKey,
): Promise<string> {
  const newest = (await findAccounts(db, { payee })).at(-1)
  if (!newest || newest.entered_at.getTime() + NOTICE_MS < clock.now().getTime()) return ''
  const account = `${institutionName(newest.institution ?? '')}, number ending in ${newest.last_characters}`
  const refusal = newest.decisions.find(({ confirmed }) => !confirmed)
  if (refusal) {
    return `Your new payment account (${account}) was refused: ${refusal.reason ?? ''}. Enter it again on the page Payment account.`
  }
  return (
    `Your payment account was changed on ${formatDateTime(newest.entered_at)} to ${account}. ` +
    'If this was not you, change your password and tell us at once.'
  )
}
