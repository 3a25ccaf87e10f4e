import type { Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import type { Archive } from './archives.queries.ts'

/** An archived month with deleted agents in its file. */
export type Purge = Archive & { agentIds: number[] }

export async function findPurges(db: DbOrTx): Promise<Purge[]> {
  const { rows } = await sql<Purge>`
    select
      archive.month, archive.file, archive.sha256, archive.content_sha256 as "contentSha256",
      archive.bytes, archive.clicks,
      array_agg(purge.agent_id) as "agentIds"
    from archive_purges as purge
    join click_archives as archive using (month)
    group by archive.month
    order by archive.month
  `.execute(db)
  return rows
}

export async function replaceFile(tx: Tx, old: Archive, file: Archive): Promise<void> {
  await tx
    .updateTable('click_archives')
    .set({
      file: file.file,
      sha256: file.sha256,
      content_sha256: file.contentSha256,
      bytes: file.bytes,
      clicks: file.clicks,
      replaced_file: old.file,
    })
    .where('month', '=', old.month)
    .execute()
}

/** Marks the purge of these agents as done. Agents deleted meanwhile are left for the next run. */
export async function clearPurges(tx: Tx, { month, agentIds }: Purge): Promise<void> {
  await tx
    .deleteFrom('archive_purges')
    .where('month', '=', month)
    .where('agent_id', 'in', agentIds)
    .execute()
}

export async function findReplaced(db: Db): Promise<{ month: Day; file: string }[]> {
  const rows = await db
    .selectFrom('click_archives')
    .select(['month', 'replaced_file as file'])
    .where('replaced_file', 'is not', null)
    .execute()
  return rows.map(({ month, file }) => ({ month, file: file ?? '' }))
}

/** Takes no lock, so another run may have replaced the file again: only this one is forgotten. */
export async function forgetReplaced(db: Db, month: Day, file: string): Promise<void> {
  await db
    .updateTable('click_archives')
    .set({ replaced_file: null })
    .where('month', '=', month)
    .where('replaced_file', '=', file)
    .execute()
}

/**
 * Deletes the seals of a deleted agent on a distributed database, and marks their clicks to be purged from the files.
 * Elsewhere a function of the owner does so.
 */
export async function forgetSealsOfAgent(tx: Tx, agentId: number): Promise<void> {
  const months = await tx
    .selectFrom('click_seals')
    .select(['month', 'agent_id'])
    .distinct()
    .where('agent_id', '=', agentId)
    .execute()
  // Before the first archive, the app's role may not have the rights yet.
  if (months.length === 0) return
  await tx
    .insertInto('archive_purges')
    .values(months)
    .onConflict((key) => key.doNothing())
    .execute()
  await tx.deleteFrom('click_seals').where('agent_id', '=', agentId).execute()
}
