import { WORK_IN_SEQUENCE } from '../../db/citus/layout.ts'
import { loadInOrder, onSession } from '../backup/load-rows.ts'
import { expectEnd, type Load } from '../backup/restore.ts'
import {
  begin,
  commit,
  emptyTables,
  findTables,
  markHalfRestored,
  raiseIds,
} from '../backup/tables.queries.ts'

/** In one transaction, in which the keys of tables stay. */
export const loadOnCluster: Load = async ({ database, reader, isHalf, provideSchema, finish }) => {
  await provideSchema(isHalf)
  const loaded = await onSession(database.pool, async (session) => {
    await begin(session)
    await session.query(WORK_IN_SEQUENCE)
    await markHalfRestored(session, true)
    const tables = await findTables(session)
    await emptyTables(session, tables)
    let rows = 0
    for (const { table } of tables) rows += await loadInOrder(session, reader, table)
    await expectEnd(reader, rows)
    await raiseIds(session)
    await commit(session)
    return rows
  })
  await finish()
  return loaded
}
