import type { Delivery } from '@tallyroom/contract/desk/partner-postbacks'
import type { QueueTrouble } from '@tallyroom/contract/desk/queue'
import type { WebhookKind } from '@tallyroom/domain/webhooks'
import { type Selectable, sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import type { RowOf } from '../../db/row-of.ts'
import { latestByTries } from '../../db/lease-next.ts'
import { locks, tryLock } from '../../db/locks.ts'
import { prepared } from '../../db/prepared.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { DB } from '../../db/types.ts'
import type { TargetRow } from './targets.queries.ts'

/** A delivery that a process has leased, with its target. */
export type LeasedDelivery = {
  id: number
  targetId: number
  eventId: string
  agentId: number | null
  kind: WebhookKind
  /** With this one. */
  tries: number
  leasedUntil: Date
  /** What an earlier try has said. */
  content: string | null
  ofAgent: number | null
  ofOffice: number | null
  target: Pick<
    TargetRow,
    'format' | 'url' | 'token' | 'sealed_secret' | 'former_secret' | 'former_until'
  >
  /** Whether its target failed the last time. */
  isFailing: boolean
}

/**
 * Turns the oldest notices into deliveries to every target that wants to hear of them. A target that is off because it failed
 * gets them as missed.
 *
 * @returns whether there may be more.
 */
export const spreadNotices = (db: Db, now: Date): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await commitSoon(tx)
    const { rows } = await sql<{ notices: number }>`
      ${prepared}
      with taken as (
        delete from notices
        where id in (select id from notices order by id limit ${AT_ONCE} for update skip locked)
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
          on (target.agent_id is null or target.agent_id = taken.agent_id)
          and (target.office_id is null or target.office_id = taken.office_id)
          and (target.site_id is null or target.site_id = taken.site_id)
          and (target.type_id is null or target.type_id = taken.type_id)
          and taken.kind = any(target.events)
          and target.state in ('on', 'failing')
          -- Or it was made by a clock that was ahead.
          and (target.created_at <= taken.written_at or target.created_at > ${now})
        on conflict (target_id, event_id) do nothing
      )
      select count(*)::int as notices from taken
    `.execute(tx)
    return rows[0]?.notices === AT_ONCE
  })

const AT_ONCE = 500

/**
 * Lets a transaction of the sender commit without waiting for the disk, on which clicks and sales wait. If the database's
 * machine fails at that moment, what was sent may be sent again, under the same id.
 */
export const commitSoon = (tx: Tx) => sql`set local synchronous_commit = off`.execute(tx)

/**
 * The next deliveries that are due, leased to the caller until `until`. After that, any process may try them. At most two are
 * under way to a host, and one to a host that fails; of those, at most `failingRoom` are taken. Those of a suspended agent or
 * office wait. Empty if another process is choosing.
 */
export const leaseDue = (
  db: Db,
  at: { now: Date; until: Date; room: number; failingRoom: number },
): Promise<LeasedDelivery[]> =>
  inTransaction(db, async (tx) => {
    await commitSoon(tx)
    return (await tryLock(tx, locks.deliveries)) ? lease(tx, at) : []
  })

async function lease(
  tx: Tx,
  { now, until, room, failingRoom }: Parameters<typeof leaseDue>[1],
): Promise<LeasedDelivery[]> {
  const { rows } = await sql<Omit<LeasedDelivery, 'target'> & LeasedDelivery['target']>`
    ${prepared}
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
      and delivery.id = any(array(
        select id from allowed where place <= ${room} and failing_place <= ${failingRoom}
      ))
    returning
      delivery.id,
      delivery.target_id as "targetId",
      delivery.event_id as "eventId",
      delivery.agent_id as "agentId",
      delivery.kind,
      delivery.tries,
      delivery.leased_until as "leasedUntil",
      delivery.content,
      target.format,
      target.url,
      target.token,
      target.sealed_secret,
      target.former_secret,
      target.former_until,
      target.agent_id as "ofAgent",
      target.office_id as "ofOffice",
      target.failures > 0 as "isFailing"
  `.execute(tx)
  return rows.map(
    ({ format, url, token, sealed_secret, former_secret, former_until, ...delivery }) => ({
      ...delivery,
      target: { format, url, token, sealed_secret, former_secret, former_until },
    }),
  )
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
    .modifyEnd(prepared)
    .set({ ...change, leased_until: null })
    .where('id', '=', id)
    .where('leased_until', '=', leasedUntil)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Keeps what a delivery says before it is said. False if its lease has ended and another process may have taken it. */
export const keepContent = (
  db: Db,
  { id, leasedUntil }: Pick<LeasedDelivery, 'id' | 'leasedUntil'>,
  content: string,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await commitSoon(tx)
    const { numUpdatedRows } = await tx
      .updateTable('deliveries')
      .modifyEnd(prepared)
      .set({ content })
      .where('id', '=', id)
      .where('leased_until', '=', leasedUntil)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })

export type Try = Omit<Selectable<DB['delivery_tries']>, 'id' | 'delivery_id'>

/** A target that goes off misses what waits. */
export async function missWaiting(tx: Tx, targetId: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ state: 'missed', next_try_at: null, leased_until: null })
    .where('target_id', '=', targetId)
    .where('state', '=', 'waiting')
    .execute()
}

