import { Code, Group, Stack } from '@mantine/core'
import { invitationsEndpoints } from '@tallyroom/contract/people/invitations'
import type { AgentItem } from '@tallyroom/contract/people/agents'
import { IconLink, IconMailForward, IconMailOff } from '@tabler/icons-react'
import { call } from '../../lib/call.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { alert, confirm } from '../../ui/dialogs/dialogs.tsx'
import type { MenuAction } from '../../ui/list/RowMenu.tsx'
import { toast } from '../../ui/toasts.tsx'

/** How an invitation stands. A page that does not know of it offers nothing about it. */
export type Invited = Partial<Pick<AgentItem, 'invitedAt' | 'invitationEndsAt'>>

/** Whose invitation it is. */
export interface Whose {
  kind: 'agent' | 'office' | 'admin'
  id: number
  username: string
}

const endpointsOf = {
  agent: {
    mail: invitationsEndpoints.inviteAgent,
    link: invitationsEndpoints.makeAgentInvitationLink,
    withdraw: invitationsEndpoints.withdrawAgentInvitation,
  },
  office: {
    mail: invitationsEndpoints.inviteOffice,
    link: invitationsEndpoints.makeOfficeInvitationLink,
    withdraw: invitationsEndpoints.withdrawOfficeInvitation,
  },
  admin: {
    mail: invitationsEndpoints.inviteAdmin,
    link: invitationsEndpoints.makeAdminInvitationLink,
    withdraw: invitationsEndpoints.withdrawAdminInvitation,
  },
}

/** What can be done about the invitation of an account that has no password yet. */
export function invitationMenu(
  { invitedAt, invitationEndsAt }: Invited,
  whose: Whose,
  refresh: () => Promise<unknown>,
): MenuAction[] {
  if (!invitedAt) return []
  const { mail, withdraw } = endpointsOf[whose.kind]
  const params = { id: String(whose.id) }
  const ask = (
    words: { label: string; question: string },
    done: string,
    act: () => Promise<unknown>,
  ) =>
    void confirm({
      heading: `${words.label}: ${whose.username}`,
      body: words.question,
      confirmLabel: words.label,
      action: async () => {
        await act()
        await refresh()
        toast({ kind: 'success', heading: 'Success', body: done })
      },
    })
  return [
    {
      label: 'Send invitation again',
      icon: IconMailForward,
      onSelect: () =>
        ask(
          {
            label: 'Send',
            question:
              'A new link is mailed to them, valid for seven days. Earlier links stop working.',
          },
          'The invitation was sent.',
          () => call(mail, { params }),
        ),
    },
    {
      label: 'Copy invitation link',
      icon: IconLink,
      onSelect: () => void showInvitationLink(whose, refresh),
    },
    {
      label: 'Withdraw invitation',
      icon: IconMailOff,
      disabled: !invitationEndsAt,
      onSelect: () =>
        ask(
          {
            label: 'Withdraw',
            question: 'Their link stops working. The account stays, and nobody can sign in to it.',
          },
          'The invitation was withdrawn.',
          () => call(withdraw, { params }),
        ),
    },
  ]
}

/** Makes a link and shows it, which is the only time: the server keeps none. Says so if none was made. */
export async function showInvitationLink(whose: Whose, refresh: () => Promise<unknown>) {
  const link = await makeLink(whose)
  if (link === undefined) return
  await alert({
    heading: `Invitation of ${whose.username}`,
    body: (
      <Stack gap="sm">
        Give them this link. Whoever opens it chooses the password of {whose.username}: it works
        once, within seven days, and is not shown again. Earlier links have stopped working.
        <Group gap="xs" wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{link}</Code>
          <CopyButton value={link} what="invitation link" />
        </Group>
      </Stack>
    ),
  })
  await refresh()
}

async function makeLink({ kind, id }: Whose): Promise<string | undefined> {
  try {
    return (await call(endpointsOf[kind].link, { params: { id: String(id) } })).link
  } catch (error) {
    const body = error instanceof Error ? error.message : 'Copy the invitation link in the menu.'
    toast({ kind: 'error', heading: 'No link was made', body })
    return undefined
  }
}
