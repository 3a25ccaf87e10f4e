import {
  type AgentItem,
  agentsEndpoints,
  type TypedToDelete,
} from '@tallyroom/contract/people/agents'
import { type Ability, type AbilityHolder, can } from '@tallyroom/domain/abilities'
import { toMinorUnits } from '@tallyroom/domain/money'
import {
  IconEye,
  IconEyeOff,
  IconFlagOff,
  IconLock,
  IconLockOpen,
  IconLogin2,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import { createElement, lazy, type ReactNode } from 'react'
import { call } from '../../lib/call.ts'
import { isApiError } from '../../lib/api-error.ts'
import { type Asked, askToChange } from '../../ui/dialogs/ask-to-change.ts'
import { askToDelete } from '../../ui/dialogs/ask-to-delete.ts'
import type { Consequence } from '../../ui/dialogs/consequences.ts'
import type { MenuAction } from '../../ui/list/RowMenu.tsx'
import { invitationMenu, type Invited } from '../invitations/invitation-menu.tsx'
import { endSessionsAction } from '../sessions/end-sessions.ts'
import { deleteAgent, type AgentStatusChange } from './agents.api.ts'

const UnpaidQuestion = lazy(() => import('./UnpaidQuestion.tsx'))

/** What the actions need to know about an agent: a row of the list, or the agent's page. */
export type ActedAgent = Pick<
  AgentItem,
  'id' | 'username' | 'active' | 'hidden' | 'loginBlocked' | 'loginOpenUntil' | 'fraudFlaggedAt'
> &
  Invited

/** A change of status, for one agent or many. */
export interface AgentAction {
  label: string
  icon: Icon
  change: AgentStatusChange
  question: string
  consequence?: Consequence
  /** Asked for selected rows. Without it, the action is not offered in bulk. */
  bulkQuestion?: string
  /** The agent already has this status. */
  isDone: (agent: ActedAgent) => boolean
  /** Only for viewers with this ability. */
  needs?: Ability
}

/** In the order of a row's menu. The specification gives the bulk questions. */
export const agentActions: readonly AgentAction[] = [
  {
    label: 'Activate',
    icon: IconPlayerPlay,
    change: { active: true },
    question: 'Activate this agent?',
    bulkQuestion: 'Are you sure to activate selected agents?',
    isDone: ({ active }) => active,
  },
  {
    label: 'Suspend',
    icon: IconPlayerPause,
    change: { active: false },
    question: 'Suspend this agent?',
    consequence: 'agent suspended',
    bulkQuestion: 'Are you sure to suspend selected agents?',
    isDone: ({ active }) => !active,
  },
  {
    label: 'Show',
    icon: IconEye,
    change: { hidden: false },
    question: 'Show this agent?',
    isDone: ({ hidden }) => !hidden,
    needs: 'hidden.see',
  },
  {
    label: 'Hide',
    icon: IconEyeOff,
    change: { hidden: true },
    question: 'Hide this agent?',
    isDone: ({ hidden }) => hidden,
    needs: 'hidden.see',
  },
  {
    label: 'Enable login',
    icon: IconLockOpen,
    change: { loginBlocked: false },
    question: 'Enable login for this agent?',
    bulkQuestion: 'Are you sure to enable login for selected agents?',
    isDone: (agent) => !agent.loginBlocked || isLoginOpen(agent),
  },
  {
    label: 'Disable login',
    icon: IconLock,
    change: { loginBlocked: true },
    question: 'Disable login for this agent?',
    consequence: 'agent login disabled',
    bulkQuestion: 'Are you sure to disable login for selected agents?',
    isDone: (agent) => agent.loginBlocked && !isLoginOpen(agent),
  },
  {
    label: 'Clear fraud flag',
    icon: IconFlagOff,
    change: { fraudFlagged: false },
    question: 'Is the merchant’s report of fraud settled?',
    consequence: 'fraud flag cleared',
    isDone: ({ fraudFlaggedAt }) => fraudFlaggedAt === null,
    needs: 'agents.clear-fraud',
  },
]

/** Login is blocked, but temporarily enabled. */
export const isLoginOpen = ({ loginOpenUntil }: Pick<AgentItem, 'loginOpenUntil'>) =>
  loginOpenUntil !== null

/** Asks for confirmation. The dialog stays open while the change is made. */
export const askToChangeAgents = (
  { change, ...words }: Pick<AgentAction, 'label' | 'change' | 'question' | 'consequence'>,
  { ids, ...asked }: Asked & { ids: readonly number[] },
) =>
  askToChange(words, asked, () =>
    call(agentsEndpoints.agentsStatus, { body: { ids: [...ids], ...change } }),
  )

/** Asks again if the agent has unpaid money or owes of an advance. The amounts must then be typed. */
export function askToDeleteAgent(
  { id, username }: ActedAgent,
  refresh: () => Promise<unknown>,
  onDeleted?: () => void,
) {
  const question = `Delete agent "${username}"? All their statistics and logs are deleted too.`
  const ask = (
    about: ReactNode,
    typed: Partial<Record<keyof TypedToDelete, string>>,
  ): Parameters<typeof askToDelete>[0] => ({
    what: 'Agent',
    name: username,
    question: about,
    action: async () => {
      await deleteAgent(id, inMinorUnits(typed))
      await refresh()
    },
    askAgain: (error) => {
      const problems = isApiError(error) ? error.data : {}
      const next = { ...typed }
      const losses = LOSS_FIELDS.flatMap((field) => {
        const [text] = problems[field] ?? []
        if (text === undefined) return []
        const isWrong = typed[field] !== undefined
        next[field] = ''
        return [{ field, text, isWrong, onType: (amount: string) => (next[field] = amount) }]
      })
      return losses.length === 0 ? undefined : ask(createElement(UnpaidQuestion, { losses }), next)
    },
    ...(onDeleted && { onDeleted }),
  })
  return askToDelete(ask(question, {}))
}

/** What is lost with an agent, in the order in which it is asked about. */
const LOSS_FIELDS = ['unpaidCentavos', 'unpaidCents', 'owedCentavos', 'owedCents'] as const

/** `₱1,234.50` in minor units; 0, which is refused, for anything else. */
const inMinorUnits = (typed: Partial<Record<keyof TypedToDelete, string>>) =>
  Object.fromEntries(
    Object.entries(typed).map(([field, text]) => [
      field,
      String(toMinorUnits(text.replaceAll(/[₱$,\s]/g, '')) ?? 0),
    ]),
  )

interface AgentMenuInput {
  viewer: AbilityHolder
  onAction: (action: AgentAction) => void
  onDelete: () => void
  /** Offered to superadmins only. */
  onSignInAs: () => void
  refresh: () => Promise<unknown>
}

/** The actions that the viewer may take and that change something, for the menu of a row or of the agent's page. */
export const agentMenu = (
  agent: ActedAgent,
  { viewer, onAction, onDelete, onSignInAs, refresh }: AgentMenuInput,
): MenuAction[] => [
  ...(can(viewer, 'sign-in-as')
    ? [{ label: 'Sign in as', icon: IconLogin2, onSelect: onSignInAs }]
    : []),
  ...agentActions
    .filter(({ needs, isDone }) => (!needs || can(viewer, needs)) && !isDone(agent))
    .map((action) => ({
      label: action.label,
      icon: action.icon,
      onSelect: () => onAction(action),
    })),
  endSessionsAction({ kind: 'agent', id: agent.id, username: agent.username }, refresh),
  ...invitationMenu(agent, { kind: 'agent', id: agent.id, username: agent.username }, refresh),
  ...(can(viewer, 'agents.delete')
    ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: onDelete }]
    : []),
]
