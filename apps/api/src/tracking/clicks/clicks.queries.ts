import type { CLICK_NOTES } from '@tallyroom/contract/desk/click-logs'
import { SUB_NAMES, type Subs, type TrackedLink } from '@tallyroom/domain/tracked-link'
import type { ClientBase } from 'pg'
import type { ClickIdFields } from '@tallyroom/domain/click-id'
import { NEW_YORK } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { ClickStore } from './click-store.ts'
import {
  type BatchKind,
  type ClickBatch,
  type KnownTexts,
  addStored,
  array,
  batchOf,
  leaveTexts,
  quote,
  textOfMarks,
} from './clicks-to-store.ts'
import { type Click, clickNoteSchema } from './click.ts'
import { recallVisitors } from './recall-visitors.queries.ts'

/** Maximum clicks that {@link storeClicks} takes. */
export const MOST_CLICKS = 500

/** Where clicks are stored, and the texts that it is known to have. */
export type StoreAndTexts = {
  clickStore: ClickStore
  known: KnownTexts
  /** Texts are stored separately. */
  withoutTexts?: boolean
}

/** Stores clicks of one New York day: see {@link ClickStore}. */
export async function storeClicks(
  session: ClientBase,
  kind: BatchKind,
  clicks: readonly Click[],
  { clickStore, known, withoutTexts }: StoreAndTexts,
): Promise<void> {
  const batch = batchOf(clicks, known)
  if (withoutTexts) return clickStore.store(session, kind, leaveTexts(batch))
  await clickStore.store(session, kind, batch)
  addStored(known, batch)
}

/**
 * Stores clicks of agents who do not exist, and rolls them back, so that the first visitors do not wait for statements to be
 * planned, for catalog, partitions and indexes to be read from a cold disk, or for connections between machines.
 *
 * @param agentIds agents whose clicks the session is for; default: as many as the store asks for.
 */
export async function warmUp(
  session: ClientBase,
  nonce: number,
  { clickStore, known }: StoreAndTexts,
  agentIds?: readonly number[],
): Promise<void> {
  // An address of its own, so that sessions do not wait for each other.
  const ip = `0.${(nonce >> 16) & 255}.${(nonce >> 8) & 255}.${nonce & 255}`
  const ofNobody = { nonce, typeId: 0, siteId: 0, officeId: 0, ip, visitor: ip }
  const clickedAtMs = Date.now()
  await session.query('begin')
  await clickStore.tryOut(session, (agents) => {
    const ids = agentIds ?? Array.from({ length: agents }, (_, index) => -index)
    return batchOf(
      ids.map((agentId) => ({ ...ofNobody, clickedAtMs, agentId })),
      known,
    )
  })
  await session.query('rollback')
}

/** On one server, a batch is one statement, so one round trip. */
export const clickStoreOnOneServer: ClickStore = {
  async store(session, kind, batch) {
    if (kind !== 'late') return storeAtOnce(session, kind, batch)
    await inSessionTransaction(session, async () => {
      await recallVisitors(session, batch)
      await storeAtOnce(session, 'again', batch)
    })
  },
  tryOut: (session, makeBatch) => storeAtOnce(session, 'new', makeBatch(1)),
  isHeldBack: () => false,
}

/** Runs `work` in a transaction of the session. */
export async function inSessionTransaction(
  session: ClientBase,
  work: () => Promise<void>,
): Promise<void> {
  await session.query('begin')
  try {
    await work()
    await session.query('commit')
  } catch (error) {
    await session.query('rollback').catch(() => undefined) // a lost session has rolled back
    throw error
  }
}

async function storeAtOnce(
  session: ClientBase,
  kind: 'new' | 'again',
  { day, clicks, marks, referrers, userAgents }: ClickBatch,
): Promise<void> {
  await session.query({
    name: `store clicks, ${kind}`,
    text: STORE_TEXT[kind],
    values: [
      day,
      array(clicks, (click) => click.clickedAtMs),
      array(clicks, (click) => click.agentId),
      array(clicks, (click) => click.typeId),
      array(clicks, (click) => click.siteId),
      array(clicks, (click) => click.officeId),
      array(clicks, (click) => click.nonce),
      array(clicks, (click) => click.ip),
      array(marks, (mark) => (mark === undefined ? 'null' : String.raw`"\\x${mark}"`)),
      array(clicks, ({ uncounted }) => (uncounted ? quote(uncounted) : 'null')),
      array(referrers.ids, (id) => id ?? 'null'),
      array(userAgents.ids, (id) => id ?? 'null'),
      array(clicks, (click) => {
        const texts = textOfMarks(click)
        return texts === undefined ? 'null' : quote(texts)
      }),
      referrers.added.map(([id]) => id),
      referrers.added.map(([, text]) => text),
      userAgents.added.map(([id]) => id),
      userAgents.added.map(([, text]) => text),
    ],
  })
}

export type StoredClick = {
  agentId: number
  typeId: number
  officeId: number
  clickedAt: Date
  ip: string
  isBlacklisted: boolean
  referrerId: number | null
}

/**
 * The click that an authentic id identifies, if its row exists. One look-up by primary key, in one
 * partition.
 */
