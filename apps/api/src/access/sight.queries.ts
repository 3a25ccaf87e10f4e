import { type RawBuilder, sql } from 'kysely'
import type { Scope } from './scope.ts'
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

/**
 * Whether a row of a table with `office_id` and `agent_id` is in scope. Clicks and events stay with the office that they
 * were made for. @param rows what the table is called in the statement
 */
export function inScope(scope: Scope, rows: 'clicks' | 'event' | 'target'): RawBuilder<unknown> {
  switch (scope.sees) {
    case 'everything':
      return sql`true`
    case 'office':
      return sql`${sql.ref(`${rows}.office_id`)} = ${scope.officeId}`
    case 'agent':
      return sql`${sql.ref(`${rows}.agent_id`)} = ${scope.agentId}`
  }
}

const all = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : sql<boolean>`true`
