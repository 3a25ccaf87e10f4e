import type { Tx } from '../../db/database.ts'
import { sql } from 'kysely'

/** Blocks signing in, at once and until it is lifted. */
export async function blockLogin(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await sql`
    update accounts
    set login_blocked = true, login_open_until = null
    where id = any(${accountIds}::bigint[])
  `.execute(tx)
}

/** Opens signing in until then wherever it is blocked; the block stays. */
export async function openLogin(tx: Tx, accountIds: readonly number[], until: Date): Promise<void> {
  await sql`
    update accounts
    set login_open_until = ${until}
    where id = any(${accountIds}::bigint[]) and login_blocked
  `.execute(tx)
}

/** Takes the block away for good. */
export async function liftLoginBlock(tx: Tx, accountId: number): Promise<void> {
  await sql`
    update accounts
    set login_blocked = false, login_open_until = null
    where id = ${accountId}
  `.execute(tx)
}
