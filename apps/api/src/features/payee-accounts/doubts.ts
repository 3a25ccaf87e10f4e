import { agentsEndpoints } from '@tallyroom/contract/agents'
import { officesEndpoints } from '@tallyroom/contract/offices'
import type { AccountDoubt } from '@tallyroom/contract/payee-accounts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { PayeeKey } from '../pay/index.ts'
import { didStaffSignInFrom, wasCalled } from './payee-accounts.queries.ts'

const DAY_MS = 24 * 60 * 60_000

/** How far back they count: sign-ins of staff, and passwords that were revealed. */
const BACK = { signIns: 90 * DAY_MS, revealed: 7 * DAY_MS }

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/**
 * The calls that reveal one payee's password. Lists do not count: with `PASSWORD_COLUMN=on` they show every password,
 * so every account would be suspicious, and two confirmations would mean nothing.
 */
const reveals = {
  office: [nameOf(officesEndpoints.officePassword)],
  agent: [nameOf(agentsEndpoints.agentPassword)],
}

/** Reasons to suspect that somebody else entered an account. With any, two people must confirm it. */
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
