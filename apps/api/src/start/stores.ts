import { distribute, expectCoordinator, expectEveryTableInPlace } from '../db/citus/distribute.ts'
import { findLayout, type Layout } from '../db/citus/layout.ts'
import { tablePlaces } from '../db/citus/table-places.ts'
import { findNodeFlaws } from '../db/citus/nodes.ts'
import type { Connection } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { type Log, silentLog } from '../lib/log/log.ts'
import { loadOnOneServer, type Restorable } from '../operate/index.ts'
import { loadOnCluster } from '../operate/citus/load.queries.ts'
import { type Stores, storesOnOneServer } from '../tracking/index.ts'
import { storesOnCluster } from '../tracking/citus/stores.ts'
import type { Command, Owned } from './command.ts'

/** A database, and where it has its rows: as the first process found it, which tells the others. */
export type FoundDatabase = { connection: Connection; layout: Layout }

/**
 * Finds where a migrated database has its rows, once: only a command changes it, while the app is stopped. Logs what machines of a
 * cluster lack: reports may still be read while one is being mended.
 *
 * @throws DistributeError on a cluster that has tables of an upgrade which are not in their places.
 */
export async function findDatabase(
  connection: Connection,
  ownerDb: Db,
  log: Log,
): Promise<FoundDatabase> {
  await expectEveryTableInPlace(ownerDb)
  const layout = await findLayout(ownerDb)
  if (layout === 'distributed') {
    const { faults, limits } = await findNodeFlaws(ownerDb)
    for (const flaw of [...faults, ...limits]) log.warn(flaw)
  }
  return { connection, layout }
}

/** What depends on where a database has its rows. */
export type AllStores = Stores & Pick<Restorable, 'restoring'>

/** Chooses between one server and a cluster. */
export const storesOf = ({ layout }: Pick<FoundDatabase, 'layout'>): AllStores =>
  layout === 'together' ? onOneServer : onCluster

/** The same for a command, which may have a database of any version. */
export const findStores = async (db: Db): Promise<AllStores> =>
  storesOf({ layout: await findLayout(db) })

const tables = Object.keys(tablePlaces)
const onOneServer = { ...storesOnOneServer, restoring: { load: loadOnOneServer, tables } }
const onCluster = { ...storesOnCluster, restoring: { load: loadOnCluster, tables } }

export const databaseCommands: Record<string, Command> = {
  'db distribute': {
    says: 'distributes the tables of a Citus coordinator over its workers; stop the app first',
    run: distributeTables,
  },
}

async function distributeTables({ db, connection, progress }: Owned): Promise<number> {
  await expectCoordinator(db)
  await progress.step('Schema', (reach) => migrate(connection, silentLog, { reach }))
  const moved = await progress.step('Moving tables', (reach) => distribute(db, reach))
  for (const limit of (await findNodeFlaws(db)).limits) console.log(limit)
  console.log(moved.length === 0 ? 'Every table is in its place.' : `Moved: ${moved.join(', ')}.`)
  return 0
}
