import { type AdminItem, adminsEndpoints } from '@tallyroom/contract/people/admins'
import { statusLabel } from '@tallyroom/domain/labels'
import { IconLock, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { EditLink } from '../../ui/list/EditLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { textColumn, actionsColumn } from '../../ui/list/plain-columns.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { ShowPasswords } from '../../ui/list/ShowPasswords.tsx'
import { RowMenu } from '../../ui/list/RowMenu.tsx'
import { useWholeList } from '../../ui/export/use-whole-list.ts'
import { StatusNote, StatusWithNotes } from '../../ui/text/StatusNote.tsx'
import { adminActions, askToChangeAdmin, askToRemoveAdmin, refreshAdmins } from './admin-actions.ts'
import { invitationMenu } from '../invitations/invitation-menu.tsx'
import { InvitationNote } from '../invitations/InvitationNote.tsx'
import { endSessionsAction } from '../sessions/end-sessions.ts'
import { passwordColumns } from '../../ui/list/password-columns.tsx'

const route = getRouteApi('/app/admins')

/** The accounts with the role admin. */
export function AdminsPage() {
  const { list, rows, query, csv } = useWholeList(adminsEndpoints.admins, {
    search: route.useSearch(),
    sortField: 'username',
    sortAsc: true,
  })
  const client = useQueryClient()
  const columns = adminColumns(rows, () => refreshAdmins(client))
  return (
    <ListFrame
      name="Admins"
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      empty={
        <EmptyList about="Admins run the network with you: offices, agents, sites and everything they need, but not its settings.">
          <LinkButton to="/app/admins/create" state={FROM_LIST}>
            Add the first admin
          </LinkButton>
        </EmptyList>
      }
      actions={
        <>
          <ShowPasswords of={query} />
          <ExportCsv fileName="admins" columns={columns} {...csv} />
          <LinkButton to="/app/admins/create" state={FROM_LIST}>
            + Add Admin
          </LinkButton>
        </>
      }
    />
  )
}

const adminColumns = (
  rows: readonly AdminItem[] | undefined,
  refresh: () => Promise<unknown>,
): ListColumn<AdminItem>[] => [
  textColumn('username', 'Username', { card: 'title', sortField: 'username', fixed: true }),
  ...passwordColumns(rows, ({ id }) =>
    call(adminsEndpoints.adminPassword, { params: { id: String(id) } }),
  ),
  textColumn('email', 'Email', { card: 'title', sortField: 'email' }),
  {
    id: 'status',
    header: 'Status',
    cell: (admin) => (
      <StatusWithNotes status={admin}>
        {admin.loginBlocked && (
          <StatusNote icon={IconLock} label="Login blocked">
            They can’t sign in until you enable login in the menu
          </StatusNote>
        )}
        <InvitationNote {...admin} />
      </StatusWithNotes>
    ),
    csv: [
      { header: 'Status', value: statusLabel },
      { header: 'Login', value: ({ loginBlocked }) => (loginBlocked ? 'blocked' : 'enabled') },
    ],
  },
  actionsColumn(48, (admin) => (
    <>
      <EditLink
        to="/app/admins/edit/$id"
        params={{ id: String(admin.id) }}
        aria-label={`Edit ${admin.username}`}
      />
      <RowMenu
        of={admin.username}
        actions={[
          ...adminActions.map((action) => ({
            label: action.label,
            icon: action.icon,
            disabled: action.isDone(admin),
            onSelect: () => void askToChangeAdmin(action, admin, refresh),
          })),
          ...invitationMenu(
            admin,
            { kind: 'admin', id: admin.id, username: admin.username },
            refresh,
          ),
          endSessionsAction({ kind: 'admin', id: admin.id, username: admin.username }, refresh),
          {
            label: 'Remove',
            icon: IconTrash,
            danger: true,
            onSelect: () => void askToRemoveAdmin(admin, refresh),
          },
        ]}
      />
    </>
  )),
]
