import { explainRequestSchema } from '@tallyroom/contract/figures/explain'
import { statsCriteriaSchema } from '@tallyroom/contract/figures/statistics'
import { addDays, type Day, endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { MAX_OTHER_RATES, whatIfEndpoints } from '@tallyroom/contract/figures/what-if'
import { sql } from 'kysely'
import type { Viewer } from '../apps/api/src/access/viewer.ts'
import { parseConfig } from '../apps/api/src/config.ts'
import type { Db } from '../apps/api/src/db/database.ts'
import { makeClickIds } from '../apps/api/src/tracking/clicks/click-id-signer.ts'
import { makeHome } from '../apps/api/src/desk/home/home.ts'
import { listCloseAgents, readStanding } from '../apps/api/src/figures/avp-week/avp-week.ts'
import { find } from '../apps/api/src/desk/find/find.ts'
import { explain } from '../apps/api/src/figures/statistics/explain.ts'
import type { ReportCriteria } from '../apps/api/src/figures/statistics/report-criteria.ts'
import { statsReport } from '../apps/api/src/figures/statistics/report.ts'
import { whatIf } from '../apps/api/src/figures/what-if/what-if.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { readTotals } from '../apps/api/src/totals/index.ts'

/**
 * A call of a page, and the least that could answer it: one query for the same sales, without names
 * and rates.
 */
export type Screen = {
  name: string
  ours: () => Promise<unknown>
  reference: () => Promise<unknown>
}

/** The first screens, comparisons, explanations and searches of the busiest office and agent, up to `today`. */
export async function screensOf(db: Db, today: Day): Promise<Screen[]> {
  const { rows } = await sql<{ agentId: number; officeId: number; order: string; last: string }>`
    select agent_id as "agentId", sale_events.office_id as "officeId", transaction_id as order, last_name as last
    from sale_events join agents on agents.id = agent_id
    where transaction_id is not null
    group by agent_id, sale_events.office_id, transaction_id, last_name
    order by count(*) desc, agent_id limit 1
  `.execute(db)
  const [busy] = rows
  if (!busy) throw new Error('the big world has sales')
  const { agentId, officeId } = busy
  const agent: Viewer = { ...anybody, role: 'agent', officeId, agentId }
  const office: Viewer = { ...anybody, role: 'company', officeId, agentId: undefined }
  const databases = { db, reportDb: db, clock: systemClock }
  const home = makeHome({ ...databases, config: parseConfig({}) })
  const clickIds = makeClickIds(Buffer.alloc(32))

  const day = { start: addDays(today, -1), end: addDays(today, -1) }
  const lastHalf = periodOf(today, 'beWeek', 1)
  const half = { start: lastHalf.start, end: lastHalf.end }
  const lastMonth = periodOf(today, 'month', 1)
  const month = { start: lastMonth.start, end: lastMonth.end }
  const last45 = { start: addDays(today, -44), end: today }

  const salesOf =
    (days: { start: Day; end: Day }, whose = sql`true`) =>
    () =>
      sql`
      select sum(quantity), sum(payout_centavos) from sale_events
      where occurred_at >= ${startOfDay(days.start)} and occurred_at < ${endOfDayExclusive(days.end)}
        and ${whose}
    `.execute(db)
  const ofAgent = sql`agent_id = ${agentId}`
  const ofOffice = sql`office_id = ${officeId}`
  const report =
    (criteria: Partial<ReportCriteria>, viewer = superadmin) =>
    () =>
      statsReport(databases, viewer, 'sites', statsCriteriaSchema.parse(criteria))
  const explained = (viewer: Viewer, about: Record<string, unknown>) => () =>
    explain(
      databases,
      viewer,
      explainRequestSchema.parse({ report: 'sites', column: 'sales', ...about }),
    )
  const found = (text: string) => () => find({ db, clickIds, clock: systemClock }, superadmin, text)
  const week = { start: periodOf(today, 'week').start, end: today }
  const year = { start: addDays(today, -364), end: today }
  const manyTypes = await db
    .selectFrom('link_types')
    .select('id')
    .orderBy('id')
    .limit(MAX_OTHER_RATES)
    .execute()
  const types = manyTypes.slice(0, 3)
  const ratesOf = (some: typeof types) => some.map(({ id }) => ({ typeId: id, payout: 450 }))
  const otherTiers = { rates: [], tiers: [{ from: 0, to: 1000, payoutPhp: 100 }] }
  const supposed =
    (groupBy: 'company' | 'agent', other: object = { rates: ratesOf(types) }) =>
    async () => {
      const criteria = whatIfEndpoints.whatIf.body?.parse({ ...year, groupBy, ...other })
      return criteria && whatIf(databases, criteria)
    }
  const ofTypes = (some: typeof types) => sql`type_id = any(${some.map(({ id }) => id)}::integer[])`
  const roundTrip = () => sql`select 1`.execute(db)

  return [
    { name: 'Home of staff', ours: () => home(superadmin), reference: salesOf(last45) },
    { name: 'Home of an office', ours: () => home(office), reference: salesOf(last45, ofOffice) },
    { name: 'Home of an agent', ours: () => home(agent), reference: salesOf(last45, ofAgent) },
    {
      name: 'a month by date, compared',
      ours: report({ groupBy: 'date', compare: 'previous', points: true, ...month }),
      reference: salesOf(month),
    },
    {
      name: 'a half-month by agent, compared',
      ours: report({ groupBy: 'agent', compare: 'previous', points: true, ...half }),
      reference: salesOf(half),
    },
    {
      name: 'a month by office, last year',
      ours: report({ groupBy: 'company', compare: 'last-year', points: true, ...month }),
      reference: salesOf(month),
    },
    {
      name: "explain an agent's day",
      ours: explained(agent, day),
      reference: salesOf(day, ofAgent),
    },
    {
      name: "explain an office's half-month",
      ours: explained(office, half),
      reference: salesOf(half, ofOffice),
    },
    {
      name: "explain everybody's month",
      ours: explained(superadmin, month),
      reference: salesOf(month),
    },
    {
      name: "an agent's AVP week",
      ours: () =>
        readTotals(databases, (tx) => readStanding({ tx, viewer: agent, today }, agentId)),
      reference: salesOf(week, ofAgent),
    },
    {
      name: 'who is close to the next tier',
      ours: () =>
        readTotals(databases, (tx) =>
          listCloseAgents(
            { tx, viewer: superadmin, today },
            {
              companyId: undefined,
              siteId: undefined,
              page: 1,
              pageSize: 50,
              sortField: 'missing',
              sortAsc: true,
            },
          ),
        ),
      reference: salesOf(week),
    },
    {
      name: 'what if, a year by office',
      ours: supposed('company'),
      reference: salesOf(year, ofTypes(types)),
    },
    {
      name: 'what if, a year by agent',
      ours: supposed('agent'),
      reference: salesOf(year, ofTypes(types)),
    },
    {
      name: 'what if, 50 link types by agent',
      ours: supposed('agent', { rates: ratesOf(manyTypes) }),
      reference: salesOf(year, ofTypes(manyTypes)),
    },
    {
      name: 'what if, tiers of a year by office',
      ours: supposed('company', otherTiers),
      reference: salesOf(year, sql`avp`),
    },
    {
      name: 'what if, tiers of a year by agent',
      ours: supposed('agent', otherTiers),
      reference: salesOf(year, sql`avp`),
    },
    { name: 'find an order number', ours: found(busy.order), reference: roundTrip },
    { name: 'find a name', ours: found(busy.last), reference: roundTrip },
    { name: 'find nothing', ours: found('zzqx'), reference: roundTrip },
  ]
}

const anybody = {
  accountId: 1,
  sessionId: 'bench',
  username: 'bench',
  permissions: [],
  signedInBy: undefined,
}

export const superadmin: Viewer = {
  ...anybody,
  permissions: ['EARNING_VISIBLE'],
  role: 'superadmin',
  officeId: undefined,
  agentId: undefined,
}
