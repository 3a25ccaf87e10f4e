import { type AdminItem, adminsEndpoints } from '@tallyroom/contract/people/admins'
import { IconLock, IconLockOpen, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { call } from '../../lib/call.ts'
import { refreshOf } from '../../lib/queries.ts'
import { type Asked, askToChange } from '../../ui/dialogs/ask-to-change.ts'

/** In the order of a row's menu. An action is disabled while `isDone` holds. */
export const adminActions = [
  {
    label: 'Activate',
    icon: IconPlayerPlay,
    change: { active: true },
    question: 'Activate this admin?',
    isDone: ({ active }: AdminItem) => active,
  },
  {
    label: 'Suspend',
    icon: IconPlayerPause,
    change: { active: false },
    question: 'Suspend this admin? They are signed out at once.',
    isDone: ({ active }: AdminItem) => !active,
  },
  {
    label: 'Enable login',
    icon: IconLockOpen,
    change: { loginBlocked: false },
    question: 'Enable login for this admin?',
    isDone: ({ loginBlocked }: AdminItem) => !loginBlocked,
  },
  {
    label: 'Disable login',
    icon: IconLock,
    change: { loginBlocked: true },
    question: 'Disable login for this admin? They are signed out at once.',
    isDone: ({ loginBlocked }: AdminItem) => loginBlocked,
  },
] as const

export const askToChangeAdmin = (
  { change, ...words }: (typeof adminActions)[number],
  { id, username }: AdminItem,
  refresh: Asked['refresh'],
) =>
  askToChange(words, { whose: username, refresh }, () =>
    call(adminsEndpoints.adminsStatus, { body: { ids: [id], ...change } }),
  )

export const askToRemoveAdmin = ({ id, username }: AdminItem, refresh: Asked['refresh']) =>
  askToChange(
    {
      label: 'Remove',
      question: `Remove admin "${username}"? They are signed out at once. This can’t be undone. The logs still show what they did.`,
      danger: true,
    },
    { whose: username, refresh },
    () => call(adminsEndpoints.deleteAdmin, { params: { id: String(id) } }),
  )

export const refreshAdmins = refreshOf(adminsEndpoints.admins)
