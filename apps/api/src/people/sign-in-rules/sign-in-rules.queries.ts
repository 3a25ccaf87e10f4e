import type { SignInRules } from '@tallyroom/domain/sign-in-rules'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

export async function findSignInRules(db: DbOrTx): Promise<SignInRules & { version: number }> {
  return db
    .selectFrom('sign_in_rules')
    .select([
      'superadmins',
      'admins',
      'payers',
      'offices',
      'agents',
      'second_acts as secondActs',
      'version',
    ])
    .executeTakeFirstOrThrow()
}

/** Whether staff sign in only through the provider. */
export async function isProviderOnly(db: DbOrTx): Promise<boolean> {
  const rules = await db
    .selectFrom('sign_in_rules')
    .select('provider_only')
    .executeTakeFirstOrThrow()
  return rules.provider_only
}

export async function updateProviderOnly(tx: Tx, only: boolean): Promise<void> {
  await tx.updateTable('sign_in_rules').set({ provider_only: only }).execute()
}

export async function lockSignInRules(tx: Tx): Promise<SignInRules & { version: number }> {
  await sql`select 1 from sign_in_rules for update`.execute(tx)
  return findSignInRules(tx)
}

export async function updateSignInRules(
  tx: Tx,
  { secondActs, superadmins, admins, payers, offices, agents }: SignInRules,
): Promise<void> {
  await tx
    .updateTable('sign_in_rules')
    .set({
      superadmins,
      admins,
      payers,
      offices,
      agents,
      second_acts: secondActs,
      version: sql`version + 1`,
    })
    .execute()
}
