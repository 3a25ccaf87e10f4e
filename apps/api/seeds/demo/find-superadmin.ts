import type { Tx } from '../../src/db/database.ts'

/** The account of the demo's superadmin. */
export async function findSuperadmin(tx: Tx): Promise<number> {
  const { id } = await tx
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', 'superadmin')
    .executeTakeFirstOrThrow()
  return id
}
