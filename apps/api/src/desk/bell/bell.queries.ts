import type { AnswerOf } from '@tallyroom/contract/endpoint'
import type { bellEndpoints } from '@tallyroom/contract/desk/bell'
import { type EventType, toldEventOf } from '@tallyroom/domain/event-types'
import { AGENT_FACT_KINDS, type FactKind } from '@tallyroom/domain/facts'
import { type RawBuilder, sql } from 'kysely'
import { agentSeen, officeSeen } from '../../access/sight.queries.ts'
import type { Sight } from '../../access/sight.ts'
import { findFormerApproveSale, flagAt } from '../../catalogue/index.ts'
import type { DbOrTx } from '../../db/database.ts'
import { countedTypes } from '../../db/event-types.ts'
import { conditions } from '../../totals/index.ts'

/** Who reads: the rows in their sight, of the kinds that they may read of. */
export type BellReader = { accountId: number; sight: Sight; kinds: readonly FactKind[] }

/** Whether rows of `facts as fact` are the reader's to read. */
const readable = ({ accountId, sight, kinds }: BellReader): RawBuilder<unknown> => {
  const { scope } = sight
  const ofAgent = sql`fact.kind = any(${AGENT_FACT_KINDS}::text[])`
  const shared = {
    everything: () => sql`true`,
    office: () => sql`(
      fact.office_id = ${'officeId' in scope ? scope.officeId : null}
      and (fact.agent_id is null or ${ofAgent})
    )`,
    agent: () => sql`fact.agent_id = ${'agentId' in scope ? scope.agentId : null}`,
  }[scope.sees]()
  // As on the lists of agents and offices. An agent hears what becomes of their own account.
  const seen =
    scope.sees === 'agent'
      ? sql`true`
      : sql`(
          not ${ofAgent}
          or exists (
            select from agents as agent where agent.id = fact.agent_id and ${agentSeen(sight)}
          )
          or fact.agent_id is null and exists (
            select from offices as office where office.id = fact.office_id and ${officeSeen(sight)}
          )
        )`
  return sql`
    fact.kind = any(${kinds}::text[])
    and (fact.account_id = ${accountId} or (fact.account_id is null and ${shared}))
    and ${seen}
  `
}

/** Whether the reader has not read it. What is older than `unreadFrom` is read, and what they did themselves. */
const unread = ({ accountId }: BellReader, unreadFrom: Date) => sql<boolean>`
  fact.happened_at > ${unreadFrom}
  and fact.by_account_id is distinct from ${accountId}::bigint
  and not exists (
    select from bell_reads as done where done.account_id = ${accountId} and done.fact_id = fact.id
  )
`

/** When everything was last marked as read; the account's beginning if never. */
export async function findReadUntil(db: DbOrTx, accountId: number) {
  const { rows } = await sql<{ readUntil: Date; wasMarked: boolean }>`
    select
      coalesce(bell.read_until, account.created_at) as "readUntil",
      bell.read_until is not null as "wasMarked"
    from accounts as account
    left join bells as bell on bell.account_id = account.id
    where account.id = ${accountId}
  `.execute(db)
  return rows[0] ?? { readUntil: new Date(0), wasMarked: false }
}

