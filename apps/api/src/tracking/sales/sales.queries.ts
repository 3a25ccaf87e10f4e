import {
  type CountedEvent,
  eventKindOf,
  isPostbackEvent,
  isReversal,
} from '@tallyroom/domain/event-types'
import { type ClickIdFields, saysUnstored } from '@tallyroom/domain/click-id'
import { sql } from 'kysely'
import { ratesFor } from '../../catalogue/index.ts'
import { columns } from '../../db/list-query.ts'
import type { DbOrTx } from '../../db/database.ts'
import { countedNumbers } from '../../db/event-types.ts'
import { prepared } from '../../db/prepared.ts'
import { sealedClick } from '../archive/sealed-clicks.queries.ts'
import { findRepricedSale, holdRates, isCurrent, raiseBackdated } from './held-rates.queries.ts'
import type { ExtraRow, KeyHolder, Origin, SaleLedger } from './ledger.ts'
import { locks, takeLock } from '../../db/locks.ts'
import { type SaleEvent, totalsOf } from './price-event.ts'
import { orderHashOf } from './sale-keys.ts'

type OriginRow = Omit<Origin, 'officeId'> & { officeId: number | null }

const officeOfClick = ({ agentId, clickedAtMs, nonce, typeId }: ClickIdFields) => ({
  id: sql`click.office_id`,
  join: sql`left join click_origin(
    ${agentId}, ${new Date(clickedAtMs)}, ${nonce}, ${typeId}
  ) as click on true`,
  columns: sql<OriginRow>`,
    click.office_id as "officeId", click.fraud, click.referrer_id as "referrerId"`,
})

/** Its row, if it has one from before such ids, else what is sealed of its day, else its agent as they are now. */
function officeOfUnstored(click: ClickIdFields) {
  const { join } = officeOfClick(click)
  const id = sql`coalesce(click.office_id, sealed."officeId", agent.office_id)`
  return {
    id,
    join: sql`${join}
      left join (${sealedClick(click)}) as sealed on true
      left join agents as agent on agent.id = ${click.agentId}`,
    columns: sql<OriginRow>`,
      ${id} as "officeId", coalesce(click.fraud, sealed."isBlacklisted", false) as fraud,
      click.referrer_id as "referrerId"`,
  }
}

/** The real ledger on one server: an event and its related rows are one statement. */
export const saleLedger: SaleLedger = {
  async findOrigin(db, click, at) {
    const { typeId, agentId } = click
    const office = saysUnstored(click) ? officeOfUnstored(click) : officeOfClick(click)
    const found = await ratesFor(db, { typeId, at, agentId, office })
    if (!found) return { origin: undefined, rates: undefined }
    const { rates, row } = found
    const { officeId, fraud, referrerId } = row
    return { origin: officeId === null ? undefined : { officeId, fraud, referrerId }, rates }
  },

  async insertOnce(db, newKey, event, alsoInsert) {
    const { key, reported, former, blockers = [], orderLock, soldAt, backdated } = newKey
    const totals = totalsOf(event, soldAt).map((row) => ({ table: 'totals_pending', row }) as const)
    const { rows } = await sql<{ isWritten: boolean; isCurrent: boolean }>`
      ${prepared}
      with current as materialized (${isCurrent(event.type_id, backdated)}),
      written as (
        insert into sale_keys (sale_key, order_hash, event_id, agent_id, type_id, click_id, reported)
        select
          ${key}, ${orderHashOf(key)}, ${event.id}, ${event.agent_id}, ${event.type_id}, ${event.click_id}, ${reported}
        from current
        where not exists (
          select 1 from sale_keys where sale_key = ${former ?? null} and reported is null
        )
          ${orderLock === undefined ? sql`` : sql`and ${isOpen(orderLock, blockers)}`}
        on conflict (sale_key, order_hash) do nothing
        returning event_id
      ),
      ${sql.join(
        [{ table: 'sale_events', row: event } as const, ...totals, ...alsoInsert].map(
          insertWithEvent,
        ),
      )}
      select
        exists (select 1 from written) as "isWritten", exists (select 1 from current) as "isCurrent"
    `.execute(db)
    if (rows[0]?.isWritten) return 'written'
    return rows[0]?.isCurrent ? 'taken' : 'backdated'
  },

  async insertFurtherKey(db, key, { eventId, agentId, typeId, clickId, reported }) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('sale_keys')
      .values({
        sale_key: key,
        order_hash: orderHashOf(key),
        event_id: eventId,
        agent_id: agentId,
        type_id: typeId,
        click_id: clickId,
        reported,
      })
      .onConflict((conflict) => conflict.columns(['sale_key', 'order_hash']).doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  },

  async findHolders(db, keys): Promise<KeyHolder[]> {
    const holders = await db
      .selectFrom('sale_keys')
      .select([
        'sale_key as saleKey',
        'event_id as eventId',
        'agent_id as agentId',
        'type_id as typeId',
        'click_id as clickId',
        'reported',
      ])
      .where('sale_key', 'in', keys)
      .where('order_hash', 'in', [...new Set(keys.map(orderHashOf))])
      .execute()
    return holders.map((holder) => ({ ...holder, reported: wordOf(holder.reported) }))
  },

  async findEvent(db, { agentId, eventId }) {
    const [event] = await events(db)
      .where('agent_id', '=', agentId)
      .where('id', '=', eventId)
      .$narrowType<Pick<SaleEvent, 'event_type'>>()
      .execute()
    return event
  },

  findEventsOfClick: (db, { siteId, agentId, clickId }): Promise<SaleEvent[]> =>
    events(db)
      .where('agent_id', '=', agentId)
      .where('click_id', '=', clickId)
      .where('site_id', '=', siteId)
      .where('quantity', '<>', 0)
      .where('event_type', 'in', countedNumbers)
      .orderBy('event_type')
      .orderBy('id')
      .$narrowType<Pick<SaleEvent, 'event_type'>>()
      .execute(),

  lockOrder: (tx, key) => takeLock(tx, locks.order(key)),

  async findRepriced(tx, sale) {
    await holdRates(tx, sale.type_id)
    return findRepricedSale(tx, sale)
  },

  async stopSales(tx, typeId) {
    await takeLock(tx, locks.rates(typeId))
    await raiseBackdated(tx, typeId)
  },
}

