import type { Tx } from '../../db/database.ts'
import { sql } from 'kysely'

/** Blocks login at once, until the block is lifted. */
export async function blockLogin(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await sql`
    update accounts
    set login_blocked = true, login_open_until = null
    where id = any(${accountIds}::bigint[])
  `.execute(tx)
}

/** Allows login until `until` on blocked accounts. The block itself stays. */
export async function openLogin(tx: Tx, accountIds: readonly number[], until: Date): Promise<void> {
  await sql`
    update accounts
    set login_open_until = ${until}
    where id = any(${accountIds}::bigint[]) and login_blocked
  `.execute(tx)
}

/** Lifts the block for good. */
export async function liftLoginBlock(tx: Tx, accountId: number): Promise<void> {
  await sql`
    update accounts
    set login_blocked = false, login_open_until = null
    where id = ${accountId}
  `.execute(tx)
}
