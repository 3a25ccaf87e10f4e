import { IconMail } from '@tabler/icons-react'
import { nowMs } from '../../lib/clock.ts'
import { recentText } from '../../lib/instant-text.ts'
import { StatusNote } from '../../ui/text/StatusNote.tsx'
import type { Invited } from './invitation-menu.tsx'

/** That an account has no password yet, and whether its holder can choose one; nothing once it has. */
export function InvitationNote({ invitedAt, invitationEndsAt }: Invited) {
  if (!invitedAt) return null
  const isOpen = invitationEndsAt && nowMs() < Date.parse(invitationEndsAt)
  return isOpen ? (
    <StatusNote icon={IconMail} label={`Invited ${recentText(Date.parse(invitedAt), nowMs())}`}>
      They have not chosen a password yet. Send the invitation again or copy its link in the menu
    </StatusNote>
  ) : (
    <StatusNote icon={IconMail} label={invitationEndsAt ? 'Invitation expired' : 'Not invited'}>
      They have no password, and no link to choose one. Send an invitation or copy its link in the
      menu
    </StatusNote>
  )
}
