import {
  COUNTED_EVENTS,
  type EventKind,
  eventKindOf,
  eventTypeOf,
  REVERSALS,
} from '@tallyroom/domain/event-types'
import { type Day, endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import type { Currency, PayeeKind } from '@tallyroom/domain/pay'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { defaultRateId } from '../../catalogue/index.ts'
import { openPostbacks } from '../../tracking/index.ts'

/** Postbacks of a site that have recorded nothing yet. */
export type OpenPostbacksOfSite = {
  siteId: number
  siteName: string
  /** Those whose click or sale has not arrived, waiting or unmatched. */
  waiting: number
  conflicts: number
  /** An estimate from the default rates of the day, where the link type is known. Reversals subtract. */
  centavos: number
}

/** Postbacks that wait, were not matched, or are held, by site. The day is that of the event, if the postback names it. */
export async function findOpenPostbacksOf(
  db: DbOrTx,
  { start, end }: { start: Day; end: Day },
): Promise<OpenPostbacksOfSite[]> {
  const from = startOfDay(start)
  const before = endOfDayExclusive(end)
  const { rows } = await sql<OpenPostbacksOfSite>`
    select
      open.site_id as "siteId", coalesce(site.sitename, 'deleted site ' || open.site_id) as "siteName",
      count(*) filter (where open.waits)::integer as waiting,
      count(*) filter (where not open.waits)::integer as conflicts,
      coalesce(sum(
        case
          when open.event in ${reversals} then -rate.payout_centavos
          ${estimates}
          else rate.payout_centavos
        end
      ), 0)::bigint as centavos
    from (
      select
        site_id, event, type_id, coalesce(occurred_at, received_at) as at, kind is null as waits
      from (${openPostbacks(from)}) as postback
      where site_id is not null
        and coalesce(occurred_at, received_at) >= ${from}
        and coalesce(occurred_at, received_at) < ${before}
    ) as open
    left join sites as site on site.id = open.site_id
    left join rates as rate
      on rate.id = ${defaultRateId({ typeId: sql`open.type_id`, at: sql`open.at` })}
    group by open.site_id, site.sitename
    order by open.site_id
  `.execute(db)
  return rows
}

const reversals = sql`(${sql.join(REVERSALS.map((word) => sql.lit(word)))})`

const payoutOf = {
  sale: sql`rate.payout_centavos`,
  bonus: sql`rate.bonus_payout_centavos`,
  click: sql`0`,
} as const satisfies Record<EventKind, RawBuilder<unknown>>

/** What a postback's word would pay. A sale of a site with approve-sale is that of day 2 if the link type has such a rate. */
const estimates = sql.join(
  COUNTED_EVENTS.map((word) => {
    const paid = (useApproveSale: boolean) =>
      payoutOf[eventKindOf(eventTypeOf(word, { useApproveSale }))]
    return sql`when open.event = ${sql.lit(word)} then
      case when site.use_approve_sale and rate.bonus_payout_centavos <> 0 then ${paid(true)} else ${paid(false)} end`
  }),
  sql` `,
)

/** Which of these agents are marked for fraud. */
export async function findFraudAgents(
  db: DbOrTx,
  agentIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('agents')
    .select('id')
    .where('id', 'in', agentIds.length > 0 ? agentIds : [0])
    .where('fraud_flagged_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The sales of these agents that came while they were suspended. */
export async function findSuspendedSales(
  db: DbOrTx,
  agentIds: readonly number[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sale_events')
    .select('id')
    .where('agent_id', 'in', agentIds.length > 0 ? agentIds : [0])
    .where('agent_suspended', '=', true)
    .where('quantity', '=', 1)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The amounts of each payee's last three statements in each currency, newest first. */
export async function findRecentAmounts(db: DbOrTx) {
  const { rows } = await sql<{
    kind: PayeeKind
    id: number
    currency: Currency
    amount: number
    name: string
  }>`
    select kind, id, currency, amount, name
    from (
      select
        statement.payee_kind as kind, statement.payee_id as id, statement.currency, statement.amount,
        period.name, period.start_day,
        row_number() over (
          partition by statement.payee_kind, statement.payee_id, statement.currency
          order by period.start_day desc
        ) as place
      from statements as statement
      join pay_periods as period on period.id = statement.period_id
    ) as recent
    where place <= 3
    order by start_day desc
  `.execute(db)
  return rows
}
