import { type OfficeItem, officesEndpoints } from '@tallyroom/contract/people/offices'
import {
  IconEye,
  IconEyeOff,
  IconLogin2,
  IconPlayerPause,
  IconPlayerPlay,
  type Icon,
} from '@tabler/icons-react'
import { call } from '../../lib/call.ts'
import { type Asked, askToChange } from '../../ui/dialogs/ask-to-change.ts'
import type { Consequence } from '../../ui/dialogs/consequences.ts'
import type { MenuAction } from '../../ui/list/RowMenu.tsx'
import { invitationMenu, type Invited } from '../invitations/invitation-menu.tsx'
import { endSessionsAction } from '../sessions/end-sessions.ts'
import { type OfficeStatusChange } from './offices.api.ts'

/** A change of status for an office and all its agents. */
export interface OfficeAction {
  label: string
  icon: Icon
  change: OfficeStatusChange
  question: string
  consequence?: Consequence
  /** The office already has this status. */
  isDone: (office: Pick<OfficeItem, 'active' | 'hidden'>) => boolean
}

/** In the order of a row's menu. */
const officeActions: readonly OfficeAction[] = [
  {
    label: 'Activate',
    icon: IconPlayerPlay,
    change: { active: true },
    question: 'Activate this office and all its agents?',
    isDone: ({ active }) => active,
  },
  {
    label: 'Suspend',
    icon: IconPlayerPause,
    change: { active: false },
    question: 'Are you sure to suspend office and all agents?',
    consequence: 'office suspended',
    isDone: ({ active }) => !active,
  },
  {
    label: 'Show',
    icon: IconEye,
    change: { hidden: false },
    question: 'Are you sure to show office and all agents?',
    isDone: ({ hidden }) => !hidden,
  },
  {
    label: 'Hide',
    icon: IconEyeOff,
    change: { hidden: true },
    question: 'Are you sure to hide office and all agents?',
    isDone: ({ hidden }) => hidden,
  },
]

interface OfficeMenuInput {
  onAction: (action: OfficeAction) => void
  /** Undefined for viewers who may not. */
  onSignInAs: (() => void) | undefined
  refresh: () => Promise<unknown>
}

/** The actions that the viewer may take, for the menu of a row or of the office's page. */
export const officeMenu = (
  office: Pick<OfficeItem, 'companyId' | 'username' | 'active' | 'hidden'> & Invited,
  { onAction, onSignInAs, refresh }: OfficeMenuInput,
): MenuAction[] => [
  ...(onSignInAs ? [{ label: 'Sign in as', icon: IconLogin2, onSelect: onSignInAs }] : []),
  ...invitationMenu(
    office,
    { kind: 'office', id: office.companyId, username: office.username },
    refresh,
  ),
  endSessionsAction({ kind: 'office', id: office.companyId, username: office.username }, refresh),
  ...officeActions.map((action) => ({
    label: action.label,
    icon: action.icon,
    disabled: action.isDone(office),
    onSelect: () => onAction(action),
  })),
]

/** For selected rows. The specification gives the questions. */
export const bulkOfficeActions = [
  {
    label: 'Activate',
    change: { active: true },
    question: 'Are you sure to activate selected offices and all they agents?',
  },
  {
    label: 'Suspend',
    change: { active: false },
    question: 'Are you sure to suspend selected offices and all they agents?',
    consequence: 'office suspended',
  },
] as const

/** Asks for confirmation. The dialog stays open while the change is made. */
export const askToChangeOffices = (
  { change, ...words }: Pick<OfficeAction, 'label' | 'change' | 'question' | 'consequence'>,
  { ids, ...asked }: Asked & { ids: readonly number[] },
) =>
  askToChange(words, asked, () =>
    call(officesEndpoints.officesStatus, { body: { ids: [...ids], ...change } }),
  )
