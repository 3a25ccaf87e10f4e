import { can } from '@tallyroom/domain/abilities'
import { type Scope, scopeOf } from './scope.ts'
import type { Viewer } from './viewer.ts'

/**
 * The offices and agents that a viewer's lists, forms and actions can see: those in scope, with hidden and
 * suspended ones only if the viewer may see them. Anything else is treated as nonexistent.
 */
export type Sight = { scope: Scope; withHidden: boolean; withSuspended: boolean }

export const sightOf = (viewer: Viewer): Sight => ({
  scope: scopeOf(viewer),
  withHidden: can(viewer, 'hidden.see'),
  withSuspended: can(viewer, 'suspended.see'),
})

/** Whether an agent that is already loaded is visible. Lists use `agentSeen` in SQL instead. */
export function seesAgent(
  { scope, withHidden, withSuspended }: Sight,
  agent: { id: number; officeId: number; active: boolean; hidden: boolean },
): boolean {
  if (scope.sees !== 'everything' && scope.officeId !== agent.officeId) return false
  if (scope.sees === 'agent' && scope.agentId !== agent.id) return false
  return (withHidden || !agent.hidden) && (withSuspended || agent.active)
}
