import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { noAccount } from '../accounts/no-account.ts'
import { lockAccountByUsername } from '../admins/operator.queries.ts'
import { confirmHolder, stillHolder } from '../auth/confirm-holder.ts'
import { deleteLinks, findLinks } from '../factors/provider-links.queries.ts'
import type { PostServices } from '../mail/post-mail.ts'
import { tellOfFactor } from '../mail/tell-of-factor.ts'
import { isProviderOnly, updateProviderOnly } from '../sign-in-rules/sign-in-rules.queries.ts'

type ProviderServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret'>

/** Whether the viewer's account is connected to the provider. Nothing for who can't sign in through it. */
export async function getOwnProvider(
  { config, db }: Pick<Services, 'config' | 'db'>,
  { accountId, role }: Viewer,
) {
  const isStaff = role === 'superadmin' || role === 'admin'
  if (!isStaff) return { name: null, link: null }
  const links = await findLinks(db, accountId)
  const link = config.provider ? links.find(isOf(config.provider)) : links[0]
  return {
    name: config.provider?.name ?? null,
    link: link
      ? {
          email: link.email,
          linkedAt: link.linkedAt.toISOString(),
          lastUsedAt: link.lastUsedAt.toISOString(),
        }
      : null,
  }
}

/** Another issuer may have been configured before. */
const isOf =
  (provider: { issuer: string }) =>
  ({ issuer }: { issuer: string }) =>
    new URL(issuer).href === new URL(provider.issuer).href

/**
 * Disconnects the viewer's account. Sessions go on.
 *
 * @throws NOT_FOUND; as `confirmHolder`
 */
export async function removeOwnProvider(services: ProviderServices, viewer: Viewer): Promise<void> {
  const { accountId } = viewer
  const confirmation = await confirmHolder(services, viewer)
  await inTransaction(services.db, async (tx) => {
    await stillHolder(tx, viewer, confirmation)
    if (!(await deleteLinks(tx, accountId))) throw notFound('connection')
    await tellOfFactor(tx, services, { accountId, happened: 'provider disconnected' })
  })
}

/**
 * Lets staff sign in only through the provider, or by password again.
 *
 * @throws CONFLICT without a provider, and in a session that was not opened through it: whoever can't sign in there would lock
 * themselves out
 */
export async function requireProvider(
  { config, db }: Pick<Services, 'config' | 'db'>,
  { byProvider }: Viewer,
  only: boolean,
): Promise<void> {
  if (only && !config.provider) throw conflict('No sign-in provider is configured.')
  if (only && !byProvider)
    throw conflict(
      `Sign in with ${config.provider?.name} first, so that you don’t lock yourself out.`,
    )
  await inTransaction(db, (tx) => updateProviderOnly(tx, only))
}

/**
 * Lets staff sign in by password again. For the operator, when the provider is lost.
 *
 * @throws CONFLICT if they may
 */
export const allowPasswords = (db: Db): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (!(await isProviderOnly(tx))) throw conflict('Staff can sign in by password already.')
    await updateProviderOnly(tx, false)
  })

/**
 * Disconnects an account from the provider, and tells its holder. For the operator. Returns the username as stored.
 *
 * @throws NOT_FOUND; CONFLICT if it is not connected
 */
export const disconnectProvider = (
  services: PostServices & { db: Db },
  wanted: string,
): Promise<string> =>
  inTransaction(services.db, async (tx) => {
    const account = await lockAccountByUsername(tx, wanted)
    if (!account) throw noAccount(wanted)
    const { id: accountId, username } = account
    if (!(await deleteLinks(tx, accountId)))
      throw conflict(`${username} is not connected to a sign-in provider.`)
    await tellOfFactor(tx, services, { accountId, happened: 'provider disconnected' })
    return username
  })
