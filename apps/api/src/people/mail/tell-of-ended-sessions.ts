import { brandOf } from '@tallyroom/domain/brands/index'
import type { Tx } from '../../db/database.ts'
import type { PostServices } from './post-mail.ts'
import { elsewhere, tellHolder } from './tell-holder.ts'

/** Notifies the holder that somebody who manages their account ended its sessions: see {@link tellHolder}. Call this last. */
export async function tellOfEndedSessions(
  tx: Tx,
  services: PostServices,
  accountId: number,
): Promise<void> {
  const { brand, publicUrl } = services.config
  const { name } = brandOf(brand)
  const fact = { kind: 'sessions.ended', subject: {} } as const
  await tellHolder(tx, services, { accountId, fact }, ({ username, isCurrent, hasAddress }) => ({
    subject: `${name}: you were signed out everywhere`,
    text: `Somebody who manages the account ${username} ended all of its sessions. Its password is still the same, and API tokens still work.

${isCurrent ? `Sign in again: ${publicUrl}/login. If you don’t know why this was done, ask the people who run ${name}.` : elsewhere(hasAddress, 'its sessions')}

${name}
`,
  }))
}
