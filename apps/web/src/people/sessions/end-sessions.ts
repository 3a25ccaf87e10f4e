import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { IconLogout } from '@tabler/icons-react'
import { call } from '../../lib/call.ts'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'
import type { MenuAction } from '../../ui/list/RowMenu.tsx'

const endpointsOf = {
  admin: adminsEndpoints.endAdminSessions,
  agent: agentsEndpoints.endAgentSessions,
  office: officesEndpoints.endOfficeSessions,
}

/** Ends all sessions of an account, once it is confirmed. */
export const endSessionsAction = (
  { kind, id, username }: { kind: keyof typeof endpointsOf; id: number; username: string },
  refresh: () => Promise<unknown>,
): MenuAction => ({
  label: 'End sessions',
  icon: IconLogout,
  onSelect: () =>
    void askToChange(
      {
        label: 'End sessions',
        question:
          'They are signed out at once, in every browser, and told so if they were signed in. Their password stays as it is, and their API tokens go on.',
      },
      { whose: username, refresh },
      () => call(endpointsOf[kind], { params: { id: String(id) } }),
    ),
})
