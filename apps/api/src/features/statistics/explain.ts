import {
  type Explanation,
  type ExplainGroup,
  type ExplainPart,
  type ExplainRequest,
  MAX_EXPLAIN_GROUPS,
} from '@tallyroom/contract/stats-explain'
import { isPayoutColumn, type PayoutColumn } from '@tallyroom/contract/stats-table'
import { fromMinorUnits } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { invalid } from '../../errors.ts'
import { type AvpStep, readTotals, type TotalsDatabases } from '../../totals/index.ts'
import {
  findGroups,
  findParts,
  type GroupRow,
  type PartRow,
  type RecordedAmount,
  type TierAmount,
} from './explain.queries.ts'
import { findPaySum } from './joined-columns.queries.ts'
import { questionOf } from './report-criteria.ts'
import type { ReportQuestion } from './report-question.queries.ts'
import { findOverall } from './report.queries.ts'

/**
 * Explains one amount of Payroll or Payroll AVP: its parts from the events, and the amount itself from the totals, in
 * the same snapshot. The only statistics call that reads events, limited to the report's days.
 *
 * @throws VALIDATION_ERROR for a column that the viewer does not see, or a row that the criteria exclude.
 */
export const explain = (
  databases: TotalsDatabases,
  viewer: Viewer,
  request: ExplainRequest,
): Promise<Explanation> =>
  readTotals(databases, async (tx, today) => {
    const scope = scopeOf(viewer)
    const { report, column, page, pageSize } = request
    const criteria = { ...request.criteria, groupBy: 'detail', page: 1, pageSize: 1 } as const
    const whole = await questionOf(tx, viewer, report, criteria, today)
    if ((column === 'earn' || column === 'bonusEarn') && !whole.visibility.earning) {
      throw invalid({ column: ['is not a column of this view'] })
    }
    const question = { ...whole, ...narrowed(whole, request), typeIds: [] }
    const { steps } = question
    const amount = amountOf(request)
    const parts = { ...question, amount }

    const found = await findGroups(tx, scope, parts, MAX_EXPLAIN_GROUPS)
    const rows = await findParts(tx, scope, parts, {
      limit: pageSize,
      offset: (page - 1) * pageSize,
    })
    const shown = sumOf(found.groups.map((group) => group.amount))
    const figure =
      'paid' in amount
        ? (await findPaySum(tx, scope, question))[`paid_${amount.paid}`]
        : (await findOverall(tx, scope, question))[metricOf(amount)]
    return {
      currency: isDollars(amount) ? 'usd' : 'php',
      figure: fromMinorUnits(figure),
      sum: fromMinorUnits(found.sum),
      groups: found.groups.map((group) => presentGroup(group, steps)),
      otherGroups: {
        count: found.groupCount - found.groups.length,
        sum: fromMinorUnits(found.sum - shown),
      },
      parts: {
        items: rows.map((row) => presentPart(row, steps, 'paid' in amount)),
        total: found.partCount,
        pageSum: fromMinorUnits(sumOf(rows.map(amountOfPart))),
      },
    }
  })

type Column = ExplainRequest['column']

const isDollars = (amount: RecordedAmount | TierAmount) =>
  'paid' in amount ? amount.paid === 'cents' : amount.column === 'earning_cents'

const amounts = {
  payout: { eventType: 0, column: 'payout_centavos' },
  bonusPayout: { eventType: 1, column: 'payout_centavos' },
  earn: { eventType: 0, column: 'earning_cents' },
  bonusEarn: { eventType: 1, column: 'earning_cents' },
  payoutDollars: { eventType: 0, paid: 'cents' },
  payoutPhp: { eventType: 0, paid: 'centavos' },
} as const satisfies Record<Exclude<Column, PayoutColumn>, RecordedAmount | TierAmount>

/** What the sales of one link type pay. */
const typePayouts = {
  payroll: amounts.payout,
  payrollAvp: amounts.payoutPhp,
} as const satisfies Record<ExplainRequest['report'], RecordedAmount | TierAmount>

const amountOf = ({ report, column }: ExplainRequest): RecordedAmount | TierAmount =>
  isPayoutColumn(column) ? typePayouts[report] : amounts[column]

const metricOf = ({ eventType, column }: RecordedAmount) =>
  eventType === 0 ? column : (`bonus_${column}` as const)

/** The report's range and filter, narrowed to the row and, for a link type's payout, to that link type. */
function narrowed(
  { range, filter }: Pick<ReportQuestion, 'range' | 'filter'>,
  { row, column }: ExplainRequest,
): Pick<ReportQuestion, 'range' | 'filter'> {
  const { date, companyId, agentId } = row
  const ofColumn = isPayoutColumn(column) ? Number.parseInt(column, 10) : undefined
  const typeId = ofColumn ?? row.typeId
  const isOutside =
    (date !== undefined && (date < range.start || date > range.end)) ||
    (companyId !== undefined && (filter.officeId ?? companyId) !== companyId) ||
    (agentId !== undefined && filter.agentIds?.includes(agentId) === false) ||
    (row.typeId !== undefined && (filter.typeId ?? row.typeId) !== row.typeId)
  if (isOutside) throw invalid({ row: ['is not a row of this report'] })
  if (ofColumn !== undefined && (filter.typeId ?? row.typeId ?? ofColumn) !== ofColumn) {
    throw invalid({ column: ['is not a column of this view'] })
  }
  return {
    range: date === undefined ? range : { start: date, end: date },
    filter: {
      ...filter,
      officeId: companyId ?? filter.officeId,
      agentIds: agentId === undefined ? filter.agentIds : [agentId],
      typeId: typeId ?? filter.typeId,
    },
  }
}

const presentGroup = (group: GroupRow, steps: readonly AvpStep[]): ExplainGroup => ({
  ...(group.site_id !== undefined && {
    siteId: group.site_id,
    sitename: group.sitename ?? '',
  }),
  ...(group.type_id !== undefined && {
    typeId: group.type_id,
    typename: group.typename ?? '',
  }),
  rateSource: group.rate_source,
  ...(group.week !== undefined && { reason: reasonOf(group.week, group.place, steps) }),
  rate: fromMinorUnits(group.rate),
  sales: group.sales,
  reversals: group.reversals,
  sum: fromMinorUnits(group.amount),
})

const presentPart = (row: PartRow, steps: readonly AvpStep[], byTier: boolean): ExplainPart => ({
  eventId: row.id,
  occurredAt: row.occurred_at.toISOString(),
  eventType: row.event_type,
  reversal: row.reversal,
  reverses: row.reverses,
  reversesOccurredAt: row.reversed_at?.toISOString() ?? null,
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
  postbackId: row.postback_id,
  rateSource: row.rate_source,
  rate: fromMinorUnits(row.rate),
  amount: fromMinorUnits(amountOfPart(row)),
  ...(byTier && {
    reason: {
      ...reasonOf(row.week, row.place, steps),
      agentAvpSales: row.week_sales ?? 0,
    },
  }),
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
const amountOfPart = ({ rate, quantity }: PartRow): number => rate * quantity + 0

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0)
