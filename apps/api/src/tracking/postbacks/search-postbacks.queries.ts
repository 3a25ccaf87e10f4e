import type { PostbackOutcomeFilter } from '@tallyroom/contract/list-choices'
import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import type { Day } from '@tallyroom/domain/new-york'
import type { HoldKind } from '@tallyroom/domain/holds'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import type { Stretch } from '../../db/logs/read-on.ts'
import type { RowOf } from '../../db/row-of.ts'
import { isDue, joinFollowUps } from '../held/held.queries.ts'
import { AT_ZERO } from '../sales/price-event.ts'

/** Which postbacks to list, by time: `from` inclusive, `before` exclusive. */
export type PostbackFilter = {
  siteId: number | undefined
  outcome: PostbackOutcomeFilter | undefined
  holdKind: HoldKind | undefined
  test?: boolean | undefined
  /** Whether it waits for a decision on `today`. */
  due?: boolean | undefined
  today?: Day
  /** Whether it was decided and is not done yet. */
  decided?: boolean | undefined
  event: string | undefined
  /** All ids of one click. */
  clickIds: readonly string[] | undefined
  /** An order number or address, see {@link naming}. */
  transactionId: string | undefined
  /** Those that name this click or this order number of the site. */
  sale?: SaleOfPostbacks
  from: Date | undefined
  before: Date | undefined
  arrived?: Stretch
  /** Waiting postbacks received before this are unmatched. */
  unmatchedBefore: Date
}

export type SaleOfPostbacks = {
  siteId: number
  transactionId: string | null
  /** All ids of the postback's click. */
  clickIds: readonly string[]
}

export type PostbackListRow = RowOf<
  Omit<PostbackItem, 'hold' | 'doubles'>,
  'receivedAt' | 'settledAt' | 'occurredAt' | 'earliestAt'
> & {
  holdKind: string | null
  heldAt: Date | null
  putOffUntil: Day | null
  assignedTo: number | null
  assignedName: string | null
  /** What was decided and is not done yet. */
  decidedAct: string | null
  decidedBy: string | null
  undoUntil: Date | null
  wordName: string | null
  word: string | null
  wordEvent: string | null
}

/** A page of the list. It is limited before names are looked up. */
export async function findPostbacks(
  db: DbOrTx,
  filter: PostbackFilter,
  page: { sortAsc: boolean; limit: number; offset: number },
): Promise<PostbackListRow[]> {
  const order = sql.raw(page.sortAsc ? 'asc' : 'desc')
  const { rows } = await sql<PostbackListRow>`
    with page as materialized (
      select
        postback.*,
        ${latestOutcome(filter)} as latest_outcome,
        ${latestReason} as latest_reason,
        coalesce(settlement.event_id, postback.event_id) as latest_event_id,
        settlement.settled_at,
        case when settlement.postback_id is null then held.earliest_at end as earliest_at,
        case when settlement.postback_id is null then held.kind end as hold_kind,
        held.held_at,
        later.put_off_until,
        later.assigned_to,
        decided.act as decided_act,
        decided.decided_by,
        decided.due_at,
        held.word_name, held.word_value, held.word_event
      from postbacks as postback
      ${joins}
      where ${matching(filter)}
      order by postback.received_at ${order}, postback.id ${order}
      limit ${page.limit} offset ${page.offset}
    )
    select
      page.id,
      page.received_at as "receivedAt",
      page.site_id as "siteId",
      site.sitename,
      page.method,
      host(page.ip) as ip,
      jsonb_pretty(page.params) as params,
      page.click_id as "clickId",
      page.transaction_id as "transactionId",
      page.event,
      page.latest_outcome as outcome,
      page.latest_reason as reason,
      page.latest_event_id as "eventId",
      agent.id as "agentId",
      account.username as agent,
      office.id as "companyId",
      office.name as "officeName",
      type.typename,
      page.test,
      page.settled_at as "settledAt",
      page.occurred_at as "occurredAt",
      page.earliest_at as "earliestAt",
      page.hold_kind as "holdKind",
      page.held_at as "heldAt",
      page.put_off_until as "putOffUntil",
      assigned.id as "assignedTo",
      assigned.username as "assignedName",
      page.decided_act as "decidedAct",
      decider.username as "decidedBy",
      page.due_at as "undoUntil",
      page.word_name as "wordName",
      page.word_value as word,
      page.word_event as "wordEvent"
    from page
    left join sites as site on site.id = page.site_id
    left join agents as agent on agent.id = page.agent_id
    left join accounts as account on account.agent_id = agent.id
    left join offices as office on office.id = agent.office_id
    left join link_types as type on type.id = page.type_id
    left join accounts as assigned on assigned.id = page.assigned_to
    left join accounts as decider on decider.id = page.decided_by
    order by page.received_at ${order}, page.id ${order}
  `.execute(db)
  return rows
}

