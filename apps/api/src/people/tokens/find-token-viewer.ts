import { TOKEN_GROUPS } from '@tallyroom/contract/token-groups'
import type { Viewer } from '../../access/viewer.ts'
import { normalAddress } from '../../lib/net/ip-address.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Services } from '../../services.ts'
import { accountOf, whyClosed } from '../accounts/account.ts'
import { isTokenText } from './token-text.ts'
import { findTokenHolder, updateTokenUse } from './tokens.queries.ts'

/** Accuracy of the last use: at most one write a minute, whatever the number of calls. */
const usedEveryMs = 60_000

/** The holder of a token for programs. Reads token and account each time, as for a session. */
export async function findTokenViewer(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  text: string,
  ip: string,
): Promise<Viewer | undefined> {
  if (!isTokenText(text)) return undefined
  const now = clock.now()
  const holder = await findTokenHolder(db, hashToken(text), now)
  if (!holder || whyClosed(holder, now)) return undefined
  const before = new Date(now.getTime() - usedEveryMs)
  if (holder.last_used_at === null || holder.last_used_at <= before)
    await updateTokenUse(db, holder.token_id, { at: now, ip: normalAddress(ip), before })
  return {
    ...accountOf(holder),
    sessionId: '',
    signedInBy: undefined,
    token: {
      id: holder.token_id,
      name: holder.token_name,
      may: TOKEN_GROUPS.filter((group) => holder.may.includes(group)),
    },
    ...(holder.must_change_password && { needsNewPassword: true }),
  }
}
