import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { WhatIf, whatIfEndpoints, WhatIfRow } from '@tallyroom/contract/what-if'
import { fromMinorUnits, minorUnitsOf } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import type { Tx } from '../../db/database.ts'
import { readTotals, type TotalsDatabases } from '../../totals/index.ts'
import { findSchedulesOf, stepsOf } from '../avp-schedules/index.ts'
import { findOwnRateOffices } from '../office-fees/index.ts'
import { findByRates, findByTiers, findNames, type RowKey } from './what-if.queries.ts'

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
type Row = Sums & { officeId: number; officeName: string; agentId: number | null; agent: string }

/** What past sales would have been paid at other rates or tiers, next to what was recorded. Reads totals only. */
export const whatIf = (databases: TotalsDatabases, criteria: WhatIfCriteria): Promise<WhatIf> =>
  readTotals(databases, async (tx, today) => {
    const moment = { today, now: databases.clock.now() }
    const { rows, leftAlone } = await findRows(tx, moment, criteria)
    const { page, pageSize, tiers } = criteria
    return {
      total: rows.length,
      items: rows
        .slice((page - 1) * pageSize, page * pageSize)
        .map((row) => presentRow(row, tiers !== undefined)),
      overall: present(rows.reduce(add, NOTHING), tiers !== undefined),
      leftAlone,
    }
  })

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
  const inForce = tiers ? stepsOf(await findSchedulesOf(tx, question.range)) : []
  const others = (tiers ?? []).map(({ from, to, payoutPhp }, index) => ({
    index,
    from,
    to,
    payoutCentavos: minorUnitsOf(payoutPhp),
    payoutCents: 0,
    scheduleFrom: BEFORE_ALL,
  }))
  const paidByTier = tiers ? await findByTiers(tx, question, inForce) : []
  const wouldBeByTier = tiers ? await findByTiers(tx, question, others) : []

  const names = await findNames(tx, question.byAgent)
  const sums = new Map<string, RowKey & Sums>()
  const merge = ({ officeId, agentId }: RowKey, part: Partial<Sums>) => {
    const key = `${officeId} ${agentId}`
    const before = sums.get(key) ?? { officeId, agentId, ...NOTHING }
    sums.set(key, { ...before, ...add(before, { ...NOTHING, ...part }) })
  }
  for (const row of byRates) {
    const { sales, bonusSales, paidCentavos: paid, wouldBeCentavos: wouldBe } = row
    merge(row, { sales, bonusSales, paid, wouldBe })
  }
  for (const row of paidByTier) merge(row, { tierPaid: row.centavos })
  for (const row of wouldBeByTier) merge(row, { tierWouldBe: row.centavos })
  const rows = [...sums.values()].map((row): Row => ({
    ...row,
    officeName: names.offices.get(row.officeId) ?? '',
    agent: row.agentId === null ? '' : (names.agents.get(row.agentId) ?? ''),
  }))
  const isAsked = ({ officeId }: { officeId: number }) =>
    companyIds.length === 0 || companyIds.includes(officeId)
  const leftAlone = [...new Map(own.filter(isAsked).map((one) => [one.officeId, one])).keys()]
    .map((companyId) => ({ companyId, officeName: names.offices.get(companyId) ?? '' }))
    .toSorted((one, other) => compareText(one.officeName, other.officeName))
  return { rows: rows.toSorted(orderOf(criteria)), leftAlone }
}

/** The assumed tiers apply to every week of the range. */
const BEFORE_ALL: Day = '0001-01-01'

const NOTHING: Sums = {
  sales: 0,
  bonusSales: 0,
  paid: 0,
  wouldBe: 0,
  tierPaid: 0,
  tierWouldBe: 0,
}

const add = (one: Sums, other: Sums): Sums => ({
  sales: one.sales + other.sales,
  bonusSales: one.bonusSales + other.bonusSales,
  paid: one.paid + other.paid,
  wouldBe: one.wouldBe + other.wouldBe,
  tierPaid: one.tierPaid + other.tierPaid,
  tierWouldBe: one.tierWouldBe + other.tierWouldBe,
})

const differenceOf = ({ paid, wouldBe, tierPaid, tierWouldBe }: Sums) =>
  wouldBe - paid + tierWouldBe - tierPaid

type Order = (one: Row, other: Row) => number

const byName: Order = (one, other) =>
  compareText(one.officeName, other.officeName) ||
  compareText(one.agent, other.agent) ||
  one.officeId - other.officeId ||
  (one.agentId ?? 0) - (other.agentId ?? 0)

const orders: Record<WhatIfCriteria['sortField'], Order> = {
  name: byName,
  agent: (one, other) => compareText(one.agent, other.agent),
  sales: (one, other) => one.sales + one.bonusSales - other.sales - other.bonusSales,
  paid: (one, other) => one.paid - other.paid,
  wouldBe: (one, other) => one.wouldBe - other.wouldBe,
  difference: (one, other) => differenceOf(one) - differenceOf(other),
}

const orderOf =
  ({ sortField, sortAsc }: WhatIfCriteria): Order =>
  (one, other) =>
    orders[sortField](one, other) * (sortAsc ? 1 : -1) || byName(one, other)

const compareText = (one: string, other: string) =>
  one.toLowerCase() < other.toLowerCase() ? -1 : Number(one.toLowerCase() > other.toLowerCase())

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
