import type { Contact } from '@tallyroom/contract/people/contact'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

export async function findContact(db: DbOrTx): Promise<Contact & { version: number }> {
  return db
    .selectFrom('network_contact')
    .select(['name', 'chat', 'email', 'version'])
    .executeTakeFirstOrThrow()
}

export async function lockContact(tx: Tx): Promise<Contact & { version: number }> {
  await sql`select 1 from network_contact for update`.execute(tx)
  return findContact(tx)
}

export async function updateContact(tx: Tx, { name, chat, email }: Contact): Promise<void> {
  await tx
    .updateTable('network_contact')
    .set({ name, chat, email, version: sql`version + 1` })
    .execute()
}
