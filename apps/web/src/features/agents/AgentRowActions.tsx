import type { AgentItem } from '@tallyroom/contract/agents'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { IconLogin2, IconTrash } from '@tabler/icons-react'
import { EditLink } from '../../ui/list/EditLink.tsx'
import { RowActions } from '../../ui/list/RowActions.tsx'
import { RowMenu } from '../../ui/list/RowMenu.tsx'
import { agentActions, type AgentAction } from './agent-actions.ts'

interface AgentRowActionsProps {
  agent: AgentItem
  viewer: AbilityHolder
  onAction: (action: AgentAction) => void
  onDelete: () => void
  /** For superadmins. */
  onSignInAs: () => void
}

export function AgentRowActions({
  agent,
  viewer,
  onAction,
  onDelete,
  onSignInAs,
}: AgentRowActionsProps) {
  const changes = agentActions
    .filter(({ needsHidden }) => !needsHidden || can(viewer, 'hidden.see'))
    .map((action) => ({
      label: action.label,
      icon: action.icon,
      disabled: action.isDone(agent),
      onSelect: () => onAction(action),
    }))
  return (
    <RowActions>
      <EditLink
        to="/app/agents/edit/$agentId"
        params={{ agentId: String(agent.id) }}
        aria-label={`Edit ${agent.username}`}
      />
      <RowMenu
        of={agent.username}
        actions={[
          ...(can(viewer, 'sign-in-as')
            ? [{ label: 'Sign in as', icon: IconLogin2, onSelect: onSignInAs }]
            : []),
          ...changes,
          ...(can(viewer, 'agents.delete')
            ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: onDelete }]
            : []),
        ]}
      />
    </RowActions>
  )
}
