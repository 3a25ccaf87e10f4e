import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { migrate } from '../../db/migrate.ts'
import { openDatabase } from '../../db/database.ts'
import { silentLog } from '../../lib/log/log.ts'
import {
  clickTakenBackKey,
  everySaleKey,
  formerReversalReportKeys,
  keysThatTakeBack,
  ofOneClick,
  orderHashOf,
  partKey,
  restorationKey,
  reversalKey,
  saleKeysOf,
} from './sale-keys.ts'

const name = { siteId: 7, transactionId: 'A:1\n:2/p3', clickId: undefined }
const id = '018f2c5e-0000-7000-8000-000000000001'

test('all keys of an order have one hash, and another order has another', () => {
  const keys = [
    ...everySaleKey(name),
    ...everySaleKey(name).map((key) => `${key}/p9`),
    ...Object.values(saleKeysOf(name, 'sale', 9)),
    ...keysThatTakeBack(name, 'sale', 9),
    ...keysThatTakeBack(name, 'sale', 9).map((key) =>
      partKey(key, { amountE4: 12_500, at: new Date(0), number: undefined }),
    ),
    ...keysThatTakeBack(name, 'sale', 9).map((key) =>
      partKey(key, { amountE4: 12_500, at: undefined, number: 'R:1' }),
    ),
    ...formerReversalReportKeys(name, 'void'),
    ...everySaleKey({ ...name, clickId: 'click' }),
    ...Object.values(saleKeysOf(name, 'sale', 9, 'click')),
    clickTakenBackKey({ ...name, clickId: 'click' }),
    ...keysThatTakeBack(name, 'sale', 9).map((key) => ofOneClick(key, 'click')),
  ]
  expect(new Set(keys.map(orderHashOf)).size).toBe(1)
  const others = [
    ...everySaleKey({ ...name, siteId: 8 }),
    ...everySaleKey({ ...name, transactionId: 'A' }),
    ...everySaleKey({ ...name, transactionId: undefined, clickId: 'A:1\n:2/p3' }),
  ]
  expect(others.map(orderHashOf)).not.toContain(orderHashOf(keys[0] ?? ''))
  expect(new Set([reversalKey(id), restorationKey(id)].map(orderHashOf)).size).toBe(2)
})

test('keys from before the upgrade get the hash that the app looks for', async () => {
  const { connection, db, close } = await createTestDatabase({ schema: false })
  const owner = openDatabase(connection, { max: 1, applicationName: 'test', asOwner: true })
  onTestFinished(async () => {
    await owner.close()
    await db.destroy()
    await close()
  })
  await migrate(connection, silentLog, { upTo: '0175_link_checks' })
  const keys = [...everySaleKey(name), `7:c:click:void/p3`, '7:t:ä\\:0', '7:B', reversalKey(id)]
  await sql`
    insert into sale_keys (sale_key, event_id, agent_id, type_id, click_id)
    select unnest(${keys}::text[]), gen_random_uuid(), 1, 1, 'click'
  `.execute(owner.db)
  await migrate(connection, silentLog)
  const stored = await owner.db.selectFrom('sale_keys').select(['sale_key', 'order_hash']).execute()
  expect(stored.toSorted((a, b) => (a.sale_key < b.sale_key ? -1 : 1))).toEqual(
    keys.toSorted().map((key) => ({ sale_key: key, order_hash: orderHashOf(key) })),
  )
})
