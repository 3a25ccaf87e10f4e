import type { AccountDeed } from '@tallyroom/domain/acts'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { withinTransaction } from '../../db/transaction.ts'
import { placeOf, sealRows } from '../../seals/index.ts'
import { selectAddresses } from '../addresses/mail-address.queries.ts'

export type HandRow = AccountDeed & { accountId: number }

export async function insertHands(db: DbOrTx, hands: readonly HandRow[]): Promise<void> {
  if (hands.length === 0) return
  await withinTransaction(db, async (tx) => {
    const inserted = await tx
      .insertInto('account_hands')
      .values(
        hands.map(({ accountId, kind, by, at }) => ({
          account_id: accountId,
          kind,
          made_by: by,
          made_at: at,
        })),
      )
      .returning('id')
      .execute()
    await sealRows(tx, 'account_hands', { id: inserted.map(({ id }) => id) })
  })
}

/**
 * Whether mails reach an account, or did until somebody took its address away. Of staff, who decide about money, nothing less
 * is taken.
 */
export async function canBeMailed(db: DbOrTx, accountId: number): Promise<boolean> {
  const holder = await selectAddresses(db)
    .select('account.role')
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow()
  const isStaff = [roleNumber('superadmin'), roleNumber('admin')].some((one) => one === holder.role)
  if (isStaff || holder.email !== null) return true
  const moved = await db
    .selectFrom('account_hands')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', 'in', ['email', 'own email'])
    .limit(1)
    .execute()
  return moved.length > 0
}

export async function findSuperadmins(db: DbOrTx): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', roleNumber('superadmin'))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** With its place in the chain of seals, infinite without a seal. */
export type PlacedHand = HandRow & { place: number }

/** What was ever done to these accounts, oldest first, and the devices that they share, from either side. */
export async function findHandRows(db: DbOrTx, ids: readonly number[]): Promise<PlacedHand[]> {
  const { rows } = await sql<PlacedHand>`
    select
      account_id as "accountId", kind, made_by as "by", made_at as "at",
      ${placeOf('account_hands', sql`account_hands.id::text`)} as place
    from account_hands
    where account_id = any(${[...ids]}::bigint[])
      or (kind = 'device' and made_by = any(${[...ids]}::bigint[]))
    order by made_at, id
  `.execute(db)
  return rows
}

/** The accounts whose shared device with this one was recorded after a time. */
export async function findDevicesSince(
  db: DbOrTx,
  accountId: number,
  since: Date,
): Promise<number[]> {
  const rows = await db
    .selectFrom('account_hands')
    .select('made_by')
    .distinct()
    .where('account_id', '=', accountId)
    .where('kind', '=', 'device')
    .where('made_at', '>', since)
    .execute()
  return rows.map(({ made_by }) => made_by)
}

/** Usernames by id, without those of accounts that are gone. */
export async function findUsernames(
  db: DbOrTx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where('id', 'in', [...ids, 0])
    .execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}
