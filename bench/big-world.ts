import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fullScale } from '../apps/api/seeds/big/scale.ts'
import { seedBig } from '../apps/api/seeds/big/seed-big.ts'
import { type Db, openDatabase } from '../apps/api/src/db/database.ts'
import { migrate } from '../apps/api/src/db/migrate.ts'
import { resolveConnection } from '../apps/api/src/db/resolve-connection.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { type Log, silentLog } from '../apps/api/src/lib/log/log.ts'

const scaleGiven = process.env['SCALE'] ?? '2000000'
const clicks = scaleGiven === 'full' ? fullScale.clicks : Number(scaleGiven)

/**
 * Provides a bench with a database that holds the big world, and with its owner, whose statements have no timeout.
 *
 *     DATABASE_URL   a PostgreSQL server, empty or with the big world; default: a separate embedded engine
 *     SCALE          clicks to create in an empty database, 2000000 or `full` (20 million)
 */
export async function withBigWorld(
  bench: string,
  work: (db: Db, owner: Db) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-bench-'))
  // The engine may run as another user.
  await chmod(dataDir, 0o711)
  const databaseUrl = process.env['DATABASE_URL']
  const { connection, stop } = await resolveConnection(
    { databaseUrl, appDatabaseUrl: undefined, dataDir },
    silentLog,
  )
  try {
    await migrate(connection, silentLog)
    const { db, close } = openDatabase(connection, { max: 3, applicationName: bench })
    const owner = openDatabase(connection, { max: 2, applicationName: bench, asOwner: true })
    try {
      await provideWorld(owner.db)
      await work(db, owner.db)
    } finally {
      await Promise.all([close(), owner.close()])
    }
  } finally {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function provideWorld(owner: Db): Promise<void> {
  const scale = { ...fullScale, clicks, sales: clicks / 50 }
  const secret = Buffer.alloc(32)
  await seedBig({ owner, clock: systemClock, secret, log: progress() }, scale)
}

function progress(): Log {
  const startedAt = performance.now()
  const info: Log['info'] = (first: object | string, message?: string) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)
    const text = typeof first === 'string' ? first : `${message ?? ''} ${JSON.stringify(first)}`
    console.log(`${seconds} s  ${text}`)
  }
  return { ...silentLog, info }
}

/** A line of a bench's table. */
export const line = (name: string, ...cells: string[]) =>
  name.padEnd(30) + cells.map((cell) => cell.padStart(13)).join('')
