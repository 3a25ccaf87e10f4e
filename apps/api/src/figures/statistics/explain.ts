import {
  type Explanation,
  type ExplainRequest,
  MAX_EXPLAIN_GROUPS,
} from '@tallyroom/contract/figures/explain'
import {
  type AmountColumn,
  type AmountName,
  isAmountName,
  isPayoutColumn,
  statsTables,
  typeOf,
} from '@tallyroom/contract/figures/stats-table'
import { can } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { forbidden, invalid } from '../../errors.ts'
import { figuresOfKind, readTotals, type TotalsDatabases } from '../../totals/index.ts'
import { findPaidBy } from '../../pay/index.ts'
import {
  type Amount,
  type CountAmount,
  findGroups,
  findParts,
  type RecordedAmount,
} from './explain.queries.ts'
import { findNames } from './explain-names.queries.ts'
import { amountOfPart, presentations } from './present-explanation.ts'
import { questionOf, reachOf, sees } from './report-criteria.ts'
import type { ReportQuestion } from './report-question.queries.ts'
import { findWhole } from './report.queries.ts'
import { findPay } from './joined-columns.queries.ts'

/**
 * Explains an amount or a count of sales: its parts from the events, and the figure itself from the
 * totals, in one snapshot. The only statistics call that reads events, and only those on the days
 * of the figure.
 * @throws FORBIDDEN for a report that the viewer may not open.
 * @throws VALIDATION_ERROR for a column that the viewer may not see, or a site that they do not
 * know.
 */
export async function explain(
  databases: TotalsDatabases,
  viewer: Viewer,
  request: ExplainRequest,
): Promise<Explanation> {
  if (!can(viewer, statsTables[request.report].ability)) throw forbidden()
  const read = async (tx: Tx, today: Day): Promise<Explanation> => {
    const scope = scopeOf(viewer)
    const { report, column, page, pageSize, typeId = typeOf(column), ...about } = request
    const criteria = { ...about, typeId, groupBy: 'detail', page: 1, pageSize: 1 } as const
    const whole = await questionOf(tx, viewer, report, criteria, today)
    if (!seesAmount(whole, column)) throw invalid({ column: ['is not a column of this view'] })
    const question = { ...whole, typeIds: [] }
    const amount = amountOf(whole, column)
    const parts = { ...question, amount }

    const found = await findGroups(tx, scope, parts, MAX_EXPLAIN_GROUPS)
    const rows = await findParts(tx, scope, parts, {
      limit: pageSize,
      offset: (page - 1) * pageSize,
    })
    const unit = unitOf(amount)
    const shown = sumOf(found.groups.map((group) => group.amount))
    const figure =
      'paid' in amount
        ? (await findPay(tx, scope, question))[`paid_${amount.paid}`]
        : (await findWhole(tx, scope, question, [])).sums[metricOf(amount)]
    const present = presentations(viewer, question, { amount, paidBy: await findPaidBy(tx) })
    return {
      names: {
        ...(await findNames(tx, scope, question.filter)),
        useApproveSale: question.site?.useApproveSale ?? false,
      },
      unit,
      figure: present.amount(figure),
      sum: present.amount(found.sum),
      groups: found.groups.map(present.group),
      otherGroups: {
        count: found.groupCount - found.groups.length,
        sum: present.amount(found.sum - shown),
      },
      parts: {
        items: rows.map(present.part),
        total: found.partCount,
        pageSum: present.amount(sumOf(rows.map(amountOfPart))),
      },
    }
  }
  return readTotals(databases, read, reachOf(viewer, request.report, request))
}

const amounts = {
  sales: { of: 'sale', counted: 'all' },
  bonusSales: { of: 'bonus', counted: 'all' },
  avpSales: { of: 'sale', counted: 'avp' },
  payout: { of: 'sale', column: 'payout_centavos' },
  bonusPayout: { of: 'bonus', column: 'payout_centavos' },
  earn: { of: 'sale', column: 'earning_cents' },
  bonusEarn: { of: 'bonus', column: 'earning_cents' },
  payoutDollars: { of: 'sale', paid: 'cents' },
  payoutPhp: { of: 'sale', paid: 'centavos' },
} as const satisfies Record<AmountName, Amount>

function amountOf({ table }: ReportQuestion, column: AmountColumn): Amount {
  if (isAmountName(column)) return amounts[column]
  if (!isPayoutColumn(column)) return amounts.sales
  return table.pays === 'tiers' ? amounts.payoutPhp : amounts.payout
}

/** Payouts of link types are columns of the payrolls, whose viewers may see payouts. */
const seesAmount = ({ visibility }: ReportQuestion, column: AmountColumn): boolean =>
  isAmountName(column)
    ? sees(visibility, column)
    : !isPayoutColumn(column) || sees(visibility, 'payout')

const unitOf = (amount: Amount) => {
  if ('counted' in amount) return 'count'
  return 'paid' in amount
    ? ({ centavos: 'php', cents: 'usd' } as const)[amount.paid]
    : ({ payout_centavos: 'php', earning_cents: 'usd' } as const)[amount.column]
}

function metricOf(amount: RecordedAmount | CountAmount) {
  if ('counted' in amount && amount.counted === 'avp') return 'avp_sales'
  return figuresOfKind[amount.of]['counted' in amount ? 'quantity' : amount.column]
}

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0)
