import type { FactContent } from '@tallyroom/contract/desk/facts'
import type { Tx } from '../../db/database.ts'
import { writeFacts } from '../../notices/index.ts'
import { findFormerAddresses } from '../addresses/former-addresses.queries.ts'
import { getHolder } from '../addresses/mail-address.queries.ts'
import { postMails, type PostServices } from './post-mail.ts'

/** How long addresses that an account has left still hear of its changes. */
export const FORMER_ADDRESS_MS = 30 * 24 * 60 * 60_000

type Written = { subject: string; text: string }

/**
 * Tells whoever has an account of something that was done to it, even if they did it themselves: it may not have been them.
 * In the transaction that does it: in their bell, at their address, and at those that the account had in the last 30 days.
 * So whoever takes an account over can't first lead its mails elsewhere. Call this last: see {@link postMails}.
 *
 * @param mailOf what is written to an address, the account's own or a former one
 */
export async function tellHolder(
  tx: Tx,
  services: PostServices,
  { accountId, fact }: { accountId: number; fact: FactContent },
  mailOf: (holder: { username: string; isCurrent: boolean; hasAddress: boolean }) => Written,
): Promise<void> {
  const { now } = tx
  await writeFacts(tx, [{ ...fact, of: { accountId } }], { at: now, byAccountId: null })
  const { email, username } = await getHolder(tx, accountId)
  const hasAddress = Boolean(email)
  const since = new Date(now.getTime() - FORMER_ADDRESS_MS)
  const former = await findFormerAddresses(tx, accountId, since)
  await postMails(tx, services, [
    ...(email ? [{ to: email, ...mailOf({ username, isCurrent: true, hasAddress }) }] : []),
    ...former
      .filter((address) => address !== email)
      .map((to) => ({ to, ...mailOf({ username, isCurrent: false, hasAddress }) })),
  ])
}

/** What a former address is told of where mails go now. @param what it hears of for 30 days, too */
export const elsewhere = (hasAddress: boolean, what: string): string =>
  `${hasAddress ? 'Emails about this account now go to another address.' : 'The account has no email address now.'} For 30 days, this one hears of ${what}, too.`
