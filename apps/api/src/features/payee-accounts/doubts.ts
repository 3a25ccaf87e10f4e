import { agentsEndpoints } from '@tallyroom/contract/agents'
import { officesEndpoints } from '@tallyroom/contract/offices'
import type { AccountDoubt } from '@tallyroom/contract/payee-accounts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { PayeeKey } from '../pay/index.ts'
import { didStaffSignInFrom, wasCalled } from './payee-accounts.queries.ts'

const DAY_MS = 24 * 60 * 60_000

/** How far back sign-ins of staff and revealed passwords count. */
const BACK = { signIns: 90 * DAY_MS, revealed: 7 * DAY_MS }

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/**
 * The calls that reveal a single payee's password. Lists do not count: with `PASSWORD_COLUMN=on` they show every
 * password, so every account would be suspicious, and a second confirmation would mean nothing.
 */
const reveals = {
  office: [nameOf(officesEndpoints.officePassword)],
  agent: [nameOf(agentsEndpoints.agentPassword)],
}

/** Reasons to suspect that somebody other than the payee entered an account. Any of them requires two confirmations. */
export async function findDoubts(
  db: DbOrTx,
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  { payee, viewer, ip }: { payee: PayeeKey; viewer: Viewer; ip: string },
): Promise<AccountDoubt[]> {
  const now = clock.now().getTime()
  const since = (ms: number) => new Date(now - ms)
  const wasShown =
    config.passwordColumn !== 'off' &&
    (await wasCalled(db, {
      except: viewer.accountId,
      officeId: viewer.officeId,
      actions: reveals[payee.kind],
      id: payee.id,
      since: since(BACK.revealed),
    }))
  const isStaffAddress = await didStaffSignInFrom(db, ip, since(BACK.signIns))
  return [
    ...(isStaffAddress ? ['staff address' as const] : []),
    ...(wasShown ? ['password shown' as const] : []),
  ]
}
