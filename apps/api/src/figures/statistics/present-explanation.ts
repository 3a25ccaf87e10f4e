import { EVENT_TYPE } from '@tallyroom/domain/event-types'
import type { ExplainGroup, ExplainPart } from '@tallyroom/contract/figures/explain'
import { can } from '@tallyroom/domain/abilities'
import { fromMinorUnits } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import type { Viewer } from '../../access/viewer.ts'
import type { AvpStep } from '../../totals/index.ts'
import { presentOrigin } from '../../catalogue/index.ts'
import type { findPaidBy } from '../../pay/index.ts'
import { percentOfPart } from '../../tracking/index.ts'
import type { Amount, GroupRow, PartRow } from './explain.queries.ts'
import type { ReportQuestion } from './report-question.queries.ts'

/** How amounts, groups and parts are presented to this viewer. */
export function presentations(
  viewer: Viewer,
  { steps }: ReportQuestion,
  { amount, paidBy }: { amount: Amount; paidBy: Awaited<ReturnType<typeof findPaidBy>> },
) {
  const counts = 'counted' in amount
  const inUnits = counts ? (count: number) => count : fromMinorUnits
  return {
    amount: inUnits,
    group: (group: GroupRow) => ({
      ...presentGroup(group, steps, inUnits),
      ...(!counts && originOf(viewer, group)),
    }),
    part: (row: PartRow): ExplainPart => ({
      ...presentPart(row),
      ...differenceOf(viewer, row),
      amount: inUnits(amountOfPart(row)),
      ...(!counts && {
        rateSource: row.rate_source,
        ...originOf(viewer, row),
        rate: inUnits(row.rate),
      }),
      ...(isPayout(amount) && { paidBy: paidBy(paidEvent(row)) }),
      ...('paid' in amount && {
        reason: {
          ...reasonOf(row.week, row.place, steps),
          agentAvpSales: row.week_sales ?? 0,
        },
      }),
      ...(can(viewer, 'postbacks.view') && { postbackId: row.postback_id }),
    }),
  }
}

const isPayout = (amount: Amount): boolean =>
  'paid' in amount || ('column' in amount && amount.column === 'payout_centavos')

const paidEvent = (row: PartRow) => ({
  isAvp: row.avp && row.event_type === EVENT_TYPE.sale,
  recordedAt: row.recorded_at,
  soldAt: row.reversed_at ?? row.occurred_at,
  saleRecordedAt: row.reversed_recorded_at ?? row.recorded_at,
})

/** Empty for a rate that has always been in force. */
const originOf = (viewer: Viewer, { rate_from: from, rate_by: by }: GroupRow | PartRow) =>
  from && { origin: presentOrigin(viewer, from, by ?? null) }

/** For a difference from backdated rates. Only staff see who backdated them and why. */
const differenceOf = (viewer: Viewer, row: PartRow) =>
  row.adjusts !== null &&
  row.backdated_at && {
    difference: {
      of: row.adjusts,
      at: row.backdated_at.toISOString(),
      isUndoing: row.is_undoing ?? false,
      ...(can(viewer, 'link-types.view') && {
        by: row.backdated_by ?? '',
        reason: row.backdating_reason ?? '',
      }),
    },
  }

const presentGroup = (
  group: GroupRow,
  steps: readonly AvpStep[],
  inUnits: (amount: number) => number,
): ExplainGroup => ({
  ...(group.site_id !== undefined && {
    siteId: group.site_id,
    sitename: group.sitename ?? '',
  }),
  ...(group.type_id !== undefined && {
    typeId: group.type_id,
    typename: group.typename ?? '',
  }),
  ...(group.rate_source !== undefined && { rateSource: group.rate_source }),
  ...(group.week !== undefined && { reason: reasonOf(group.week, group.place, steps) }),
  ...(group.rate !== undefined && { rate: inUnits(group.rate) }),
  sales: group.sales,
  reversals: group.reversals,
  ...(group.differences > 0 && { differences: group.differences }),
  ...(group.parts > 0 && { parts: group.parts }),
  sum: inUnits(group.amount),
})

const presentPart = (row: PartRow): Omit<ExplainPart, 'amount'> => ({
  eventId: row.id,
  occurredAt: row.occurred_at.toISOString(),
  eventType: row.event_type,
  reversal: row.reversal,
  ...(row.part_ppm !== null && { partPercent: percentOfPart(row.part_ppm) }),
  ...(row.restores !== null && { isRestored: true as const }),
  reverses: row.reverses,
  reversesOccurredAt: row.reverses === null ? null : (row.reversed_at?.toISOString() ?? null),
  companyId: row.office_id,
  officeName: row.office_name ?? '',
  agentId: row.agent_id,
  agent: row.username ?? '',
  siteId: row.site_id,
  sitename: row.sitename ?? '',
  useApproveSale: row.use_approve_sale ?? false,
  typeId: row.type_id,
  typename: row.typename ?? '',
  clickId: row.click_id,
  transactionId: row.transaction_id,
})

function reasonOf(week: Day, place: number | null | undefined, steps: readonly AvpStep[]) {
  const step = place == null ? undefined : steps[place - 1]
  return {
    week,
    tier: step ? { index: step.index, from: step.from, to: step.to } : null,
    scheduleValidFrom: step?.scheduleFrom ?? null,
  }
}

/** Adds 0 so that the reversal of a sale that pays nothing is not -0. */
export const amountOfPart = ({ rate, times }: PartRow): number => rate * times + 0