export async function findClick(
  tx: DbOrTx,
  { agentId, clickedAtMs, nonce, typeId }: ClickIdFields,
): Promise<StoredClick | undefined> {
  const row = await tx
    .selectFrom('clicks')
    .modifyFront(prepared)
    .select([
      'agent_id as agentId',
      'type_id as typeId',
      'office_id as officeId',
      'clicked_at as clickedAt',
      'ip',
      'uncounted',
      'referrer_id as referrerId',
    ])
    .where('agent_id', '=', agentId)
    .where('clicked_at', '=', new Date(clickedAtMs))
    .where('nonce', '=', nonce)
    .where('type_id', '=', typeId)
    .executeTakeFirst()
  if (!row) return undefined
  const { uncounted, ...click } = row
  return { ...click, isBlacklisted: uncounted === 'blacklisted' }
}

/**
 * Sums the rows that were actually stored, so that a click that already existed adds nothing to the
 * totals.
 */
const storeText = (ifStored: '' | 'on conflict do nothing') => `
with arrived as materialized (
  select *
  from unnest(
    $2::bigint[], $3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::integer[],
    $8::inet[], $9::bytea[], $10::text[], $11::bigint[], $12::bigint[], $13::text[]
  ) as click (
    clicked_at_ms, agent_id, type_id, site_id, office_id, nonce,
    ip, visitor, uncounted, referrer_id, user_agent_id, subs
  )
),
seen as (
  insert into seen_visitors (day, agent_id, visitor)
  select $1::date, agent_id, visitor
  from arrived
  where visitor is not null
  on conflict do nothing
  returning agent_id, visitor
),
stored as (
  insert into clicks (
    clicked_at, agent_id, type_id, office_id, nonce, is_unique, uncounted, ip, referrer_id,
    user_agent_id, subs
  )
  select
    timestamptz 'epoch' + clicked_at_ms * interval '1 millisecond',
    arrived.agent_id, arrived.type_id, office_id, nonce,
    seen.visitor is not null, uncounted, arrived.ip, referrer_id, user_agent_id, subs::text[]
  from arrived
  left join seen on seen.agent_id = arrived.agent_id and seen.visitor = arrived.visitor
  ${ifStored}
  returning agent_id, type_id, office_id, is_unique, uncounted
),
referred as (
  insert into referrers (id, referrer)
  select * from unnest($14::bigint[], $15::text[])
  on conflict do nothing
),
browsed as (
  insert into user_agents (id, user_agent)
  select * from unnest($16::bigint[], $17::text[])
  on conflict do nothing
)
insert into totals_pending (day, agent_id, office_id, site_id, type_id, raws, uniques)
select
  $1::date, agent_id, office_id, site_id, type_id,
  count(*), count(*) filter (where is_unique)
from stored
join (select type_id, min(site_id) as site_id from arrived group by type_id) as place using (type_id)
where uncounted is null
group by agent_id, office_id, site_id, type_id`

const STORE_TEXT = { new: storeText(''), again: storeText('on conflict do nothing') }

/** The sub ids of a stored click, by position. */
export const subsFrom = (stored: readonly (string | null)[]): Subs =>
  Object.fromEntries(SUB_NAMES.map((name, place) => [name, stored[place] ?? undefined]))

/** The link that a stored click was on, and whether it led elsewhere than it says. */
export function openedLink({
  siteId,
  typeId,
  agentId,
  subs,
}: TrackedLink & { subs: readonly (string | null)[] | null }): {
  link: TrackedLink
  subs: Subs
  note: (typeof CLICK_NOTES)[number] | null
} {
  const note = clickNoteSchema.safeParse(subs?.[SUB_NAMES.length]).data
  const [, site, type] = /^instead of (\d+)\/(\d+)$/.exec(note ?? '') ?? []
  const isInstead = site !== undefined && type !== undefined
  return {
    link: {
      siteId: isInstead ? Number(site) : siteId,
      typeId: isInstead ? Number(type) : typeId,
      agentId,
    },
    subs: subsFrom(subs ?? []),
    note: isInstead ? 'offer ended' : note === 'page elsewhere' ? note : null,
  }
}

/** Deletes the visitors seen by an agent's clicks. Call this before deleting the clicks. */
export async function forgetVisitorsOfAgent(tx: Tx, agentId: number): Promise<void> {
  const { rows } = await sql<{ day: string }>`
    select (clicked_at at time zone ${sql.lit(NEW_YORK)})::date as day
    from clicks
    where agent_id = ${agentId}
    group by day
  `.execute(tx)
  // The key of seen visitors begins with the day.
  await sql`
    delete from seen_visitors
    where day = any(${rows.map(({ day }) => day)}::date[]) and agent_id = ${agentId}
  `.execute(tx)
  await tx.deleteFrom('crawler_visits').where('agent_id', '=', agentId).execute()
}

/** Deletes the clicks and sales of a deleted agent through a function of the owner, as the app's role has no right to. */
export async function deleteEventsAsOwner(tx: Tx, agentId: number): Promise<void> {
  await sql`select delete_events_of_removed_agent(${agentId})`.execute(tx)
}
