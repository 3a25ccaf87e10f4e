import type { AdminItem } from '@tallyroom/contract/admins'
import { IconLock, IconLockOpen, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { type Asked, askToChange } from '../../ui/ask-to-change.ts'
import { removeAdmin, setAdminStatus } from './admins.api.ts'

/** In the order of a row's menu; each is offered while `isDone` says no. */
export const adminActions = [
  {
    label: 'Activate',
    icon: IconPlayerPlay,
    change: { active: true },
    question: 'Are you sure to activate admin?',
    isDone: ({ active }: AdminItem) => active,
  },
  {
    label: 'Suspend',
    icon: IconPlayerPause,
    change: { active: false },
    question: 'Are you sure to suspend admin? They are signed out at once.',
    isDone: ({ active }: AdminItem) => !active,
  },
  {
    label: 'Enable login',
    icon: IconLockOpen,
    change: { loginBlocked: false },
    question: 'Are you sure to enable login for admin?',
    isDone: ({ loginBlocked }: AdminItem) => !loginBlocked,
  },
  {
    label: 'Disable login',
    icon: IconLock,
    change: { loginBlocked: true },
    question: 'Are you sure to disable login for admin? They are signed out at once.',
    isDone: ({ loginBlocked }: AdminItem) => loginBlocked,
  },
] as const

export const askToChangeAdmin = (
  { change, ...words }: (typeof adminActions)[number],
  { id, username }: AdminItem,
  refresh: Asked['refresh'],
) => askToChange(words, { whose: username, refresh }, () => setAdminStatus(id, change))

export const askToRemoveAdmin = ({ id, username }: AdminItem, refresh: Asked['refresh']) =>
  askToChange(
    {
      label: 'Remove',
      question: `Are you sure to remove admin "${username}"? They are signed out at once, and this can’t be undone. The logs keep what they did.`,
      danger: true,
    },
    { whose: username, refresh },
    () => removeAdmin(id),
  )
