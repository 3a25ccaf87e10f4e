import { type BackdatingPreview, MAX_REPRICED } from '@tallyroom/contract/pay/backdating/backdating'
import { can } from '@tallyroom/domain/abilities'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { startOfDay } from '@tallyroom/domain/new-york'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { findPaidBy } from '../terms/paid-by.ts'
import { findClosedPeriods, findPayState } from '../terms/settings.queries.ts'
import { findRepricedSums, type RepricedSum, type Repricing } from '../../tracking/index.ts'
import { countChanges, findNamesOf } from './backdating.queries.ts'
import type { Plan } from './plan.ts'

/** Whose rates. */
export type Asked = Pick<Repricing, 'typeId' | 'siteId' | 'officeId'>

/** What a plan would change if it were applied now, as sums for people to read. */
export async function previewOf(
  tx: Tx,
  viewer: Viewer,
  { typeId, siteId, officeId }: Asked,
  { changed, spans, laterChanges }: Pick<Plan, 'changed' | 'spans' | 'laterChanges'>,
): Promise<BackdatingPreview> {
  const closed = await findClosedPeriods(tx)
  const pay = await findPayState(tx)
  const repricing = { typeId, siteId, officeId, changed, spans }
  const sums = await findRepricedSums(tx, repricing, closed, pay?.startedAt)
  const paidBy = await findPaidBy(tx)
  const isPaidByTier = ({ avpWeek, isFromBefore }: RepricedSum) =>
    paidBy({
      isAvp: avpWeek !== null,
      recordedAt: tx.now,
      soldAt: avpWeek === null ? tx.now : startOfDay(avpWeek),
      saleRecordedAt: isFromBefore ? new Date(0) : tx.now,
    }) === 'tier'
  const rows = sums.map((row) => ({ ...row, isByTier: isPaidByTier(row) }))
  const offices = grouped(rows, (row) => row.officeId)
  const agents = grouped(rows, (row) => row.agentId)
  const periods = grouped(rows, (row) => row.period)
  const names = await findNamesOf(tx, {
    offices: offices.map(([id]) => id),
    agents: agents.map(([id]) => id),
  })
  const nameOfOffice = (id: number) => names.offices.get(id) ?? 'deleted office'
  const present = (part: readonly Repriced[]) => presentSums(viewer, part)
  return {
    version: await countChanges(tx, typeId),
    spans: changed.map(({ from, until }) => ({
      from: (from ?? new Date(0)).toISOString(),
      until: until?.toISOString() ?? null,
    })),
    laterChanges,
    ...present(rows),
    avpSales: sumOf(
      rows.filter(({ avpWeek }) => avpWeek !== null),
      'sales',
    ),
    periods: [...closed, undefined].flatMap((period, place) => {
      const part = periods.find(([key]) => (period ? key === place : key === null))?.[1]
      const { name = null, start = null, end = null } = period ?? {}
      return part ? [{ name, start, end, ...present(part) }] : []
    }),
    offices: offices.slice(0, MAX_REPRICED).map(([id, part]) => ({
      companyId: id,
      officeName: nameOfOffice(id),
      ...present(part),
    })),
    officeCount: offices.length,
    agents: agents.slice(0, MAX_REPRICED).map(([id, part]) => ({
      agentId: id,
      agent: names.agents.get(id) ?? 'deleted agent',
      officeName: [...new Set(part.map((row) => nameOfOffice(row.officeId)))].join(', '),
      ...present(part),
    })),
    agentCount: agents.length,
  }
}

/** Whether tiers alone pay for these sales, so that another rate changes nobody's pay. */
type Repriced = RepricedSum & { isByTier: boolean }

/** Largest payouts first. */
function grouped<Key>(
  rows: readonly Repriced[],
  keyOf: (row: Repriced) => Key,
): [Key, Repriced[]][] {
  const size = (part: readonly Repriced[]) => Math.abs(sumOf(part, 'payoutCentavos'))
  return [...Map.groupBy(rows, keyOf)].toSorted(([, one], [, other]) => size(other) - size(one))
}

const presentSums = (viewer: Viewer, part: readonly Repriced[]) => {
  const byTier = part.filter(({ isByTier }) => isByTier)
  const payoutCentavos = sumOf(part, 'payoutCentavos')
  return {
    sales: sumOf(part, 'sales'),
    byTier: sumOf(byTier, 'sales'),
    payout: fromMinorUnits(payoutCentavos),
    paid: fromMinorUnits(payoutCentavos - sumOf(byTier, 'payoutCentavos')),
    ...(can(viewer, 'earning.see') && { earning: fromMinorUnits(sumOf(part, 'earningCents')) }),
  }
}

const sumOf = (
  rows: readonly RepricedSum[],
  column: 'sales' | 'payoutCentavos' | 'earningCents',
): number => rows.reduce((sum, row) => sum + row[column], 0)