export async function countPostbacks(db: DbOrTx, filter: PostbackFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
    from postbacks as postback
    ${needsJoins(filter) ? joins : sql``}
    where ${matching(filter)}
  `.execute(db)
  return rows[0]?.total ?? 0
}

const needsJoins = ({ outcome, holdKind, due, decided }: PostbackFilter): boolean =>
  [outcome, holdKind, due, decided].some((value) => value !== undefined)

/** Later outcomes. */
const joins = sql`
  left join postback_settlements as settlement on settlement.postback_id = postback.id
  left join held_postbacks as held on held.postback_id = postback.id
  ${joinFollowUps(sql`postback.id`)}`

/** The current outcome. */
const latestOutcome = ({ unmatchedBefore }: PostbackFilter) => sql`
  coalesce(
    settlement.outcome,
    case
      when held.postback_id is not null then 'conflict'
      when postback.outcome = 'waiting' and postback.received_at <= ${unmatchedBefore}
      then 'unmatched'
      else postback.outcome
    end
  )`

const latestReason = sql`
  case
    when settlement.postback_id is null then coalesce(held.reason, postback.reason)
    else settlement.reason
  end`

const hasOutcome = (filter: PostbackFilter) =>
  filter.outcome === 'recorded-at-zero'
    ? sql`${latestOutcome(filter)} = 'recorded' and starts_with(${latestReason}, ${AT_ZERO})`
    : sql`${latestOutcome(filter)} = ${filter.outcome}`

function matching(filter: PostbackFilter): RawBuilder<unknown> {
  const conditions = [
    filter.siteId !== undefined && sql`postback.site_id = ${filter.siteId}`,
    filter.test !== undefined && sql`postback.test = ${filter.test}`,
    filter.holdKind === 'unmatched' && sql`${latestOutcome(filter)} = 'unmatched'`,
    filter.holdKind !== undefined &&
      filter.holdKind !== 'unmatched' &&
      sql`held.kind = ${filter.holdKind} and settlement.postback_id is null`,
    filter.due !== undefined &&
      filter.today !== undefined &&
      sql`${isDue(filter.today)} = ${filter.due}`,
    filter.decided !== undefined && sql`(decided.postback_id is not null) = ${filter.decided}`,
    filter.event !== undefined && sql`postback.event = ${filter.event}`,
    filter.clickIds !== undefined && sql`postback.click_id in (${sql.join(filter.clickIds)})`,
    filter.transactionId !== undefined &&
      sql`postback.id = any(array(${naming(filter.transactionId)}))`,
    filter.sale && namesSale(filter.sale),
    filter.from && sql`postback.received_at >= ${filter.from}`,
    filter.before && sql`postback.received_at < ${filter.before}`,
    filter.arrived && arrivedWithin(filter.arrived),
    filter.outcome !== undefined && hasOutcome(filter),
  ].filter((condition) => condition !== false && condition !== undefined)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/**
 * The postbacks with this order number, and those that became no sale and have it as the whole value of any parameter, in
 * upper or lower case. An array, as the planner would otherwise walk all postbacks by time.
 */
const naming = (text: string): RawBuilder<unknown> => sql`
  select id from (
    select id from postbacks where transaction_id = ${text}
    union
    (
      select id
      from postbacks
      where outcome not in ('recorded', 'duplicate')
        and lower(jsonb_path_query_array(params, '$.*')::text)::jsonb
          @> jsonb_build_array(lower(${text}::text))
      limit ${MOST_NAMING}
    )
  ) as named
  limit ${MOST_NAMING}`

/** More postbacks share only ordinary values, such as an amount, and no order number. */
export const MOST_NAMING = 1000

const arrivedWithin = ({ after, before }: Stretch) => sql`
  postback.received_at >= ${after.at}
  and (postback.received_at > ${after.at} or postback.id > ${after.id})
  and postback.received_at < ${before}`

const namesSale = ({ siteId, transactionId, clickIds }: SaleOfPostbacks) => sql`
  not postback.test
  and (
    postback.click_id in (${sql.join(clickIds)})
    ${transactionId === null ? sql`` : sql`or (postback.transaction_id = ${transactionId} and postback.site_id = ${siteId})`}
  )`
