import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { Button } from '@mantine/core'
import { can } from '@tallyroom/domain/abilities'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMe } from '../../lib/session.ts'
import { useEnterAs } from '../../lib/forms/use-enter-as.ts'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { ShowPasswords } from '../../ui/list/ShowPasswords.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { askToChangeOffices, bulkOfficeActions } from './office-actions.ts'
import { officeColumns } from './office-columns.tsx'
import { refreshOffices } from './offices.api.ts'
import { useFilters } from '../../ui/filters/use-filters.ts'
import { contains } from '../../lib/criteria.ts'

const route = getRouteApi('/app/offices/offices')

/** All offices. */
export function OfficesPage() {
  const me = useMe()
  const search = route.useSearch()
  const { username } = search
  const { list, query, filters, csv } = usePagedList(officesEndpoints.searchOffices, {
    search,
    sortField: username ? 'match' : 'officeName',
    sortAsc: true,
    asked: { criteria: contains('text', username) },
  })
  const { field, row } = useFilters({ applied: { username }, ...filters })
  const client = useQueryClient()
  const refresh = () => refreshOffices(client)
  const enterAs = useEnterAs()

  const columns = officeColumns({
    rows: query.data?.items,
    onAction: (action, { companyId, officeName }) =>
      void askToChangeOffices(action, { ids: [companyId], whose: officeName, refresh }),
    onSignInAs: can(me, 'sign-in-as') ? ({ companyId }) => enterAs({ companyId }) : undefined,
  })
  const addButton = (label: string) =>
    can(me, 'offices.create') && (
      <LinkButton to="/app/offices/create" state={FROM_LIST}>
        {label}
      </LinkButton>
    )
  return (
    <ListFrame
      name="Offices"
      query={query}
      list={list}
      columns={columns}
      rowKey={({ companyId }) => String(companyId)}
      empty={
        <EmptyList
          text={username && 'No offices match'}
          about="An office has agents who send visitors to your sites, and is paid for what they sell."
          onClear={username ? list.clear : undefined}
        >
          {addButton('Add the first office')}
        </EmptyList>
      }
      criteria={
        <CriteriaRow {...row}>
          <TextFilter label="Name or email" maxLength={100} {...field('username')} />
        </CriteriaRow>
      }
      summary={<TimeZoneNote />}
      actions={
        <>
          <ShowPasswords of={query} />
          <ExportCsv fileName="offices" columns={columns} {...csv} />
          {addButton('+ Add Office')}
        </>
      }
      bulkActions={(keys, done) =>
        bulkOfficeActions.map((action) => (
          <Button
            key={action.label}
            variant="default"
            size="compact-sm"
            onClick={() =>
              void askToChangeOffices(action, {
                ids: keys.map(Number),
                whose: keys.length === 1 ? '1 office' : `${keys.length} offices`,
                refresh,
                onDone: done,
              })
            }
          >
            {action.label}
          </Button>
        ))
      }
    />
  )
}
