import { loginLogsEndpoints } from '@tallyroom/contract/desk/login-logs'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBrand } from '../../lib/brand.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { useMe } from '../../lib/session.ts'
import { OfficeAgentFields } from '../../shared/pickers/OfficeAgentFields.tsx'
import { PeriodFields } from '../../shared/pickers/PeriodFields.tsx'
import { isFiltered, useWithin } from '../../shared/within.ts'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { loginLogColumns } from './login-log-columns.tsx'
import {
  criteriaOf,
  type LoginLogsCriteria,
  type LoginLogsSearchParams,
} from './login-logs-search.ts'
import { type Filtering, useFilters } from '../../ui/filters/use-filters.ts'

/** All sessions, or those of the object whose tab this is: who signed in, from where, and for how long. */
export function LoginLogsPage() {
  const me = useMe()
  const { showIp } = useBrand().flags
  const within = useWithin()
  const search: LoginLogsSearchParams = useSearch({ strict: false })
  const applied = { ...criteriaOf(search, me, { showIp }), ...within }
  const { ip: ipAddress, ...others } = applied
  const { list, query, filters, csv } = usePagedList(loginLogsEndpoints.searchLoginLogs, {
    search,
    sortField: 'inTime',
    sortAsc: false,
    asked: { ...others, ipAddress },
  })

  return (
    <ListFrame
      name="Login Logs"
      query={query}
      list={list}
      columns={loginLogColumns({ showIp, ofOneAgent: within.agentId !== undefined })}
      rowKey={({ id }) => id}
      empty={
        <EmptyList
          text="No logs for selected period"
          about="Each sign-in appears here, with where it came from and how long it lasted."
          onClear={isFiltered(applied, within) ? list.clear : undefined}
        />
      }
      criteria={
        <LoginLogFilters
          applied={applied}
          showIp={showIp}
          ipError={formErrors(query.error, ['ipAddress'])?.['ipAddress']}
          {...filters}
        />
      }
      summary={<TimeZoneNote />}
      actions={
        <ExportCsv
          fileName="login-logs"
          columns={loginLogColumns({ showIp, ofOneAgent: false })}
          {...csv}
        />
      }
    />
  )
}

interface LoginLogFiltersProps extends Filtering<LoginLogsCriteria> {
  /** A flag of the brand. */
  showIp: boolean
  /** The server's message about the address. */
  ipError: ReactNode
}

function LoginLogFilters({ showIp, ipError, ...filtering }: LoginLogFiltersProps) {
  const { draft, change, field, row } = useFilters(filtering)
  return (
    <CriteriaRow {...row}>
      <OfficeAgentFields draft={draft} onChange={change} />
      {showIp && (
        <TextFilter
          label="IP address"
          width={150}
          maxLength={64}
          error={draft.ip === filtering.applied.ip && ipError}
          {...field('ip')}
        />
      )}
      <PeriodFields draft={draft} onChange={change} />
    </CriteriaRow>
  )
}
