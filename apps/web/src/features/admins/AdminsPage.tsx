import type { AdminItem } from '@tallyroom/contract/admins'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { EditLink } from '../../ui/list/EditLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { ExportCsv, type CsvColumn } from '../../ui/list/ExportCsv.tsx'
import { hasPasswords } from '../../ui/list/has-passwords.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { RowActions } from '../../ui/list/RowActions.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { pageOfWhole, partsOfWhole } from '../../ui/list/whole-list.ts'
import { PasswordText } from '../../ui/PasswordText.tsx'
import { adminPassword, adminsQuery } from './admins.api.ts'

const route = getRouteApi('/app/admins')

/** The accounts with the role Admin. */
export function AdminsPage() {
  const list = useListState(route.useSearch(), { sortField: 'username', sortAsc: true })
  const query = useQuery(adminsQuery(list))
  return (
    <ListFrame
      name="Admins"
      query={pageOfWhole(query, list)}
      list={list}
      columns={hasPasswords(query.data) ? columns : columns.filter(({ id }) => id !== 'password')}
      rowKey={({ id }) => String(id)}
      empty="No data yet"
      actions={
        <>
          <ExportCsv
            fileName="admins"
            columns={csvColumns}
            fetchPage={partsOfWhole(query.data)}
            disabled={!query.data?.length}
          />
          <LinkButton to="/app/admins/create" state={FROM_LIST}>
            + Add Admin
          </LinkButton>
        </>
      }
    />
  )
}

const columns: ListColumn<AdminItem>[] = [
  {
    id: 'username',
    header: 'Username',
    sortField: 'username',
    fixed: true,
    cell: ({ username }) => username,
  },
  {
    id: 'password',
    header: 'Password',
    cell: (admin) => <PasswordText of={admin} reveal={() => adminPassword(admin.id)} />,
  },
  { id: 'email', header: 'Email', sortField: 'email', cell: ({ email }) => email },
  {
    id: 'actions',
    header: 'Actions',
    fixed: true,
    skeletonWidth: 24,
    cell: ({ id, username }) => (
      <RowActions>
        <EditLink
          to="/app/admins/edit/$id"
          params={{ id: String(id) }}
          aria-label={`Edit ${username}`}
        />
      </RowActions>
    ),
  },
]

/** Without passwords: a file of them would lie about in download folders. */
const csvColumns: CsvColumn<AdminItem>[] = [
  { header: 'Username', value: ({ username }) => username },
  { header: 'Email', value: ({ email }) => email },
]
