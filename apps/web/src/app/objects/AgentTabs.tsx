import { Stack } from '@mantine/core'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { useQuery } from '@tanstack/react-query'
import { LoginLogsPage } from '../../desk/login-logs/LoginLogsPage.tsx'
import { OwnSessions } from '../../people/profile/OwnSessions.tsx'
import { AgentSitesPage } from '../../people/site-list/AgentSitesPage.tsx'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { SiteLink } from '../../shared/SiteLink.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { StatusText } from '../../ui/text/StatusText.tsx'

/** The sites that an agent may sell. */
export function AgentSitesTab() {
  return useMe().role === 'agent' ? <OwnSites /> : <AgentSitesPage />
}

/** Who signed in as an agent. Agents also see where they are signed in now. */
export function AgentSignInsTab() {
  if (useMe().role !== 'agent') return <LoginLogsPage />
  return (
    <Stack align="flex-start">
      <LinkButton to="/app/profile" variant="default" size="xs">
        Change password
      </LinkButton>
      <OwnSessions />
    </Stack>
  )
}

function OwnSites() {
  const query = useQuery(queryOf(sitesEndpoints.sites, { query: { withSuspended: '1' } }))
  return (
    <DataTable
      caption="Sites"
      rows={query.data}
      rowKey={({ id }) => String(id)}
      columns={[
        {
          id: 'sitename',
          header: 'Site Name',
          card: 'title',
          fixed: true,
          cell: ({ id, sitename }) => <SiteLink id={id}>{sitename}</SiteLink>,
        },
        {
          id: 'status',
          header: 'Status',
          cell: ({ active }) => <StatusText status={{ active, hidden: false }} />,
        },
      ]}
      empty={
        <EmptyList
          text="No sites yet"
          about="The sites that you sell appear here once your office has enabled them."
        />
      }
      failure={query}
    />
  )
}
