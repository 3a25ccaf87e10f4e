import type { SellerFigures } from '@tallyroom/contract/people/sellers'
import type { Day } from '@tallyroom/domain/new-york'
import type { DateRange } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { totalsSource } from '../../totals/index.ts'

/** Whose figures: agents', or offices'. */
export type SellerKey = 'agent_id' | 'office_id'

/** The days of figures, and as many days before. */
export type ComparedDays = DateRange & { before: DateRange }

type SellerRow = {
  seller_id: number
  clicks: number
  clicks_before: number
  sales: number
  sales_before: number
  last_sale_day: Day | null
}

/** What the viewer sees of a figure of sellers. */
export type SoldBy = { key: SellerKey; scope: Scope; days: ComparedDays }

/** A row for each agent or office that did anything in these days; of `ids` alone, if they are given. */
function sellerRows({ key, scope, days }: SoldBy, ids?: readonly number[]): RawBuilder<SellerRow> {
  const totals = {
    range: { start: days.before.start, end: days.end },
    today: days.end,
    filter: key === 'agent_id' ? { agentIds: ids } : { officeIds: ids },
    dimensions: [key],
    byDay: true,
  }
  const sum = (column: string, condition: RawBuilder<unknown>) =>
    sql`coalesce(sum(${sql.ref(column)}) filter (where ${condition}), 0)::bigint`
  const now = sql`day >= ${days.start}::date`
  const before = sql`day < ${days.start}::date`
  return sql<SellerRow>`
    select
      ${sql.ref(key)} as seller_id,
      ${sum('raws', now)} as clicks, ${sum('raws', before)} as clicks_before,
      ${sum('sales', now)} as sales, ${sum('sales', before)} as sales_before,
      max(day) filter (where sales > 0) as last_sale_day
    from ${totalsSource(scope, totals, [key, 'day', 'raws', 'sales'])} as totals
    group by ${sql.ref(key)}
  `
}

/** The figures of agents or offices, without what they earned. Who did nothing is left out. */
export async function findSellerFigures(
  tx: Tx,
  soldBy: SoldBy,
  ids: readonly number[],
): Promise<Map<number, SellerFigures>> {
  const { rows } = await sellerRows(soldBy, ids).execute(tx)
  return new Map(
    rows.map(({ seller_id, clicks, sales, clicks_before, sales_before, last_sale_day }) => [
      seller_id,
      {
        clicks,
        sales,
        before: { clicks: clicks_before, sales: sales_before },
        lastSaleDay: last_sale_day,
      },
    ]),
  )
}

/** What a list joins to sort by a figure: `sold`, of the agent or office in `id`. */
export const joinSold = (soldBy: SoldBy, id: RawBuilder<unknown>) =>
  sql`left join (${sellerRows(soldBy)}) as sold on sold.seller_id = ${id}`

/** The figure that a list sorts by. Who did nothing comes first. */
export const soldColumns = {
  clicks: sql`coalesce(sold.clicks, 0)`,
  sales: sql`coalesce(sold.sales, 0)`,
  lastSale: sql`coalesce(sold.last_sale_day, '-infinity')`,
}
