import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { WhatIf, whatIfEndpoints, WhatIfRow } from '@tallyroom/contract/figures/what-if'
import { tierOf } from '@tallyroom/domain/avp'
import { fromMinorUnits, minorUnitsOf } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import { weeksOf } from '@tallyroom/domain/periods'
import type { Tx } from '../../db/database.ts'
import { type AvpStep, readTotals, type TotalsDatabases } from '../../totals/index.ts'
import { findSchedulesOf, stepsOf, findOwnRateOffices } from '../../catalogue/index.ts'
import {
  type ComparedStep,
  findByRates,
  findByTiers,
  findNames,
  type RowKey,
} from './what-if.queries.ts'

export type WhatIfCriteria = RequestOf<typeof whatIfEndpoints.whatIf>['body']

/** A row in centavos. */
type Sums = {
  sales: number
  bonusSales: number
  paid: number
  wouldBe: number
  tierPaid: number
  tierWouldBe: number
}
type Row = Sums &
  RowKey & {
    officeName: string
    agent: string
    /** Both names in lower case. */
    order: readonly [officeName: string, agent: string]
  }

/** What past sales would have been paid at other rates or tiers, next to what was recorded. Reads totals only. */
export const whatIf = (databases: TotalsDatabases, criteria: WhatIfCriteria): Promise<WhatIf> =>
  readTotals(
    databases,
    async (tx, today) => {
      const moment = { today, now: tx.now }
      const { rows, leftAlone } = await findRows(tx, moment, criteria)
      const { page, pageSize, tiers } = criteria
      const overall = { ...NOTHING }
      for (const row of rows) add(overall, row)
      return {
        total: rows.length,
        items: rows
          .slice((page - 1) * pageSize, page * pageSize)
          .map((row) => presentRow(row, tiers !== undefined)),
        overall: present(overall, tiers !== undefined),
        leftAlone,
      }
    },
    // Tiers are those of whole weeks.
    { until: weeksOf(criteria).end },
  )

async function findRows(
  tx: Tx,
  { today, now }: { today: Day; now: Date },
  criteria: WhatIfCriteria,
) {
  const { start, end, groupBy, companyIds, rates, tiers, replaceOwn } = criteria
  const question = {
    range: { start, end },
    today,
    byAgent: groupBy === 'agent',
    officeIds: companyIds.length > 0 ? companyIds : undefined,
  }
  const own = replaceOwn
    ? []
    : await findOwnRateOffices(
        tx,
        rates.map(({ typeId }) => typeId),
        now,
      )
  const byRates =
    rates.length === 0
      ? []
      : await findByRates(
          tx,
          question,
          rates.map(({ typeId, payout, bonusPayout }) => ({
            typeId,
            payoutCentavos: payout === undefined ? null : minorUnitsOf(payout),
            bonusPayoutCentavos: bonusPayout === undefined ? null : minorUnitsOf(bonusPayout),
            exceptOfficeIds: own
              .filter((one) => one.typeId === typeId)
              .map(({ officeId }) => officeId),
          })),
        )
  const byTiers = tiers
    ? await findByTiers(
        tx,
        question,
        compareTiers(stepsOf(await findSchedulesOf(tx, question.range)), tiers),
      )
    : []

  const names = await findNames(tx, question.byAgent)
  const rows = new Map<string, Row>()
  const rowOf = ({ officeId, agentId }: RowKey): Row => {
    const key = `${officeId} ${agentId}`
    const known = rows.get(key)
    if (known) return known
    const officeName = names.offices.get(officeId) ?? ''
    const agent = agentId === null ? '' : (names.agents.get(agentId) ?? '')
    const order = [officeName.toLowerCase(), agent.toLowerCase()] as const
    const row = { officeId, agentId, officeName, agent, order, ...NOTHING }
    rows.set(key, row)
    return row
  }
  for (const one of byRates) {
    const { sales, bonusSales, paidCentavos: paid, wouldBeCentavos: wouldBe } = one
    Object.assign(rowOf(one), { sales, bonusSales, paid, wouldBe })
  }
  for (const one of byTiers) {
    const { paidCentavos: tierPaid, wouldBeCentavos: tierWouldBe } = one
    Object.assign(rowOf(one), { tierPaid, tierWouldBe })
  }
  const isAsked = ({ officeId }: { officeId: number }) =>
    companyIds.length === 0 || companyIds.includes(officeId)
  const leftAlone = [...new Map(own.filter(isAsked).map((one) => [one.officeId, one])).keys()]
    .map((companyId) => ({ companyId, officeName: names.offices.get(companyId) ?? '' }))
    .toSorted((one, other) =>
      compareText(one.officeName.toLowerCase(), other.officeName.toLowerCase()),
    )
  return { rows: [...rows.values()].toSorted(orderOf(criteria)), leftAlone }
}

