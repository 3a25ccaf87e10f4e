import { createHmac } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { type Giver, hashOfAct, takeFactorFor } from '../confirming/act-with-factor.ts'
import { type AdminRow, lockAdmin } from './admins.queries.ts'

/**
 * Takes the second factor of whoever makes an admin who may pay.
 *
 * @throws as `takeFactorFor`
 */
export async function confirmNewPayer(
  tx: Tx,
  giver: Giver,
  made: { username: string; email: string; invite?: string | undefined; password?: string },
): Promise<void> {
  const { username, email, invite = null, password = '' } = made
  const mark = markOf(giver, password)
  const about = hashOfAct('grant PAY', 'new', username, email, invite, mark)
  await takeFactorFor(tx, giver, 'grant PAY', about)
}

/**
 * Takes the second factor of whoever grants an admin PAY, or gives one who has it a password or an address of their choice.
 *
 * @throws as `takeFactorFor`
 */
export async function confirmPayer(
  tx: Tx,
  giver: Giver,
  { admin, next }: { admin: AdminRow; next: { pay: boolean; email: string; password: string } },
): Promise<void> {
  const isOpened = next.password !== '' || next.email !== (admin.email ?? '')
  if (!next.pay || (admin.pay && !isOpened)) return
  const act = admin.pay ? 'open payer' : 'grant PAY'
  const { id, username, email } = admin
  const mark = markOf(giver, next.password)
  const about = hashOfAct(act, 'present', id, username, email, next.email, mark)
  await takeFactorFor(tx, giver, act, about)
}

/**
 * Takes the second factor of whoever invites an admin who may pay and has no password yet.
 *
 * @throws as `takeFactorFor`
 */
export async function confirmInvitedPayer(
  tx: Tx,
  giver: Giver,
  id: number,
  way: 'mail' | 'link',
): Promise<void> {
  const admin = await lockAdmin(tx, id)
  if (!admin?.pay || admin.invitedAt === null) return
  const { username, email } = admin
  const about = hashOfAct('open payer', 'invited', id, username, email, way)
  await takeFactorFor(tx, giver, 'open payer', about)
}

/** A password in what is asked for: nobody can guess at it there. */
const markOf = ({ services }: Giver, password: string): string =>
  createHmac('sha256', deriveKey(services.secret, 'passkey-challenges'))
    .update(password)
    .digest('base64url')
