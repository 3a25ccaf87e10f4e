import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FIRST_UNSTORED_NONCE } from '@tallyroom/domain/click-id'
import { afterAll, expect, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { ownLayout } from '../../../test/database.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { openDatabase } from '../../db/database.ts'
import { rebuildTotals, verifyTotals } from '../../totals/index.ts'
import { ensurePartitions } from '../clicks/partitions.queries.ts'
import { archiveClicks } from './archive-clicks.ts'

const world = await postbackWorld({ layout: ownLayout() })
const owner = openDatabase(world.connection, { max: 2, applicationName: 'test', asOwner: true })
const folder = await mkdtemp(join(tmpdir(), 'tallyroom-archive-'))
afterAll(async () => {
  await owner.close()
  await rm(folder, { recursive: true })
})
const { db } = owner
const { clock } = world
const elsewhere = await buildOffice(db)
const { get, click, siteId, typeId } = await world.merchant()

const at = new Date('2025-12-20T17:00:00Z')
/** The last evening of a month in New York, which is in the file of the next UTC month. */
const evening = new Date('2025-12-01T02:00:00Z')
const ids = {
  usual: await click({ clicked_at: at }),
  moved: await click({ clicked_at: new Date(at.getTime() + 1), office_id: elsewhere }),
  again: await click({ clicked_at: new Date(at.getTime() + 2), is_unique: false }),
  evening: await click({ clicked_at: evening, office_id: elsewhere }),
  fraud: await click({
    clicked_at: new Date('2025-12-22T17:00:00Z'),
    is_unique: false,
    uncounted: 'blacklisted',
  }),
}
const unknown = world.inbound.clickIds.sign({
  clickedAtMs: Date.UTC(2025, 11, 25),
  agentId: world.agentId,
  typeId,
  nonce: 5,
})
// Two addresses would count as two visitors.
await db
  .updateTable('clicks')
  .set({ ip: '192.0.2.200' })
  .where('office_id', '=', elsewhere)
  .execute()
await rebuildTotals(db)
await ensurePartitions(db, clock, { from: '2025-12-01' })
await archiveClicks({ ...world.services, db, clock, folder }, { before: '2026-01-01' })

const officeOf = async (clickId: string) => {
  await get({ click_id: clickId, transaction_id: clickId })
  const events = await world.eventsOf(siteId)
  const { office_id: office, fraud } = events.find((event) => event.click_id === clickId) ?? {}
  return { office, fraud }
}

test('a sale of an archived click is recorded for the office of that day', async () => {
  expect(await db.selectFrom('clicks').select('nonce').execute()).toEqual([])
  expect(await officeOf(ids.usual)).toEqual({ office: world.officeId, fraud: false })
  expect(await officeOf(ids.evening)).toEqual({ office: elsewhere, fraud: false })
  expect(await verifyTotals(db)).toEqual([])
})

test('of two offices on that day, it is the one with more clicks', async () => {
  expect(await officeOf(ids.moved)).toEqual({ office: world.officeId, fraud: false })
})

test('it is fraud if all clicks of the day came from black-listed addresses', async () => {
  expect(await officeOf(ids.fraud)).toEqual({ office: world.officeId, fraud: true })
})

test('an id without clicks of its agent on that day waits, as before', async () => {
  expect(await officeOf(unknown)).toEqual({ office: undefined, fraud: undefined })
  expect(await db.selectFrom('waiting_postbacks').select('waits_for').execute()).toEqual([
    { waits_for: 'click' },
  ])
})

test('an id that says that its click was not stored has the office of its row, of that day, or else of now', async () => {
  const unstored = (instant: string) =>
    world.inbound.clickIds.sign({
      clickedAtMs: Date.parse(instant),
      agentId: world.agentId,
      typeId,
      nonce: FIRST_UNSTORED_NONCE,
    })
  expect(await officeOf(unstored('2025-12-20T18:00Z'))).toEqual({
    office: world.officeId,
    fraud: false,
  })
  expect(await officeOf(unstored('2025-12-01T02:30Z'))).toEqual({ office: elsewhere, fraud: false })
  expect(await officeOf(unstored('2025-12-22T18:00Z'))).toEqual({
    office: world.officeId,
    fraud: true,
  })
  expect(await officeOf(unstored('2025-12-25T18:00Z'))).toEqual({
    office: world.officeId,
    fraud: false,
  })
  const stored = await click({ nonce: FIRST_UNSTORED_NONCE, office_id: elsewhere })
  expect(await officeOf(stored)).toEqual({ office: elsewhere, fraud: false })
})