/** Polled by every browser. Stops counting at `most`. */
export async function countUnread(
  db: DbOrTx,
  reader: BellReader,
  { unreadFrom, most }: { unreadFrom: Date; most: number },
): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*) as unread
    from (
      select from facts as fact
      where ${readable(reader)} and ${unread(reader, unreadFrom)}
      limit ${most}
    ) as found
  `.execute(db)
  return rows[0]?.unread ?? 0
}

/** What one act did, with some of its facts. */
export type ActRow = {
  id: string
  kind: FactKind
  at: Date
  count: number
  unread: boolean
  /** As `FactSubjects` of the kind, at most {@link SUBJECTS}. */
  subjects: unknown[]
}

/** The newest acts of the last 90 days. */
export async function findActs(
  db: DbOrTx,
  reader: BellReader,
  { from, unreadFrom, limit }: { from: Date; unreadFrom: Date; limit: number },
): Promise<ActRow[]> {
  const { rows } = await sql<ActRow>`
    with acts as materialized (
      select fact.kind, fact.happened_at
      from facts as fact
      where fact.happened_at > ${from} and ${readable(reader)}
      group by fact.kind, fact.happened_at
      order by fact.happened_at desc, fact.kind
      limit ${limit}
    )
    select
      (array_agg(fact.id order by fact.id))[1] as id,
      fact.kind, fact.happened_at as at, count(*) as count,
      bool_or(${unread(reader, unreadFrom)}) as unread,
      (array_agg(fact.subject order by fact.id))[:${sql.lit(SUBJECTS)}] as subjects
    from acts
    join facts as fact on fact.kind = acts.kind and fact.happened_at = acts.happened_at
    where ${readable(reader)}
    group by fact.kind, fact.happened_at
    order by fact.happened_at desc, fact.kind
  `.execute(db)
  return rows
}

const SUBJECTS = 4

/** The acts of which these facts are, as far as the reader has them, oldest first. */
export async function findActsAmong(
  db: DbOrTx,
  reader: BellReader,
  ids: readonly string[],
): Promise<Omit<ActRow, 'unread'>[]> {
  const { rows } = await sql<Omit<ActRow, 'unread'>>`
    select
      (array_agg(fact.id order by fact.id))[1] as id,
      fact.kind, fact.happened_at as at, count(*) as count,
      (array_agg(fact.subject order by fact.id))[:${sql.lit(SUBJECTS)}] as subjects
    from facts as fact
    where fact.id = any(${ids}::uuid[]) and ${readable(reader)}
    group by fact.kind, fact.happened_at
    order by fact.happened_at, fact.kind
  `.execute(db)
  return rows
}

/** Marks as read what the act of this fact did. Nothing happens if the reader doesn't have it. */
export async function readAct(
  db: DbOrTx,
  reader: BellReader,
  { id, unreadFrom }: { id: string; unreadFrom: Date },
): Promise<void> {
  await sql`
    insert into bell_reads (account_id, fact_id)
    select ${reader.accountId}, fact.id
    from facts as one
    join facts as fact on fact.kind = one.kind and fact.happened_at = one.happened_at
    where one.id = ${id} and ${readable(reader)} and ${unread(reader, unreadFrom)}
    on conflict do nothing
  `.execute(db)
}

/**
 * Marks as read what happened until then. What happened just before may be committed later, so of these it is kept what was
 * read.
 */
export async function readAll(
  db: DbOrTx,
  reader: BellReader,
  { until, unreadFrom, late }: { until: Date; unreadFrom: Date; late: Date },
): Promise<void> {
  const { accountId } = reader
  await sql`
    insert into bells as bell (account_id, read_until)
    values (${accountId}, ${until})
    on conflict (account_id) do update set read_until = greatest(bell.read_until, excluded.read_until)
  `.execute(db)
  await sql`
    insert into bell_reads (account_id, fact_id)
    select ${accountId}, fact.id
    from facts as fact
    where fact.happened_at > ${late} and fact.happened_at <= ${until}
      and ${readable(reader)} and ${unread(reader, unreadFrom)}
    on conflict do nothing
  `.execute(db)
  await sql`
    delete from bell_reads as done using facts as fact
    where done.account_id = ${accountId} and fact.id = done.fact_id and fact.happened_at <= ${late}
  `.execute(db)
}

type SiteSales = AnswerOf<typeof bellEndpoints.bell>['sales'][number]

/** Sales and approvals since then, by site and what they were called when they were made, the most first. */
export async function findSales(
  db: DbOrTx,
  { sight: { scope } }: BellReader,
  { since, limit }: { since: Date; limit: number },
): Promise<SiteSales[]> {
  const former = await findFormerApproveSale(db)
  // Between two of these, all sites are as they were.
  const changes = [...former.values()]
    .flat()
    .map(({ until }) => until)
    .filter((until) => until > since)
    .toSorted((a, b) => a.getTime() - b.getTime())
  type Sold = Omit<SiteSales, 'event'> & {
    eventType: EventType
    useApproveSale: boolean
    last: Date
  }
  const { rows } = await sql<Sold>`
    select sold.site_id as "siteId", site.sitename as site,
      site.use_approve_sale as "useApproveSale", sold.event_type as "eventType", sold.last,
      sold.sales, sold.reversed
    from (
      select
        site_id, event_type, width_bucket(occurred_at, ${changes}::timestamptz[]) as between_changes,
        max(occurred_at) as last,
        count(*) filter (where quantity > 0) as sales,
        count(*) filter (where quantity < 0) as reversed
      from sale_events
      where occurred_at >= ${since} and event_type in ${countedTypes} and ${conditions(scope, {})}
      group by site_id, event_type, between_changes
    ) as sold
    join sites as site on site.id = sold.site_id
  `.execute(db)
  const told = rows.flatMap(({ eventType, useApproveSale, last, ...sold }): SiteSales[] => {
    const then = flagAt(useApproveSale, former.get(sold.siteId) ?? [], last)
    const event = toldEventOf(eventType, { useApproveSale: then })
    return event === 'sale' || event === 'approval' ? [{ ...sold, event }] : []
  })
  return [...Map.groupBy(told, ({ siteId, event }) => `${siteId} ${event}`).values()]
    .map((same) => ({
      ...same[0]!,
      sales: same.reduce((sum, { sales }) => sum + sales, 0),
      reversed: same.reduce((sum, { reversed }) => sum + reversed, 0),
    }))
    .toSorted((a, b) => b.sales - a.sales || a.siteId - b.siteId)
    .slice(0, limit)
}
