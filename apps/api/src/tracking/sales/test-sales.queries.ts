import { TEST_AGENT_ID } from '@tallyroom/domain/click-id'
import { isEventType } from '@tallyroom/domain/event-types'
import { sql } from 'kysely'
import { ratesOf } from '../../catalogue/index.ts'
import type { DbOrTx } from '../../db/database.ts'
import { countedNumbers } from '../../db/event-types.ts'
import type { KeyHolder, Ledger } from './ledger.ts'
import type { SaleEvent } from './price-event.ts'
import { eventIn, restorationKey, reversalKey } from './sale-keys.ts'
import { insertWithEvent, wordOf } from './sales.queries.ts'

/** The ledger for merchants' tests: priced like real sales, counted nowhere. */
export const testLedger: Ledger = {
  async findOrigin(db, { typeId }, at) {
    const origin = { officeId: undefined, fraud: false, referrerId: null }
    return { origin, rates: await ratesOf(db, typeId, undefined, at) }
  },

  async insertOnce(db, { key, orderLock = null }, event, alsoInsert) {
    const { rows } = await sql`
      with written as (
        insert into test_sales (
          id, postback_id, site_id, type_id, sale_key, event_type, quantity,
          earning_cents, payout_centavos, recorded_at
        )
        select
          ${event.id}::uuid, ${event.postback_id}::uuid, ${event.site_id}::bigint, ${event.type_id}::bigint, ${key},
          ${event.event_type}::integer, ${event.quantity}::integer, ${event.earning_cents}::bigint,
          ${event.payout_centavos}::bigint, ${event.recorded_at}::timestamptz
        where not exists (select from rejected_orders where order_key = ${orderLock})
        on conflict (sale_key) do nothing
        returning id
      )
      ${sql.join(
        alsoInsert.map((extra, place) => sql`, ${insertWithEvent(extra, place)}`),
        sql``,
      )}
      select id from written
    `.execute(db)
    return rows.length > 0 ? 'written' : 'taken'
  },

  // A test sale has one key, which is enough to detect a duplicate reversal report.
  insertFurtherKey: () => Promise.resolve(true),

  async findHolders(db, keys): Promise<KeyHolder[]> {
    const rows = await testSales(db).where('sale.sale_key', 'in', keys).execute()
    return rows.map((row) => ({
      saleKey: row.sale_key,
      eventId: row.id,
      agentId: TEST_AGENT_ID,
      typeId: row.type_id,
      clickId: row.click_id ?? '',
      reported: wordOf(row.event),
    }))
  },

  async findEvent(db, { eventId }) {
    const row = await testSales(db).where('sale.id', '=', eventId).executeTakeFirst()
    return row && presentTestSale(row)
  },

  async findEventsOfClick(db, { siteId, clickId }) {
    const rows = await testSales(db)
      .where('postback.click_id', '=', clickId)
      .where('sale.site_id', '=', siteId)
      .where('sale.event_type', 'in', countedNumbers)
      .where('sale.quantity', '=', 1)
      .orderBy('sale.event_type')
      .orderBy('sale.id')
      .execute()
    const found = new Map(rows.map((row) => [row.id, row]))
    // A reversal may name its sale by the order number alone.
    for (let ids = [...found.keys()]; ids.length > 0;) {
      const keys = ids.flatMap((id) => [reversalKey(id), restorationKey(id)])
      const about = await testSales(db).where('sale.sale_key', 'in', keys).execute()
      ids = about.flatMap(({ id }) => (found.has(id) ? [] : [id]))
      for (const row of about) found.set(row.id, row)
    }
    return [...found.values()].map(presentTestSale)
  },

  // Test sales are never repriced.
  findRepriced: (_, sale) => Promise.resolve({ now: sale, takenPpm: 0, parts: 0 }),

  lockOrder: () => Promise.resolve(),
}

const testSales = (db: DbOrTx) =>
  db
    .selectFrom('test_sales as sale')
    .innerJoin('postbacks as postback', 'postback.id', 'sale.postback_id')
    .select([
      'sale.id',
      'sale.sale_key',
      'sale.site_id',
      'sale.type_id',
      'sale.event_type',
      'sale.quantity',
      'sale.earning_cents',
      'sale.payout_centavos',
      'sale.recorded_at',
      'sale.postback_id',
      'postback.occurred_at',
      'postback.click_id',
      'postback.event',
      'postback.transaction_id',
    ])

type TestSaleRow = Awaited<ReturnType<ReturnType<typeof testSales>['execute']>>[number]

/** As the event of a real sale. Fields that test sales do not store are empty. */
function presentTestSale({ sale_key, event_type, event: _event, ...row }: TestSaleRow): SaleEvent {
  if (!isEventType(event_type)) throw new RangeError(`No event type: ${event_type}`)
  return {
    ...row,
    agent_id: TEST_AGENT_ID,
    occurred_at: row.occurred_at ?? row.recorded_at,
    event_type,
    office_id: 0,
    lpp: 0,
    avp: false,
    rate_source: 'default',
    rate_id: null,
    fraud: false,
    click_id: row.click_id ?? '',
    customer_email: null,
    referrer_id: null,
    reverses: eventIn(sale_key, 'reversal') ?? null,
    reversal: null,
    adjusts: null,
    backdating_id: null,
    restores: eventIn(sale_key, 'restore') ?? null,
    of_sale: null,
    sold_at: null,
    part_ppm: null,
    amount_e4: null,
    currency: null,
    agent_suspended: false,
  }
}

/** The price of a test event. */
export const findTestAmounts = (db: DbOrTx, id: string) =>
  db
    .selectFrom('test_sales')
    .select(['earning_cents as earningCents', 'payout_centavos as payoutCentavos'])
    .where('id', '=', id)
    .executeTakeFirst()
