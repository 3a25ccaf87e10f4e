import { type RawBuilder, sql } from 'kysely'
import type { Sight } from './sight.ts'

/** Whether a row of `offices as office` is visible. */
export function officeSeen({ scope, withHidden, withSuspended }: Sight): RawBuilder<boolean> {
  const conditions: RawBuilder<unknown>[] = []
  if (scope.sees !== 'everything') conditions.push(sql`office.id = ${scope.officeId}`)
  if (!withHidden) conditions.push(sql`not office.hidden`)
  if (!withSuspended) conditions.push(sql`office.active`)
  return all(conditions)
}

/** Whether a row of `agents as agent` is visible. */
export function agentSeen({ scope, withHidden, withSuspended }: Sight): RawBuilder<boolean> {
  const conditions: RawBuilder<unknown>[] = []
  if (scope.sees !== 'everything') conditions.push(sql`agent.office_id = ${scope.officeId}`)
  if (scope.sees === 'agent') conditions.push(sql`agent.id = ${scope.agentId}`)
  if (!withHidden) conditions.push(sql`not agent.hidden`)
  if (!withSuspended) conditions.push(sql`agent.active`)
  return all(conditions)
}

const all = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : sql<boolean>`true`
