import type { ClientBase } from 'pg'
import type { Tx } from '../../db/database.ts'
import { errorCode, isUnavailable, STATEMENT_TIMED_OUT } from '../../db/transaction.ts'
import type { Click } from '../clicks/click.ts'
import type { ClickStore } from '../clicks/click-store.ts'
import {
  type BatchKind,
  type ClickBatch,
  type TextsToStore,
  textOfMarks,
} from '../clicks/clicks-to-store.ts'
import { inSessionTransaction } from '../clicks/clicks.queries.ts'
import { recallVisitors } from '../clicks/recall-visitors.queries.ts'
import { findPlaces } from './click-machines.queries.ts'
import { frozenSuffix } from './frozen-months.queries.ts'

/**
 * A batch is one statement per table, in one transaction. Reference tables come first. Literal rows are routed to their
 * machine, from the coordinator as from the machine itself, where the transaction is then a local one: clicks, visitors and
 * pending totals of an agent are together.
 */
export const clickStoreOnCluster: ClickStore = {
  store: (session, kind, batch) =>
    inSessionTransaction(session, () => storeTableByTable(session, kind, batch)),

  async tryOut(session, makeBatch) {
    try {
      await storeTableByTable(session, 'new', makeBatch(ENOUGH_AGENTS))
    } catch (error) {
      // A worker that refuses or is slow does not matter.
      if (!isUnavailable(error) && errorCode(error) !== STATEMENT_TIMED_OUT) throw error
    }
  },

  // Workers name the constraint only in the message.
  isHeldBack: (error) => error.message.includes(frozenSuffix),

  onMachines: {
    find: findPlaces,
    storeTexts: (session, texts) =>
      inSessionTransaction(session, () => insertNewTexts(session, texts)),
  },
}

/** With this many agents, hardly a worker is left out. */
const ENOUGH_AGENTS = 64

async function storeTableByTable(
  session: ClientBase,
  kind: BatchKind,
  batch: ClickBatch,
): Promise<void> {
  await insertNewTexts(session, batch)
  if (kind === 'late') await recallVisitors(session, batch)
  const seen = await insertVisitors(session, batch)
  const stored = await insertClicks(session, kind, batch, seen)
  await insertPending(session, batch, stored)
}

async function insertNewTexts(
  session: ClientBase,
  { referrers, userAgents }: Pick<ClickBatch, 'referrers' | 'userAgents'>,
): Promise<void> {
  await insertTexts(session, 'referrers (id, referrer)', referrers)
  await insertTexts(session, 'user_agents (id, user_agent)', userAgents)
}

async function insertTexts(
  session: ClientBase,
  table: 'referrers (id, referrer)' | 'user_agents (id, user_agent)',
  { added }: TextsToStore,
): Promise<void> {
  if (added.length === 0) return
  const { text, values } = rowsOf(added)
  await session.query(`insert into ${table} values ${text} on conflict do nothing`, values)
}

/**
 * @returns agents with the marks of visitors that were not seen before on this day, keyed by {@link
 * keyOf}.
 */
async function insertVisitors(
  session: ClientBase,
  { day, clicks, marks }: ClickBatch,
): Promise<Set<string>> {
  const first = clicks.flatMap(({ agentId }, index) => {
    const mark = marks[index]
    return mark === undefined ? [] : [[day, agentId, Buffer.from(mark, 'hex')]]
  })
  if (first.length === 0) return new Set()
  const { text, values } = rowsOf(first)
  const { rows } = await session.query<{ agentId: number; visitor: Buffer }>(
    `insert into seen_visitors (day, agent_id, visitor) values ${text}
     on conflict do nothing
     returning agent_id as "agentId", visitor`,
    values,
  )
  return new Set(rows.map(({ agentId, visitor }) => keyOf(agentId, visitor.toString('hex'))))
}

const keyOf = (agentId: number, mark: string | undefined): string => `${agentId} ${mark}`

/** The counted fields of a click. */
type Stored = Pick<Click, 'agentId' | 'officeId' | 'typeId'> & {
  counted: boolean
  isUnique: boolean
}

/** @returns clicks that had not been stored before. */
async function insertClicks(
  session: ClientBase,
  kind: BatchKind,
  { clicks, marks, referrers, userAgents }: ClickBatch,
  seen: ReadonlySet<string>,
): Promise<Stored[]> {
  const { text, values } = rowsOf(
    clicks.map((click, index) => [
      new Date(click.clickedAtMs).toISOString(),
      click.agentId,
      click.typeId,
      click.officeId,
      click.nonce,
      seen.has(keyOf(click.agentId, marks[index])),
      click.uncounted,
      click.ip,
      referrers.ids[index],
      userAgents.ids[index],
      textOfMarks(click),
    ]),
  )
  const { rows } = await session.query<Stored>(
    `insert into clicks (
       clicked_at, agent_id, type_id, office_id, nonce, is_unique, uncounted, ip, referrer_id,
       user_agent_id, subs
     )
     values ${text}
     ${kind !== 'new' ? 'on conflict do nothing' : ''}
     returning agent_id as "agentId", office_id as "officeId", type_id as "typeId",
       uncounted is null as counted, is_unique as "isUnique"`,
    values,
  )
  return rows
}

async function insertPending(
  session: ClientBase,
  { day, clicks }: ClickBatch,
  stored: readonly Stored[],
): Promise<void> {
  const siteOf = new Map(clicks.map(({ typeId, siteId }) => [typeId, siteId]))
  const groups = Map.groupBy(
    stored.filter(({ counted }) => counted),
    ({ agentId, officeId, typeId }) => [agentId, officeId, siteOf.get(typeId), typeId].join(' '),
  )
  if (groups.size === 0) return
  const { text, values } = rowsOf(
    [...groups].map(([ids, group]) => {
      const uniques = group.filter(({ isUnique }) => isUnique).length
      return [day, ...ids.split(' '), group.length, uniques]
    }),
  )
  await session.query(
    `insert into totals_pending (day, agent_id, office_id, site_id, type_id, raws, uniques) values ${text}`,
    values,
  )
}

/** `($1, $2), ($3, $4)`, and the values. */
function rowsOf(rows: readonly (readonly unknown[])[]): { text: string; values: unknown[] } {
  let parameters = 0
  const text = rows.map((row) => `(${row.map(() => `$${++parameters}`).join(', ')})`).join(', ')
  return { text, values: rows.flat() }
}

export const deleteClicksOfAgent = (tx: Tx, agentId: number) =>
  tx.deleteFrom('clicks').where('agent_id', '=', agentId).execute()
