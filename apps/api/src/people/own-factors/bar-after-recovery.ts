import { can } from '@tallyroom/domain/abilities'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { writeFacts } from '../../notices/index.ts'
import { recordFactorReset } from '../hands/record-hand.ts'
import type { PostServices } from '../mail/post-mail.ts'
import { tellPayersOfReset } from '../mail/tell-of-factor.ts'

/**
 * Lets an account approve nothing for some days whose factors were changed with a recovery code, as after a reset by the operator:
 * a code on paper is not what its holder carries. If it may pay, tells everybody who may. Call this near the end.
 */
export async function barAfterRecovery(
  tx: Tx,
  services: PostServices,
  viewer: Viewer,
): Promise<void> {
  const { accountId, username } = viewer
  const kind = 'recovered factor'
  await recordFactorReset(tx, { accountId, kind, at: tx.now })
  if (!can(viewer, 'pay.manage')) return
  const recovered = { kind: 'factor.recovered', of: 'network', subject: { username } } as const
  await writeFacts(tx, [recovered], { at: tx.now, byAccountId: null })
  await tellPayersOfReset(tx, services, { username, kind })
}
