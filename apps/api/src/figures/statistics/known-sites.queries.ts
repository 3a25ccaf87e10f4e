import { sql } from 'kysely'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { totalsSource, type TotalsQuestion } from '../../totals/index.ts'

/** A site that the viewer sells or ever sold, with all its link types, deleted ones included. */
export async function findChosenSite(tx: Tx, scope: Scope, siteId: number) {
  const rows = await sitesKnownTo(tx, scope)
    .leftJoin('link_types as type', 'type.site_id', 'site.id')
    .select(['site.use_approve_sale', 'type.id', 'type.typename', 'type.bonus', 'type.deleted_at'])
    .where('site.id', '=', siteId)
    .orderBy('type.typename')
    .orderBy('type.id')
    .execute()
  const [site] = rows
  if (!site) return undefined
  const types = rows.flatMap(({ id, typename, bonus, deleted_at }) =>
    id === null || typename === null || bonus === null ? [] : [{ id, typename, bonus, deleted_at }],
  )
  return { useApproveSale: site.use_approve_sale, types }
}

/** Which of these link types have any totals that a question covers. */
export async function findTypesWithTotals(
  tx: Tx,
  scope: Scope,
  question: Pick<TotalsQuestion, 'range' | 'filter' | 'today' | 'openDay'>,
  typeIds: readonly number[],
): Promise<number[]> {
  const totals = { ...question, dimensions: ['type_id'], byDay: false } as const
  const { rows } = await sql<{ type_id: number }>`
    select distinct type_id
    from ${totalsSource(scope, totals, ['type_id'])} as totals
    where type_id = any(${typeIds}::integer[])
  `.execute(tx)
  return rows.map((row) => row.type_id)
}

/** Which of these sites the viewer sells or ever sold. */
export async function findKnownSiteIds(
  tx: Tx,
  scope: Scope,
  siteIds: readonly number[],
): Promise<number[]> {
  const sites = await sitesKnownTo(tx, scope)
    .select('site.id')
    .where('site.id', 'in', siteIds)
    .execute()
  return sites.map(({ id }) => id)
}

function sitesKnownTo(tx: Tx, scope: Scope) {
  const sites = tx.selectFrom('sites as site')
  if (scope.sees === 'everything') return sites
  return sites.where(({ or, exists, selectFrom }) => {
    const ofViewer =
      scope.sees === 'agent'
        ? sql<boolean>`agent_id = ${scope.agentId}`
        : sql<boolean>`office_id = ${scope.officeId}`
    const by = scope.sees === 'agent' ? 'agent' : 'office'
    const soldIn = (unit: 'month' | 'day') =>
      selectFrom(`totals_${unit}_${by}_type`)
        .select('site_id')
        .where(ofViewer)
        .whereRef('site_id', '=', 'site.id')
    // Months leave out the open day.
    const soldNow = soldIn('day').where('day', '=', selectFrom('totals_open_day').select('day'))
    const sells = selectFrom('office_sites')
      .select('site_id')
      .where('office_id', '=', scope.officeId)
      .whereRef('site_id', '=', 'site.id')
    return or([exists(sells), exists(soldIn('month')), exists(soldNow)])
  })
}
