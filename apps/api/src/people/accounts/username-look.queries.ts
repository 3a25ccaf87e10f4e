import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export const findUsernamesWithoutLook = (db: Db) =>
  db
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where('username_look', 'is', null)
    .orderBy('id')
    .execute()

export async function findLooks(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('username_look')
    .where('username_look', 'is not', null)
    .$narrowType<{ username_look: string }>()
    .execute()
  return rows.map(({ username_look }) => username_look)
}

export async function setLooks(
  db: Db,
  looks: readonly { id: number; look: string }[],
): Promise<void> {
  await sql`
    update accounts
    set username_look = given.look
    from unnest(
      ${looks.map(({ id }) => id)}::bigint[],
      ${looks.map(({ look }) => look)}::text[]
    ) as given (id, look)
    where accounts.id = given.id
  `.execute(db)
}
