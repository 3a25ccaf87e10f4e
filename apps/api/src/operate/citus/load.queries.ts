import type { ClientBase } from 'pg'
import { distribute } from '../../db/citus/distribute.ts'
import { WORK_IN_SEQUENCE } from '../../db/citus/layout.ts'
import type { BackupReader } from '../backup/backup-file.ts'
import { loadInOrder, onSession } from '../backup/load-rows.ts'
import { expectEnd, type Load } from '../backup/restore.ts'
import {
  begin,
  commit,
  dropEverything,
  emptyTables,
  findTables,
  markHalfRestored,
  raiseIds,
} from '../backup/tables.queries.ts'

/** In one transaction, in which the keys of tables stay. What a restore left half done is made anew. */
export const loadOnCluster: Load = async ({ database, reader, isHalf, finish, ...schema }) => {
  if (isHalf) await onSession(database.pool, dropEverything)
  await schema.findUnusedSchema()
  await schema.provideSchema()
  if (isHalf) await distribute(database.db)
  const rows = await onSession(database.pool, (session) => loadAtOnce(session, reader)).catch(
    async (error: unknown) => {
      // The tables are as empty as before. If the database is away, the mark stays, and the next restore starts over.
      await onSession(database.pool, (session) => markHalfRestored(session, false)).catch(() => {})
      throw error
    },
  )
  await finish()
  return rows
}

/** All rows, or none. */
async function loadAtOnce(session: ClientBase, reader: BackupReader): Promise<number> {
  await begin(session)
  await session.query(WORK_IN_SEQUENCE)
  const tables = await findTables(session)
  await emptyTables(session, tables)
  let rows = 0
  for (const { table } of tables) rows += await loadInOrder(session, reader, table)
  await expectEnd(reader, rows)
  await raiseIds(session)
  await commit(session)
  return rows
}