/** Sends again what a target has missed, or one delivery, from the first try, without waiting any longer. Returns how many. */
export async function sendAgain(
  tx: Tx,
  { targetId, deliveryId, now }: { targetId: number; deliveryId?: number; now: Date },
): Promise<number> {
  await tx
    .updateTable('postback_targets')
    .set({ wait_until: null })
    .where('id', '=', targetId)
    .where('wait_until', 'is not', null)
    .execute()
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

/**
 * Tries soon what a clock that was ahead has put off, and ends its leases, which would take a host's places. `latest`: by the
 * number of tries, see `latestTries`. `longestLease` and `longestWait`: when a lease ends, and a target wants us to wait, at the
 * latest.
 */
export async function bringForward(
  db: Db,
  at: { now: Date; latest: readonly Date[]; longestLease: Date; longestWait: Date },
): Promise<void> {
  const { now, latest, longestLease, longestWait } = at
  await sql`
    update deliveries
    set next_try_at = ${now}, leased_until = null
    where leased_until > ${longestLease}
      or next_try_at > ${latestByTries(latest)}
  `.execute(db)
  await db
    .updateTable('postback_targets')
    .set({ wait_until: null })
    .where('wait_until', '>', longestWait)
    .execute()
}

/** Deletes deliveries, with their tries, that were made before. */
export async function deleteOldDeliveries(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('deliveries').where('made_at', '<', before).execute()
}

export type LoggedDelivery = RowOf<Omit<Delivery, 'tries'>, 'madeAt' | 'nextTryAt'>

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

/** What the last try for a target that fails came to. */
export const findLastFailure = (
  tx: Tx,
  targetId: number,
): Promise<Pick<Try, 'status' | 'error'> | undefined> =>
  tx
    .selectFrom('delivery_tries as try')
    .innerJoin('deliveries as delivery', 'delivery.id', 'try.delivery_id')
    .select(['try.status', 'try.error'])
    .where('delivery.target_id', '=', targetId)
    .orderBy('try.tried_at', 'desc')
    .orderBy('try.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** How many deliveries are in each state but the final ones, and since when. */
export const countDeliveries = (db: DbOrTx) =>
  db
    .selectFrom('deliveries')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .select((eb) => eb.fn.min('made_at').as('oldest'))
    .where('state', 'in', ['waiting', 'failed', 'held'])
    .groupBy('state')
    .execute()

/** A delivery whose last try failed, or that is held. */
export type TroubledDelivery = RowOf<
  Omit<QueueTrouble, 'queue' | 'subject'>,
  'triedAt' | 'nextTryAt'
>

/** The newest of them. */
export async function findTroubledDeliveries(
  db: DbOrTx,
  limit: number,
): Promise<TroubledDelivery[]> {
  const { rows } = await sql<TroubledDelivery>`
    with newest as (
      select * from deliveries
      where state in ('failed', 'held') or (state = 'waiting' and tries > 0 and leased_until is null)
      order by id desc
      limit ${limit}
    )
    select
      newest.id,
      jsonb_build_object('id', target.id, 'format', target.format) as target,
      target.host as to,
      newest.kind,
      newest.state,
      newest.tries,
      newest.next_try_at as "nextTryAt",
      coalesce(last.error, 'Status ' || last.status) as reason,
      last.tried_at as "triedAt",
      newest.state <> 'held' and target.state = 'on' as "mayTry"
    from newest
    join postback_targets as target on target.id = newest.target_id
    left join (
      select distinct on (delivery_id) delivery_id, error, status, tried_at
      from delivery_tries
      where delivery_id in (select id from newest)
      order by delivery_id, id desc
    ) as last on last.delivery_id = newest.id
    order by newest.id desc
  `.execute(db)
  return rows
}

/**
 * Sends a delivery whose last try failed as soon as possible, or all of them to targets that are on, also to those that want us to
 * wait. Returns how many.
 */
export async function tryDeliveriesAgain(
  tx: Tx,
  { id, now }: { id?: number | undefined; now: Date },
): Promise<number> {
  await tx
    .updateTable('postback_targets')
    .set({ wait_until: null })
    .where('wait_until', 'is not', null)
    .$if(id !== undefined, (query) =>
      query.where(
        'id',
        'in',
        tx
          .selectFrom('deliveries')
          .select('target_id')
          .where('id', '=', id ?? 0),
      ),
    )
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .from('postback_targets as target')
    .set({ state: 'waiting', tries: 0, next_try_at: now, done_at: null })
    .whereRef('target.id', '=', 'deliveries.target_id')
    .where('target.state', '=', 'on')
    .where('deliveries.state', 'in', ['waiting', 'failed'])
    .where('deliveries.leased_until', 'is', null)
    .where((eb) => eb.or([eb('deliveries.state', '=', 'failed'), eb('deliveries.tries', '>', 0)]))
    .$if(id !== undefined, (query) => query.where('deliveries.id', '=', id ?? 0))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Holds every delivery that waits. */
export async function holdDeliveries(tx: Tx): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ state: 'held', next_try_at: null, leased_until: null })
    .where('state', '=', 'waiting')
    .execute()
}

/** Sends what is held, or drops it: one delivery or all. What goes to a target that is off is missed. Returns how many. */
export async function decideHeldDeliveries(
  tx: Tx,
  { id, decision, now }: { id?: number | undefined; decision: 'send' | 'drop'; now: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries as delivery
    set
      state = case when ${decision} = 'drop' then 'dropped' when target.state = 'on' then 'waiting' else 'missed' end,
      next_try_at = case when ${decision} = 'send' and target.state = 'on' then ${now}::timestamptz end,
      done_at = case when ${decision} = 'drop' then ${now}::timestamptz end
    from postback_targets as target
    where target.id = delivery.target_id and delivery.state = 'held'
      and (${id ?? null}::bigint is null or delivery.id = ${id ?? null})
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
