import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { columns } from '../../db/list-query.ts'
import { rateAt, tieredSource } from '../../totals/index.ts'
import {
  keysOf,
  type ReportQuestion,
  type RowKey,
  type RowKeyName,
  typeDimension,
} from './report-question.queries.ts'

/** What AVP sales pay by tier, in minor units; `paid_{id}` is a link type's part, in centavos. */
export type AvpPay = { paid_centavos: number; paid_cents: number } & Record<
  `paid_${number}`,
  number
>

/** What tiers pay for a row without AVP sales. */
export const NO_PAY: AvpPay = { paid_centavos: 0, paid_cents: 0 }

/** What tiers pay for all sales that the question covers. */
export async function findPay(tx: Tx, scope: Scope, question: ReportQuestion): Promise<AvpPay> {
  const { rows } = await paySum(scope, question).execute(tx)
  return rows[0] ?? NO_PAY
}

/** The same, as a query. */
export const paySum = (scope: Scope, question: ReportQuestion): RawBuilder<AvpPay> =>
  sql<AvpPay>`select ${payColumns(question)} from ${paidSales(scope, question, [])} as paid`

/** The pay for sales, by the grouping's keys. Rows without AVP sales are missing. */
export function payByKey(scope: Scope, question: ReportQuestion): RawBuilder<RowKey & AvpPay> {
  const keys = keysOf(question.groupBy)
  return sql<RowKey & AvpPay>`
    select ${columns(keys)}, ${payColumns(question)}
    from ${paidSales(scope, question, keys)} as paid
    group by ${columns(keys)}
  `
}

/** The pay of rows with `avp_sales` and the `place` of their tier, summed. */
export const payColumns = ({ steps, typeIds }: ReportQuestion) => {
  const pays = (currency: 'payoutCentavos' | 'payoutCents') =>
    sql`avp_sales * ${rateAt(steps, sql`place`, currency)}`
  return sql.join([
    sql`coalesce(sum(${pays('payoutCentavos')}), 0)::bigint as paid_centavos`,
    sql`coalesce(sum(${pays('payoutCents')}), 0)::bigint as paid_cents`,
    ...typeIds.map(
      (id) => sql`
        coalesce(sum(${pays('payoutCentavos')}) filter (where type_id = ${id}), 0)::bigint
          as ${sql.ref(`paid_${id}`)}`,
    ),
  ])
}

/**
 * AVP sales by keys and by the place of the tier that pays for them. The agent's whole week decides
 * the tier, with sales on all sites and for every office.
 */
function paidSales(
  scope: Scope,
  question: ReportQuestion,
  keys: readonly RowKeyName[],
): RawBuilder<unknown> {
  const dimensions = [...keys.filter((key) => key !== 'day'), ...typeDimension(question)]
  const byDay = keys.includes('day')
  const sold = { ...question, dimensions, byDay }
  const names = [...new Set([...(byDay ? ['day'] : []), ...dimensions, 'place'])]
  const groups = columns(names)
  return sql`(
    select ${groups}, sum(avp_sales)::bigint as avp_sales
    from ${tieredSource(scope, sold, question.steps, [...names, 'avp_sales'])} as sales
    where avp_sales <> 0
    group by ${groups}
  )`
}
