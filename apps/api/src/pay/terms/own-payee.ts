import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { findVisibleAmounts } from '../../catalogue/index.ts'
import type { DbOrTx } from '../../db/database.ts'
import { forbidden, notFound } from '../../errors.ts'
import { isPayee, type PayeeKey } from './payees.queries.ts'

/** The payee that an office or agent is. @throws FORBIDDEN to staff */
export function ownPayee({ role, officeId, agentId }: Viewer): PayeeKey {
  if (role === 'company') return { kind: 'office', id: officeId }
  if (role === 'agent') return { kind: 'agent', id: agentId }
  throw forbidden()
}

/** @throws FORBIDDEN for offices and agents while payouts are hidden from them. */
export async function refuseWithoutPayouts(db: DbOrTx, viewer: Viewer): Promise<void> {
  const { payout } = await findVisibleAmounts(db, viewer)
  if (!payout)
    throw forbidden(
      'This network does not show payouts to offices and agents. Ask your contact there.',
    )
}

/** @throws NOT_FOUND for what is no payee, and when an office or agent asks for another one. */
export async function refuseForeignPayee(
  db: DbOrTx,
  viewer: Viewer,
  payee: PayeeKey,
): Promise<void> {
  await refuseWithoutPayouts(db, viewer)
  const scope = scopeOf(viewer)
  const isOwn =
    scope.sees === 'everything' ||
    (payee.kind === 'office'
      ? scope.sees === 'office' && scope.officeId === payee.id
      : scope.sees === 'agent' && scope.agentId === payee.id)
  if (!isOwn || !(await isPayee(db, payee))) throw notFound(payee.kind)
}
