import { can } from '@tallyroom/domain/abilities'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { writeFacts } from '../../notices/index.ts'
import { recordFactorReset } from '../hands/record-hand.ts'
import type { PostServices } from '../mail/post-mail.ts'
import { tellPayersOfReset } from '../mail/tell-of-factor.ts'

const kind = 'recovered factor'

/**
 * Lets an account approve nothing for some days whose factors were changed with a recovery code, as after a reset by the operator:
 * a code on paper is not what its holder carries. Call {@link tellOfRecovery} at the end.
 */
export async function barAfterRecovery(tx: Tx, viewer: Viewer): Promise<void> {
  const { accountId, username } = viewer
  await recordFactorReset(tx, { accountId, kind, at: tx.now })
  if (!can(viewer, 'pay.manage')) return
  const recovered = { kind: 'factor.recovered', of: 'network', subject: { username } } as const
  await writeFacts(tx, [recovered], { at: tx.now, byAccountId: null })
}

/** Mails everybody who may pay, if the account may. Call this last. */
export async function tellOfRecovery(
  tx: Tx,
  services: PostServices,
  viewer: Viewer,
): Promise<void> {
  if (can(viewer, 'pay.manage'))
    await tellPayersOfReset(tx, services, { username: viewer.username, kind })
}
