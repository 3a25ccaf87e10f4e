import { isWeeks } from '@tallyroom/domain/periods'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import { columns } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import {
  type AvpStep,
  coarsestLevel,
  conditions,
  isOfTier,
  rateAt,
  tieredDays,
  tieredWeeks,
  type TotalsFilter,
  weekAvpLevel,
} from '../../totals/index.ts'
import { agentsOf, daysOf, keysOf, type RowKey } from './row-keys.ts'
import type { StatsQuestion } from './report-question.ts'

/** What AVP sales pay by the tiers, in minor units; by link type in pesos, under `paid_{id}`. */
export type AvpPay = { paid_centavos: number; paid_cents: number } & Record<
  `paid_${number}`,
  number
>

/** Which AVP sales are to be paid. */
export type PayQuestion = Pick<StatsQuestion, 'range' | 'groupBy' | 'typeIds'> & {
  filter: TotalsFilter
  steps: readonly AvpStep[]
}

/** What the rows of a page pay. */
export async function findPay(
  tx: Tx,
  scope: Scope,
  question: PayQuestion,
  page: readonly RowKey[],
): Promise<(RowKey & AvpPay)[]> {
  if (page.length === 0) return []
  const agentIds = agentsOf(page)
  const { rows } = await payByKey(scope, {
    ...question,
    range: daysOf(page) ?? question.range,
    filter: { ...question.filter, ...(agentIds.length > 0 && { agentIds }) },
  }).execute(tx)
  return rows
}

/** What all sales that the question is about pay. */
export async function findOverallPay(tx: Tx, scope: Scope, question: PayQuestion): Promise<AvpPay> {
  const { rows } = await sql<AvpPay>`
    select ${payColumns(question)} from ${paidSales(scope, question, [])} as paid
  `.execute(tx)
  const [pay] = rows
  if (!pay) throw new Error('a sum without groups always has a row')
  return pay
}

/** What sales pay, by the keys of the question's grouping. Rows without AVP sales are not there. */
export function payByKey(scope: Scope, question: PayQuestion): RawBuilder<RowKey & AvpPay> {
  const keys = keysOf[question.groupBy]
  const groups = columns(keys)
  return sql<RowKey & AvpPay>`
    select ${groups}, ${payColumns(question)}
    from ${paidSales(scope, question, keys)} as paid
    group by ${groups}
  `
}

const payColumns = ({ steps, typeIds }: PayQuestion) => {
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
 * AVP sales by the keys and by the place of the tier that they are paid by. An agent has its tier by the sales
 * of its whole week: of all sites and of every office that it worked for.
 */
function paidSales(
  scope: Scope,
  { range, filter, steps, typeIds }: PayQuestion,
  keys: readonly (keyof RowKey)[],
): RawBuilder<unknown> {
  const byType =
    typeIds.length > 0 ||
    filter.siteId !== undefined ||
    filter.typeId !== undefined ||
    keys.includes('type_id')
  const ofAgents =
    keys.includes('agent_id') || filter.agentIds !== undefined || scope.sees === 'agent'
  const weeks =
    byType || keys.includes('day') || !isWeeks(range)
      ? undefined
      : weekAvpLevel(ofAgents ? ['agent_id', 'office_id'] : ['office_id'])
  const groups = columns([...keys, ...(typeIds.length > 0 ? ['type_id'] : []), 'place'])
  const rows = weeks
    ? tieredWeeks(weeks, range, steps)
    : tieredDays(
        coarsestLevel(byType ? ['agent_id', 'type_id'] : ['agent_id'], 'day'),
        range,
        scope,
        filter,
        steps,
      )
  return sql`(
    select ${groups}, sum(avp_sales)::bigint as avp_sales
    from ${rows} as sales
    where avp_sales <> 0 and ${conditions(scope, filter)} and ${isOfTier(filter.tier)}
    group by ${groups}
  )`
}
