import type { Day } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../access/scope.ts'

/** Which rows a question is about, before the viewer's scope narrows it further. */
export type TotalsFilter = {
  siteId?: number | undefined
  /** Any of these sites. */
  siteIds?: readonly number[] | undefined
  typeId?: number | undefined
  officeId?: number | undefined
  agentIds?: readonly number[] | undefined
  tier?: TierFilter | undefined
}

/** A tier of the AVP schedule that began on a day, with its rates for a sale, in minor units. */
export type AvpStep = {
  index: number
  from: number
  to: number
  payoutCentavos: number
  payoutCents: number
  scheduleFrom: Day
}

/** Only the weeks of agents that are in the tier of this index, whichever schedule is in force. */
export type TierFilter = { index: number; steps: readonly AvpStep[] }

/**
 * The viewer's scope and the filter together: a foreign office or agent simply has no rows. All but the tier,
 * which no row of totals knows.
 */
export function conditions(scope: Scope, filter: TotalsFilter): RawBuilder<unknown> {
  const all = [agentConditions(scope, filter)]
  if (scope.sees === 'office') all.push(sql`office_id = ${scope.officeId}`)
  if (filter.siteId !== undefined) all.push(sql`site_id = ${filter.siteId}`)
  if (filter.siteIds !== undefined) all.push(sql`site_id = any(${filter.siteIds}::integer[])`)
  if (filter.typeId !== undefined) all.push(sql`type_id = ${filter.typeId}`)
  if (filter.officeId !== undefined) all.push(sql`office_id = ${filter.officeId}`)
  return sql.join(all, sql` and `)
}

/** Those of them that are about agents. */
export function agentConditions(scope: Scope, { agentIds }: TotalsFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (scope.sees === 'agent') all.push(sql`agent_id = ${scope.agentId}`)
  if (agentIds !== undefined) all.push(sql`agent_id = any(${agentIds}::integer[])`)
  return sql.join(all, sql` and `)
}
