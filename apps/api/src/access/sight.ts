import { can } from '@tallyroom/domain/abilities'
import { type Scope, scopeOf } from './scope.ts'
import type { Viewer } from './viewer.ts'

/**
 * Which offices and agents a viewer's lists, forms and actions know of: those in scope, and of these the
 * hidden and the suspended ones only when the viewer may see such. What is out of sight does not exist.
 */
export type Sight = { scope: Scope; withHidden: boolean; withSuspended: boolean }

export const sightOf = (viewer: Viewer): Sight => ({
  scope: scopeOf(viewer),
  withHidden: can(viewer, 'hidden.see'),
  withSuspended: can(viewer, 'suspended.see'),
})

/** Whether an agent that is in memory already is in sight; lists ask the database by `agentSeen`. */
export function seesAgent(
  { scope, withHidden, withSuspended }: Sight,
  agent: { id: number; officeId: number; active: boolean; hidden: boolean },
): boolean {
  if (scope.sees !== 'everything' && scope.officeId !== agent.officeId) return false
  if (scope.sees === 'agent' && scope.agentId !== agent.id) return false
  return (withHidden || !agent.hidden) && (withSuspended || agent.active)
}
