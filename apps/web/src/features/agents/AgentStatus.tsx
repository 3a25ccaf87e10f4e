import type { AgentItem } from '@tallyroom/contract/agents'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { IconAlertTriangle, IconClock, IconLock, IconLockOpen } from '@tabler/icons-react'
import { StatusNote, StatusWithNotes } from '../../ui/StatusNote.tsx'
import { isLoginOpen } from './agent-actions.ts'

/** The status of an agent, and what else keeps it from signing in. */
export function AgentStatus({ agent }: { agent: AgentItem }) {
  return (
    <StatusWithNotes status={agent}>
      {!agent.approved && (
        <StatusNote icon={IconClock} label="Unapproved">
          It can’t sign in, and its links don’t work, until it is approved
        </StatusNote>
      )}
      {agent.fraudFlaggedAt && (
        <StatusNote icon={IconAlertTriangle} label="Fraud">
          {`A merchant reported one of their sales as fraud on ${formatDateTime(new Date(agent.fraudFlaggedAt))}. Activate the agent to lift this`}
        </StatusNote>
      )}
      {agent.loginBlocked &&
        (isLoginOpen(agent) ? (
          <StatusNote icon={IconLockOpen} label="Login blocked from 01:00">
            Login is enabled up to 01:00 New York time
          </StatusNote>
        ) : (
          <StatusNote icon={IconLock} label="Login blocked">
            Login is disabled. Once enabled in the menu, login is enabled up to 01:00 New York time
          </StatusNote>
        ))}
    </StatusWithNotes>
  )
}
