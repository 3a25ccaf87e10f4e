import type { AgentItem } from '@tallyroom/contract/agents'
import {
  IconEye,
  IconEyeOff,
  IconLock,
  IconLockOpen,
  IconPlayerPause,
  IconPlayerPlay,
  type Icon,
} from '@tabler/icons-react'
import { type Asked, askToChange } from '../../ui/ask-to-change.ts'
import { askToDelete } from '../../ui/ask-to-delete.ts'
import { deleteAgent, setAgentsStatus, type AgentStatusChange } from './agents.api.ts'

/** What is done to agents, one or many. */
export interface AgentAction {
  label: string
  icon: Icon
  change: AgentStatusChange
  question: string
  /** For selected rows; without it the action is for single ones only. */
  bulkQuestion?: string
  /** The agent is like that already. */
  isDone: (agent: AgentItem) => boolean
  /** Who does not see hidden agents can't make any vanish. */
  needsHidden?: boolean
}

/** In the order of a row's menu. The bulk questions are the specification's, the others follow them. */
export const agentActions: readonly AgentAction[] = [
  {
    label: 'Activate',
    icon: IconPlayerPlay,
    change: { active: true },
    question: 'Are you sure to activate agent?',
    bulkQuestion: 'Are you sure to activate selected agents?',
    // Activating one that is active takes a mark of fraud off.
    isDone: ({ active, fraudFlaggedAt }) => active && fraudFlaggedAt === null,
  },
  {
    label: 'Suspend',
    icon: IconPlayerPause,
    change: { active: false },
    question: 'Are you sure to suspend agent?',
    bulkQuestion: 'Are you sure to suspend selected agents?',
    isDone: ({ active }) => !active,
  },
  {
    label: 'Show',
    icon: IconEye,
    change: { hidden: false },
    question: 'Are you sure to show agent?',
    isDone: ({ hidden }) => !hidden,
    needsHidden: true,
  },
  {
    label: 'Hide',
    icon: IconEyeOff,
    change: { hidden: true },
    question: 'Are you sure to hide agent?',
    isDone: ({ hidden }) => hidden,
    needsHidden: true,
  },
  {
    label: 'Enable login',
    icon: IconLockOpen,
    change: { loginBlocked: false },
    question: 'Are you sure to enable login for agent?',
    bulkQuestion: 'Are you sure to enable login for selected agents?',
    isDone: (agent) => !agent.loginBlocked || isLoginOpen(agent),
  },
  {
    label: 'Disable login',
    icon: IconLock,
    change: { loginBlocked: true },
    question: 'Are you sure to disable login for agent?',
    bulkQuestion: 'Are you sure to disable login for selected agents?',
    isDone: (agent) => agent.loginBlocked && !isLoginOpen(agent),
  },
]

/** Signing in is open for a while in spite of a block. */
export const isLoginOpen = ({ loginOpenUntil }: Pick<AgentItem, 'loginOpenUntil'>) =>
  loginOpenUntil !== null

/** Asks, and does it while the dialog stays. */
export const askToChangeAgents = (
  { change, ...words }: Pick<AgentAction, 'label' | 'change' | 'question'>,
  { ids, ...asked }: Asked & { ids: readonly number[] },
) => askToChange(words, asked, () => setAgentsStatus(ids, change))

export const askToDeleteAgent = ({ id, username }: AgentItem, refresh: () => Promise<unknown>) =>
  askToDelete({
    what: 'Agent',
    name: username,
    question: `Are you sure to delete agent "${username}"? All its statistics and logs are deleted too.`,
    action: async () => {
      await deleteAgent(id)
      await refresh()
    },
  })
