import type { NoticeKind } from '@tallyroom/domain/partner-postback'
import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { locks, tryLock } from '../../db/locks.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { DB } from '../../db/types.ts'

/** A delivery that a process has leased, with its target. */
export type LeasedDelivery = {
  id: number
  targetId: number
  eventId: string
  agentId: number
  kind: NoticeKind
  /** With this one. */
  tries: number
  leasedUntil: Date
  url: string
  token: string
  ofAgent: number | null
  ofOffice: number | null
  /** Whether its target failed the last time. */
  isFailing: boolean
}

/**
 * Turns the oldest notices into deliveries to every target that wants to hear of them. False if there are none. A target that
 * is off because it failed gets them as missed.
 */
export async function spreadNotices(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ notices: number }>`
    with taken as (
      delete from notices
      where id in (select id from notices order by id limit 500 for update skip locked)
      returning id, kind, agent_id, office_id, site_id, type_id, written_at
    ),
    made as (
      insert into deliveries (target_id, event_id, agent_id, kind, made_at, state, next_try_at)
      select
        target.id, taken.id, taken.agent_id, taken.kind, ${now},
        case target.state when 'on' then 'waiting' else 'missed' end,
        case target.state when 'on' then ${now}::timestamptz end
      from taken
      join postback_targets as target
        on coalesce(target.agent_id, taken.agent_id) = taken.agent_id
        and coalesce(target.office_id, taken.office_id) = taken.office_id
        and coalesce(target.site_id, taken.site_id) = taken.site_id
        and coalesce(target.type_id, taken.type_id) = taken.type_id
        and taken.kind = any(target.events)
        and target.state in ('on', 'failing')
        and target.created_at <= taken.written_at
      on conflict (target_id, event_id) do nothing
    )
    select count(*)::int as notices from taken
  `.execute(db)
  return (rows[0]?.notices ?? 0) > 0
}

/**
 * The next deliveries that are due, leased to the caller until `until`. After that, any process may try them. At most two are
 * under way to a host, and one to a host that fails; of those, at most `failingRoom` are taken. Those of a suspended agent or
 * office wait. Empty if another process is choosing.
 */
export const leaseDue = (
  db: Db,
  at: { now: Date; until: Date; room: number; failingRoom: number },
): Promise<LeasedDelivery[]> =>
  inTransaction(db, async (tx) => ((await tryLock(tx, locks.deliveries)) ? lease(tx, at) : []))

async function lease(
  tx: Tx,
  { now, until, room, failingRoom }: Parameters<typeof leaseDue>[1],
): Promise<LeasedDelivery[]> {
  const { rows } = await sql<LeasedDelivery>`
    with under_way as (
      select target.host, count(*)::int as running
      from deliveries as delivery
      join postback_targets as target on target.id = delivery.target_id
      where delivery.leased_until > ${now}
      group by target.host
    ),
    due as (
      select
        delivery.id,
        delivery.next_try_at,
        target.failures > 0 as is_failing,
        coalesce(under_way.running, 0) + row_number() over (
          partition by target.host order by delivery.next_try_at, delivery.id
        ) as place
      from postback_targets as target
      join deliveries as delivery on delivery.id = any(array(
        select id
        from deliveries
        where target_id = target.id and next_try_at <= ${now}
        order by next_try_at, id
        limit 2
      ))
      left join under_way on under_way.host = target.host
      left join agents as agent on agent.id = target.agent_id
      left join offices as office on office.id = coalesce(target.office_id, agent.office_id)
      where coalesce(agent.active, true) and coalesce(office.active, true)
        and target.state = 'on' and (target.wait_until is null or target.wait_until <= ${now})
    ),
    allowed as (
      select id, row_number() over (order by is_failing, next_try_at, id) as place,
        case when is_failing
          then row_number() over (partition by is_failing order by next_try_at, id) else 0
        end as failing_place
      from due
      where place <= case when is_failing then 1 else 2 end
    )
    update deliveries as delivery
    set leased_until = ${until}, next_try_at = ${until}, tries = delivery.tries + 1
    from postback_targets as target
    where target.id = delivery.target_id
      and delivery.id in (
        select id from allowed where place <= ${room} and failing_place <= ${failingRoom}
      )
    returning
      delivery.id,
      delivery.target_id as "targetId",
      delivery.event_id as "eventId",
      delivery.agent_id as "agentId",
      delivery.kind,
      delivery.tries,
      delivery.leased_until as "leasedUntil",
      target.url,
      target.token,
      target.agent_id as "ofAgent",
      target.office_id as "ofOffice",
      target.failures > 0 as "isFailing"
  `.execute(tx)
  return rows
}

/** What became of a try. */
export type Outcome = Pick<Selectable<DB['deliveries']>, 'state' | 'next_try_at' | 'done_at'>

/** Changes a delivery. False if its lease has ended and another process may have taken it. */
export async function updateLeased(
  tx: Tx,
  { id, leasedUntil }: Pick<LeasedDelivery, 'id' | 'leasedUntil'>,
  change: Outcome | { next_try_at: Date; tries: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ ...change, leased_until: null })
    .where('id', '=', id)
    .where('leased_until', '=', leasedUntil)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export type Try = Omit<Selectable<DB['delivery_tries']>, 'id' | 'delivery_id'>

export async function insertTry(tx: Tx, deliveryId: number, tried: Try): Promise<void> {
  await tx
    .insertInto('delivery_tries')
    .values({ delivery_id: deliveryId, ...tried })
    .execute()
}

/** A target that goes off misses what waits. */
export async function missWaiting(tx: Tx, targetId: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ state: 'missed', next_try_at: null, leased_until: null })
    .where('target_id', '=', targetId)
    .where('state', '=', 'waiting')
    .execute()
}

/** Sends again what a target has missed, or one delivery, from the first try. Returns how many. */
export async function sendAgain(
  tx: Tx,
  { targetId, deliveryId, now }: { targetId: number; deliveryId?: number; now: Date },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'waiting', tries: 0, next_try_at: now, leased_until: null, done_at: null })
    .where('target_id', '=', targetId)
    .$call((query) =>
      deliveryId === undefined
        ? query.where('state', '=', 'missed')
        : query.where('id', '=', deliveryId).where('leased_until', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes deliveries, with their tries, that were made before. */
export async function deleteOldDeliveries(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('deliveries').where('made_at', '<', before).execute()
}

export type LoggedDelivery = {
  id: number
  eventId: string
  kind: NoticeKind
  madeAt: Date
  state: 'waiting' | 'sent' | 'failed' | 'missed'
  nextTryAt: Date | null
}

/** A page of a target's deliveries, newest first. The caller has found the target in the viewer's scope. */
export async function findDeliveries(
  db: Db,
  targetId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: LoggedDelivery[]; total: number }> {
  const { rows } = await sql<LoggedDelivery>`
    select id, event_id as "eventId", kind, made_at as "madeAt", state, next_try_at as "nextTryAt"
    from deliveries
    where target_id = ${targetId}
    order by id desc
    limit ${limit} offset ${offset}
  `.execute(db)
  const { total } = await db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('target_id', '=', targetId)
    .executeTakeFirstOrThrow()
  return { rows, total }
}

export const findTries = (db: Db, deliveryIds: readonly number[]) =>
  deliveryIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('delivery_tries')
        .selectAll()
        .where('delivery_id', 'in', deliveryIds)
        .orderBy('id')
        .execute()
