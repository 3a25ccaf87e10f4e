import {
  type Explanation,
  type ExplainGroup,
  type ExplainPart,
  type ExplainRequest,
  MAX_EXPLAIN_GROUPS,
} from '@tallyroom/contract/stats-explain'
import { type StatsTable, statsTables } from '@tallyroom/contract/stats-table'
import { fromMinorUnits } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { invalid } from '../../errors.ts'
import { findOverallPay } from './avp-pay.queries.ts'
import {
  findGroups,
  findParts,
  type GroupRow,
  type PartRow,
  type PartsQuestion,
  type RecordedAmount,
  type TierAmount,
} from './explain.queries.ts'
import { questionOf, type StatsQuestion } from './report-question.ts'
import { type AvpStep, readTotals, type TotalsDatabases } from '../../totals/index.ts'
import { findOverall } from './report.queries.ts'

/**
 * What one amount of Payroll or Payroll AVP is made of, from the events; and the amount itself, from the
 * totals, in the same snapshot. The one call of the statistics that reads events: within the report's days.
 *
 * @throws VALIDATION_ERROR for a column that the viewer does not see, or a row that the criteria rule out.
 */
export const explain = (
  databases: TotalsDatabases,
  viewer: Viewer,
  request: ExplainRequest,
): Promise<Explanation> =>
  readTotals(databases, async (tx, today) => {
    const scope = scopeOf(viewer)
    const table: StatsTable = statsTables[request.report]
    const { question: whole, visibility } = await questionOf(
      tx,
      viewer,
      table,
      { ...request.criteria, groupBy: 'detail', page: 1, pageSize: 1 },
      today,
    )
    if (isEarning(request.column) && !visibility.earning) {
      throw invalid({ column: ['is not a column of this view'] })
    }
    const question = { ...whole, ...narrowed(whole, request) }
    const steps = whole.steps ?? []
    const amount = amountOf(request, table.pays === 'tiers')
    const parts: PartsQuestion = { range: question.range, filter: question.filter, amount, steps }
    const { page, pageSize } = request

    const found = await findGroups(tx, scope, parts, MAX_EXPLAIN_GROUPS)
    const rows = await findParts(tx, scope, parts, {
      limit: pageSize,
      offset: (page - 1) * pageSize,
    })
    const told = sumOf(found.groups.map((group) => group.amount))
    return {
      currency: isDollars(amount) ? 'usd' : 'php',
      figure: fromMinorUnits(
        'currency' in amount
          ? (await findOverallPay(tx, scope, { ...question, steps, typeIds: [] }))[
              amount.currency === 'payoutCents' ? 'paid_cents' : 'paid_centavos'
            ]
          : (await findOverall(tx, scope, { ...question, typeIds: [] }))[metricOf(amount)],
      ),
      sum: fromMinorUnits(found.sum),
      groups: found.groups.map((group) => presentGroup(group, steps)),
      otherGroups: {
        count: found.groupCount - found.groups.length,
        sum: fromMinorUnits(found.sum - told),
      },
      parts: {
        items: rows.map((row) => presentPart(row, steps, 'currency' in amount)),
        total: found.partCount,
        pageSum: fromMinorUnits(sumOf(rows.map(amountOfPart))),
      },
    }
  })

type Column = ExplainRequest['column']

const isEarning = (column: Column) => column === 'earn' || column === 'bonusEarn'

const isDollars = (amount: RecordedAmount | TierAmount) =>
  'currency' in amount ? amount.currency === 'payoutCents' : amount.column === 'earning_cents'

function amountOf({ column }: ExplainRequest, paysByTier: boolean): RecordedAmount | TierAmount {
  switch (column) {
    case 'payout':
      return { eventType: 0, column: 'payout_centavos' }
    case 'bonusPayout':
      return { eventType: 1, column: 'payout_centavos' }
    case 'earn':
      return { eventType: 0, column: 'earning_cents' }
    case 'bonusEarn':
      return { eventType: 1, column: 'earning_cents' }
    case 'payoutDollars':
      return { eventType: 0, currency: 'payoutCents' }
    case 'payoutPhp':
      return { eventType: 0, currency: 'payoutCentavos' }
    default:
      return paysByTier
        ? { eventType: 0, currency: 'payoutCentavos' }
        : { eventType: 0, column: 'payout_centavos' }
  }
}

const metricOf = ({ eventType, column }: RecordedAmount) =>
  eventType === 0 ? column : (`bonus_${column}` as const)

/** The report's range and filter, narrowed to the row and to the link type of the column. */
function narrowed(
  { range, filter }: Pick<StatsQuestion, 'range' | 'filter'>,
  { row, column }: ExplainRequest,
): Pick<StatsQuestion, 'range' | 'filter'> {
  const { date, companyId, agentId } = row
  const ofColumn = column.endsWith('_payout') ? Number.parseInt(column, 10) : undefined
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

/** Never -0, of a reversal that pays nothing. */
const amountOfPart = ({ rate, quantity }: PartRow): number => rate * quantity + 0

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0)
