import { can } from '@tallyroom/domain/abilities'
import type { Viewer } from '../../access/viewer.ts'
import { forbidden } from '../../errors.ts'

/**
 * Activating an agent clears a fraud flag. An office may activate its agents, but not if they are flagged: it
 * earns from their sales and would judge itself.
 */
export function refuseClearing(
  viewer: Viewer,
  agents: readonly { fraud_flagged_at: Date | null }[],
): void {
  if (can(viewer, 'agents.clear-fraud')) return
  if (agents.some(({ fraud_flagged_at }) => fraud_flagged_at !== null)) {
    throw forbidden(
      'A merchant has reported a sale of this agent as fraud. Only an admin can activate them.',
    )
  }
}
