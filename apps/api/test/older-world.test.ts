import { afterAll, expect, test } from 'vitest'
import { distribute } from '../src/db/citus/distribute.ts'
import { openDatabase } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { silentLog } from '../src/lib/log/log.ts'
import { findUngranted } from '../src/pay/evidence/verify-decisions.ts'
import { foldTotals, verifyTotals } from '../src/totals/index.ts'
import { createCitusDatabase, createTestDatabase, ownLayout } from './database.ts'
import { buildOlderWorld, countOlderEvents, olderVersion } from './older-world.ts'

const isCitus = ownLayout() === 'distributed'
const { connection, close } = await (isCitus
  ? createCitusDatabase()
  : createTestDatabase({ schema: false }))
const owner = openDatabase(connection, { max: 2, applicationName: 'tallyroom cli', asOwner: true })
afterAll(async () => {
  await owner.close()
  await close()
})

test('clicks, sales and totals of an older version survive the upgrade, and whoever may pay has been granted it', async () => {
  const { db } = owner
  await migrate(connection, silentLog, { upTo: olderVersion })
  const before = await buildOlderWorld(db)
  if (isCitus) await distribute(db)
  await migrate(connection, silentLog)
  if (isCitus) await distribute(db)
  expect(await countOlderEvents(db)).toEqual(before)
  expect(before.clicks).toBeGreaterThan(0)
  await foldTotals(db)
  expect(await verifyTotals(db)).toEqual([])
  expect(await findUngranted(db)).toEqual([])
})
