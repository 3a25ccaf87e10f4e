import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { accountOf } from '../accounts/account.ts'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import { type Browser, openSession, type ProvedBy } from '../sessions/open-session.ts'
import type { KnownDevice } from './known-device.ts'
import { tellOfNewPlace } from './new-place.ts'

/**
 * Starts a session of whoever has just proved to be the holder, in the transaction that has locked the account. On a device
 * that the account doesn't know, they are told, unless it is the account's first sign-in. Call this last.
 */
export async function openOwnSession(
  tx: Tx,
  services: Pick<Services, 'config' | 'secret'>,
  {
    row,
    device,
    ...visit
  }: {
    row: AccountRow & { sign_in_count: number }
    device: KnownDevice | undefined
    ip: string
    userAgent: string
    browser: Browser | undefined
  } & ({ provedBy: ProvedBy } | { providerFactor: boolean }),
): Promise<string> {
  const { secret } = services
  const token = await openSession(tx, { account: accountOf(row), now: tx.now, secret, ...visit })
  if (!device && row.sign_in_count > 0)
    await tellOfNewPlace(tx, services, { accountId: row.id, happened: 'new place', ...visit })
  return token
}
