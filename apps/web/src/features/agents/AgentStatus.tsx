import type { AgentItem } from '@tallyroom/contract/agents'
import { formatDateTime } from '@tallyroom/domain/new-york'
import {
  IconAlertTriangle,
  IconClock,
  IconLock,
  IconLockOpen,
  type Icon,
} from '@tabler/icons-react'
import { StatusText } from '../../ui/StatusText.tsx'
import { isLoginOpen } from './agent-actions.ts'
import classes from './AgentStatus.module.css'
import { Tooltip } from '../../ui/floating/Tooltip.tsx'

/** The status of an agent, and what else keeps it from signing in. */
export function AgentStatus({ agent }: { agent: AgentItem }) {
  return (
    <span className={classes.status}>
      <StatusText status={agent} />
      {!agent.approved && (
        <Note icon={IconClock} label="Unapproved">
          It can’t sign in, and its links don’t work, until it is approved
        </Note>
      )}
      {agent.fraudFlaggedAt && (
        <Note icon={IconAlertTriangle} label="Fraud">
          {`A merchant reported one of their sales as fraud on ${formatDateTime(new Date(agent.fraudFlaggedAt))}. Activate the agent to lift this`}
        </Note>
      )}
      {agent.loginBlocked &&
        (isLoginOpen(agent) ? (
          <Note icon={IconLockOpen} label="Login blocked from 01:00">
            Login is enabled up to 01:00 New York time
          </Note>
        ) : (
          <Note icon={IconLock} label="Login blocked">
            Login is disabled. Once enabled in the menu, login is enabled up to 01:00 New York time
          </Note>
        ))}
    </span>
  )
}

interface NoteProps {
  icon: Icon
  label: string
  /** The tooltip. */
  children: string
}

const Note = ({ icon: NoteIcon, label, children }: NoteProps) => (
  <Tooltip label={children} multiline maw={260} withArrow>
    {/* Reached by keyboard: the tooltip says more than the label. */}
    <span className={classes.note} tabIndex={0}>
      <NoteIcon size={14} stroke={1.8} aria-hidden />
      {label}
    </span>
  </Tooltip>
)
