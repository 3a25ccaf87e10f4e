import type { Tx } from '../../db/database.ts'
import { insertLink, type ProviderSubject } from '../factors/provider-links.queries.ts'
import type { PostServices } from '../mail/post-mail.ts'
import { tellOfFactor } from '../mail/tell-of-factor.ts'

/** Whom the sign-in provider means, and the address by which they were matched. */
export type Connected = ProviderSubject & { email: string }

/**
 * Connects an account to the sign-in provider and tells its holder. Call it once they have given what signing in takes: an account
 * is connected to one subject, and stays so. False if it is connected to another.
 */
export async function connectProvider(
  tx: Tx,
  services: PostServices,
  { accountId, issuer, subject, email }: Connected & { accountId: number },
): Promise<boolean> {
  if (!(await insertLink(tx, { accountId, issuer, subject, email }))) return false
  await tellOfFactor(tx, services, { accountId, happened: 'provider connected' })
  return true
}
