import { createHash } from 'node:crypto'
import { dayOf } from '@tallyroom/domain/new-york'
import { SUB_NAMES, type Subs } from '@tallyroom/domain/tracked-link'
import type { ClientBase } from 'pg'
import type { ClickIdFields } from '@tallyroom/domain/click-id'
import type { DbOrTx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { Click } from './click.ts'

/** The most clicks that {@link storeClicks} takes. */
export const MOST_CLICKS = 500

/**
 * Stores clicks of one New York day, finds which of them are unique and writes what they add to the totals:
 * one statement, so one round trip, and all of it or nothing.
 *
 * - `new`: clicks that were never sent to the database. Fails with 23505 when the key of one is taken.
 * - `again`: clicks that may be there already, after an answer that never came. Those that are change nothing.
 */
export async function storeClicks(
  session: ClientBase,
  kind: 'new' | 'again',
  clicks: readonly Click[],
  knownReferrers: KnownReferrers,
): Promise<void> {
  // Every process inserts in the same order, or two of them would wait for each other's keys.
  const sorted = clicks.toSorted(byVisitor)
  const referrers = sorted.map(({ referrer }) => (referrer ? referrerId(referrer) : undefined))
  const newReferrers = new Map<number, string>()
  for (const [index, id] of referrers.entries()) {
    if (id !== undefined && !knownReferrers.has(id))
      newReferrers.set(id, sorted[index]?.referrer ?? '')
  }
  const newIds = [...newReferrers.keys()].toSorted((a, b) => a - b)
  await session.query({
    name: `store clicks, ${kind}`,
    text: kind === 'new' ? STORE_NEW : STORE_AGAIN,
    values: [
      dayOf(sorted[0]?.clickedAtMs ?? 0),
      array(sorted, (click) => click.clickedAtMs),
      array(sorted, (click) => click.agentId),
      array(sorted, (click) => click.typeId),
      array(sorted, (click) => click.siteId),
      array(sorted, (click) => click.officeId),
      array(sorted, (click) => click.nonce),
      array(sorted, (click) => click.ip),
      array(sorted, (click) => click.counted),
      array(sorted, (click, index) => isFirstOfVisitor(click, sorted[index - 1])),
      array(referrers, (id) => id ?? 'null'),
      array(sorted, ({ subs }) => (subs ? quote(arrayOfSubs(subs)) : 'null')),
      newIds,
      newIds.map((id) => newReferrers.get(id)),
    ],
  })
  for (const id of newIds) knownReferrers.add(id)
}

/** Referrers that the database is known to have, so that they are not sent again. */
export type KnownReferrers = { has(id: number): boolean; add(id: number): void }

export function startKnownReferrers(most = 20_000): KnownReferrers {
  const known = new Set<number>()
  return {
    has: (id) => known.has(id),
    add(id) {
      // Sending a known one again is harmless, so forgetting needs no order.
      if (known.size >= most) known.clear()
      known.add(id)
    },
  }
}

/** The first 52 bits of the text's SHA-256. */
export function referrerId(referrer: string): number {
  const hash = createHash('sha256').update(referrer).digest()
  return hash.readUIntBE(0, 6) * 16 + (hash.readUInt8(6) >>> 4)
}

export type StoredClick = {
  agentId: number
  typeId: number
  siteId: number
  officeId: number
  clickedAt: Date
  ip: string
  counted: boolean
  referrerId: number | null
}

/** The click that an authentic id names, if its row is there. One look-up by primary key, in one partition. */
export async function findClick(
  tx: DbOrTx,
  { agentId, clickedAtMs, nonce, typeId }: ClickIdFields,
): Promise<StoredClick | undefined> {
  return await tx
    .selectFrom('clicks')
    .modifyFront(prepared)
    .select([
      'agent_id as agentId',
      'type_id as typeId',
      'site_id as siteId',
      'office_id as officeId',
      'clicked_at as clickedAt',
      'ip',
      'counted',
      'referrer_id as referrerId',
    ])
    .where('agent_id', '=', agentId)
    .where('clicked_at', '=', new Date(clickedAtMs))
    .where('nonce', '=', nonce)
    .where('type_id', '=', typeId)
    .executeTakeFirst()
}

/** Visitors together, and of each the counted clicks first. */
function byVisitor(a: Click, b: Click): number {
  return (
    a.agentId - b.agentId ||
    a.typeId - b.typeId ||
    (a.ip === b.ip ? Number(b.counted) - Number(a.counted) : a.ip < b.ip ? -1 : 1)
  )
}

/** Whether the click is the one of its visitor that may be unique. `previous` is the one before it by visitor. */
function isFirstOfVisitor(click: Click, previous: Click | undefined): boolean {
  return (
    click.counted &&
    !(
      previous?.counted &&
      previous.ip === click.ip &&
      previous.typeId === click.typeId &&
      previous.agentId === click.agentId
    )
  )
}

/** Totals are summed over what was stored, so that a click that was there already adds nothing to them. */
const storeText = (ifStored: '' | 'on conflict do nothing') => `
with arrived as materialized (
  select *
  from unnest(
    $2::bigint[], $3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::integer[],
    $8::inet[], $9::boolean[], $10::boolean[], $11::bigint[], $12::text[]
  ) as click (
    clicked_at_ms, agent_id, type_id, site_id, office_id, nonce,
    ip, counted, is_first, referrer_id, subs
  )
),
seen as (
  insert into seen_visitors (day, agent_id, type_id, ip)
  select $1::date, agent_id, type_id, ip
  from arrived
  where is_first
  on conflict do nothing
  returning agent_id, type_id, ip
),
stored as (
  insert into clicks (
    clicked_at, agent_id, type_id, site_id, office_id, nonce, is_unique, counted, ip, referrer_id, subs
  )
  select
    timestamptz 'epoch' + clicked_at_ms * interval '1 millisecond',
    arrived.agent_id, arrived.type_id, site_id, office_id, nonce,
    seen.ip is not null, counted, arrived.ip, referrer_id, subs::text[]
  from arrived
  left join seen
    on arrived.is_first
    and seen.agent_id = arrived.agent_id
    and seen.type_id = arrived.type_id
    and seen.ip = arrived.ip
  ${ifStored}
  returning agent_id, type_id, site_id, office_id, is_unique, counted
),
referred as (
  insert into referrers (id, referrer)
  select * from unnest($13::bigint[], $14::text[])
  on conflict do nothing
)
insert into totals_pending (day, agent_id, office_id, site_id, type_id, raws, uniques)
select
  $1::date, agent_id, office_id, site_id, type_id,
  count(*), count(*) filter (where is_unique)
from stored
where counted
group by agent_id, office_id, site_id, type_id`

const STORE_NEW = storeText('')
const STORE_AGAIN = storeText('on conflict do nothing')

/** An array of values that need no quotes. The driver would put each of them in quotes. */
const array = <Item>(
  items: readonly Item[],
  valueOf: (item: Item, index: number) => number | string | boolean,
): string => `{${items.map(valueOf).join(',')}}`

/** sub1 to sub5 by place, up to the last one that was given. */
function arrayOfSubs(subs: Subs): string {
  const values = SUB_NAMES.map((name) => subs[name])
  const count = values.findLastIndex((value) => value !== undefined) + 1
  return array(values.slice(0, count), (value) => (value === undefined ? 'null' : quote(value)))
}

/** The marks of a stored click, by place. */
export const subsFrom = (stored: readonly (string | null)[]): Subs =>
  Object.fromEntries(SUB_NAMES.map((name, place) => [name, stored[place] ?? undefined]))

const quote = (text: string): string => `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`
