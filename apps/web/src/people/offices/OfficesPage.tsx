import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { Button } from '@mantine/core'
import { can } from '@tallyroom/domain/abilities'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMe } from '../../lib/session.ts'
import { useEnterAs } from '../../lib/forms/use-enter-as.ts'
import type { ColumnSet } from '../../shared/sellers/column-set.ts'
import { BesideSwitch, ColumnSets, useColumnSet } from '../../shared/sellers/column-sets.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { ShowPasswords } from '../../ui/list/ShowPasswords.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import { askToChangeOffices, bulkOfficeActions } from './office-actions.ts'
import { officeColumns, sellersAmong } from './office-columns.tsx'
import { refreshOffices } from './offices.api.ts'
import { useFilters } from '../../ui/filters/use-filters.ts'
import { contains } from '../../lib/criteria.ts'

const route = getRouteApi('/app/offices/offices')

/** All offices. */
export function OfficesPage() {
  const me = useMe()
  const search = route.useSearch()
  const { username, show } = search
  const { set, remember } = useColumnSet('offices', search)
  const ofSellers = set === 'sellers'
  const { list, query, filters, csv } = usePagedList(officesEndpoints.searchOffices, {
    search,
    ...(username
      ? { sortField: 'match', sortAsc: true }
      : ofSellers
        ? { sortField: 'sales', sortAsc: false }
        : { sortField: 'officeName', sortAsc: true }),
    asked: { figures: ofSellers, criteria: contains('text', username) },
  })
  const clear = () => list.search({ show })
  const switching = {
    set,
    onChange: (next: ColumnSet) => {
      remember(next)
      list.search({ username, show: next, sortField: undefined, sortAsc: undefined })
    },
  }
  const { field, row } = useFilters({
    applied: { username },
    onSearch: (next) => filters.onSearch({ ...next, show }),
    onClear: clear,
  })
  const client = useQueryClient()
  const refresh = () => refreshOffices(client)
  const enterAs = useEnterAs()

  const days = query.data?.figuresOf
  const accountColumns = officeColumns({
    rows: query.data?.items,
    onAction: (action, { companyId, officeName }) =>
      void askToChangeOffices(action, { ids: [companyId], whose: officeName, refresh }),
    onSignInAs: can(me, 'sign-in-as') ? ({ companyId }) => enterAs({ companyId }) : undefined,
    refresh,
  })
  const columns = ofSellers ? sellersAmong(accountColumns, days) : accountColumns
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
          onClear={username ? clear : undefined}
        >
          {addButton('Add the first office')}
        </EmptyList>
      }
      criteria={
        <BesideSwitch {...switching}>
          <CriteriaRow {...row}>
            <TextFilter label="Name or email" maxLength={100} {...field('username')} />
          </CriteriaRow>
        </BesideSwitch>
      }
      summary={<ColumnSets {...switching} days={days} />}
      actions={
        <>
          {!ofSellers && <ShowPasswords of={query} />}
          <ExportCsv
            fileName={ofSellers ? 'offices-sellers' : 'offices'}
            columns={columns}
            {...csv}
          />
          {can(me, 'offices.create') && (
            <LinkButton to="/app/offices/import" variant="default">
              Import
            </LinkButton>
          )}
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