type OtherTiers = NonNullable<WhatIfCriteria['tiers']>

/** The tiers in force, cut where another tier begins, so that one pass over the weeks answers for both. */
function compareTiers(inForce: readonly AvpStep[], others: OtherTiers): ComparedStep[] {
  const assumed = others.map((tier, index) => ({ ...tier, index }))
  // The assumed tiers also apply to weeks before the first schedule.
  const schedules = Map.groupBy(inForce, ({ scheduleFrom }) => scheduleFrom)
  return [[BEFORE_ALL, []] as const, ...schedules].flatMap(([scheduleFrom, steps]) => {
    const bounds = [...new Set([...steps, ...assumed].map(({ from }) => from))]
    const ordered = bounds.toSorted((one, other) => one - other)
    return ordered.map((from, index): ComparedStep => ({
      index,
      from,
      to: (ordered[index + 1] ?? Infinity) - 1,
      payoutCentavos: tierOf(from, steps)?.payoutCentavos ?? 0,
      payoutCents: 0,
      otherCentavos: minorUnitsOf(tierOf(from, assumed)?.payoutPhp ?? 0),
      scheduleFrom,
    }))
  })
}

const BEFORE_ALL: Day = '0001-01-01'

const NOTHING: Sums = {
  sales: 0,
  bonusSales: 0,
  paid: 0,
  wouldBe: 0,
  tierPaid: 0,
  tierWouldBe: 0,
}
const SUMS = Object.keys(NOTHING) as (keyof Sums)[] // Object.keys forgets their type

/** Adds in place: there may be thousands of rows. */
function add(sums: Sums, other: Sums): void {
  for (const name of SUMS) sums[name] += other[name]
}

const differenceOf = ({ paid, wouldBe, tierPaid, tierWouldBe }: Sums) =>
  wouldBe - paid + tierWouldBe - tierPaid

type Order = (one: Row, other: Row) => number

const byName: Order = (one, other) =>
  compareText(one.order[0], other.order[0]) ||
  compareText(one.order[1], other.order[1]) ||
  one.officeId - other.officeId ||
  (one.agentId ?? 0) - (other.agentId ?? 0)

const orders: Record<WhatIfCriteria['sortField'], Order> = {
  name: byName,
  agent: (one, other) => compareText(one.order[1], other.order[1]),
  sales: (one, other) => one.sales + one.bonusSales - other.sales - other.bonusSales,
  paid: (one, other) => one.paid - other.paid,
  wouldBe: (one, other) => one.wouldBe - other.wouldBe,
  difference: (one, other) => differenceOf(one) - differenceOf(other),
}

const orderOf =
  ({ sortField, sortAsc }: WhatIfCriteria): Order =>
  (one, other) =>
    orders[sortField](one, other) * (sortAsc ? 1 : -1) || byName(one, other)

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

const present = (sums: Sums, withTiers: boolean): WhatIf['overall'] => ({
  sales: sums.sales,
  bonusSales: sums.bonusSales,
  paid: fromMinorUnits(sums.paid),
  wouldBe: fromMinorUnits(sums.wouldBe),
  ...(withTiers && {
    tierPaid: fromMinorUnits(sums.tierPaid),
    tierWouldBe: fromMinorUnits(sums.tierWouldBe),
  }),
  difference: fromMinorUnits(differenceOf(sums)),
})

const presentRow = (row: Row, withTiers: boolean): WhatIfRow => ({
  companyId: row.officeId,
  officeName: row.officeName,
  ...(row.agentId !== null && { agentId: row.agentId, agent: row.agent }),
  ...present(row, withTiers),
})