/**
 * Whether no one settles this order at the moment, none of these keys is taken, and nothing of it was rejected. If so,
 * whoever settles it next waits for this transaction. It does not wait itself, because its statement would not see what was
 * written meanwhile.
 */
export const isOpen = (lock: string, blockers: readonly string[]) =>
  sql<boolean>`order_is_open(${lock}, ${blockers}::text[])`

/** A sale by its id, or by that of an event about it. */
export async function findSaleNamed(
  db: DbOrTx,
  eventId: string,
): Promise<
  { id: string; siteId: number; clickId: string; transactionId: string | null } | undefined
> {
  return db
    .selectFrom('sale_events as asked')
    .innerJoin('sale_events as sale', (join) =>
      join
        .onRef('sale.agent_id', '=', 'asked.agent_id')
        .on('sale.id', '=', (eb) =>
          eb.fn.coalesce('asked.of_sale', 'asked.reverses', 'asked.adjusts', 'asked.id'),
        ),
    )
    .select([
      'sale.id',
      'sale.site_id as siteId',
      'sale.click_id as clickId',
      'sale.transaction_id as transactionId',
    ])
    .where('asked.id', '=', eventId)
    .executeTakeFirst()
}

/** What the merchant reported for each of these events, by event id. */
export async function findReported(
  db: DbOrTx,
  events: readonly SaleEvent[],
): Promise<Map<string, CountedEvent>> {
  const ids = events.map((event) => event.postback_id).filter((id) => id !== null)
  const postbacks =
    ids.length === 0
      ? []
      : await db.selectFrom('postbacks').select(['id', 'event']).where('id', 'in', ids).execute()
  const words = new Map(postbacks.map(({ id, event }) => [id, wordOf(event)]))
  return new Map(
    events.map((event) => [
      event.id,
      words.get(event.postback_id ?? '') ?? eventKindOf(event.event_type),
    ]),
  )
}

/** As stored; null for reversals. */
export const wordOf = (word: string | null): CountedEvent | null =>
  word !== null && isPostbackEvent(word) && !isReversal(word) ? word : null

/**
 * A part of the statement that writes an event, which inserts a row atomically with it. `written` is the
 * preceding part, which has a row if the event's key was free. `place` names the part among others.
 */
export const insertWithEvent = ({ table, row }: ExtraRow, place: number) => sql`
  ${sql.id(`new_${table}_${place}`)} as (
    insert into ${sql.table(table)} (${columns(Object.keys(row))})
    select ${sql.join(Object.values(row))}
    from written
  )`

const events = (db: DbOrTx) =>
  db
    .selectFrom('sale_events')
    .select([
      'id',
      'agent_id',
      'occurred_at',
      'recorded_at',
      'event_type',
      'quantity',
      'office_id',
      'site_id',
      'type_id',
      'earning_cents',
      'payout_centavos',
      'lpp',
      'avp',
      'rate_source',
      'rate_id',
      'fraud',
      'click_id',
      'transaction_id',
      'customer_email',
      'referrer_id',
      'reverses',
      'reversal',
      'postback_id',
      'adjusts',
      'backdating_id',
      'restores',
      'of_sale',
      'sold_at',
      'part_ppm',
      'amount_e4',
      'currency',
      'agent_suspended',
    ])

/** A site's link type by alias; `orDeleted` also finds one that was deleted, because its sales stay. */
export async function findTypeByAlias(
  db: DbOrTx,
  siteId: number,
  alias: string,
  orDeleted?: 'or deleted',
): Promise<number | undefined> {
  const type = await db
    .selectFrom('link_types')
    .select('id')
    .where('site_id', '=', siteId)
    .where(sql`lower(typealias)`, '=', sql`lower(${alias}::text)`)
    .$if(!orDeleted, (types) => types.where('deleted_at', 'is', null))
    .orderBy((eb) => eb('deleted_at', 'is not', null))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return type?.id
}

/** The aliases that reports to a site may use for its link types. */
export async function findTypeAliases(db: DbOrTx, siteId: number): Promise<string[]> {
  const types = await db
    .selectFrom('link_types')
    .select('typealias')
    .where('site_id', '=', siteId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return types.map(({ typealias }) => typealias)
}

/** Whether a link type has, or had until its deletion, this alias. */
export async function isCalled(db: DbOrTx, typeId: number, alias: string): Promise<boolean> {
  const type = await db
    .selectFrom('link_types')
    .select('id')
    .where('id', '=', typeId)
    .where(sql`lower(typealias)`, '=', sql`lower(${alias}::text)`)
    .executeTakeFirst()
  return type !== undefined
}

/** An agent as they are now; undefined if they were deleted. */
export async function findAgent(
  db: DbOrTx,
  agentId: number,
): Promise<{ officeId: number } | undefined> {
  return db
    .selectFrom('agents')
    .select('office_id as officeId')
    .where('id', '=', agentId)
    .executeTakeFirst()
}

/** A site's first link type, for examples; undefined if it has none. */
export async function findFirstType(db: DbOrTx, siteId: number): Promise<number | undefined> {
  const type = await db
    .selectFrom('link_types')
    .select('id')
    .where('site_id', '=', siteId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return type?.id
}
