import { loginLogsEndpoints } from '@tallyroom/contract/desk/login-logs'
import type { MaybeRange } from '@tallyroom/domain/periods'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBrand } from '../../lib/brand.ts'
import { formErrors } from '../../lib/form-errors.ts'
import { refreshOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { criteriaOfDraft } from '../../shared/log-criteria.ts'
import { OfficeAgentFields } from '../../shared/OfficeAgentFields.tsx'
import { PeriodFields } from '../../shared/PeriodFields.tsx'
import { isFiltered, useWithin } from '../../shared/within.ts'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/list/ExportCsv.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { TextFilter } from '../../ui/list/TextFilter.tsx'
import { type Filtering, useDraft } from '../../ui/list/use-draft.ts'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'
import { loginLogColumns } from './login-log-columns.tsx'
import {
  criteriaOf,
  type LoginLogsCriteria,
  type LoginLogsSearchParams,
} from './login-logs-search.ts'

/** All sessions, or those of the object whose tab this is: who signed in, from where, and for how long. */
export function LoginLogsPage() {
  const me = useMe()
  const { showIp } = useBrand().flags
  const within = useWithin()
  const search: LoginLogsSearchParams = useSearch({ strict: false })
  const applied = { ...criteriaOf(search, me, { showIp }), ...within }
  const { ip: ipAddress, ...others } = applied
  const { list, query, csv } = usePagedList(loginLogsEndpoints.searchLoginLogs, {
    search,
    sortField: 'inTime',
    sortAsc: false,
    asked: { ...others, ipAddress },
  })
  const client = useQueryClient()

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
          onSearch={(next) => {
            list.search(next)
            void refreshLoginLogs(client)
          }}
          onClear={list.clear}
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

/** Refetches the list, so that new entries show. */
const refreshLoginLogs = refreshOf(loginLogsEndpoints.searchLoginLogs)

interface LoginLogFiltersProps extends Filtering<LoginLogsCriteria> {
  /** A flag of the brand. */
  showIp: boolean
  /** The server's message about the address. */
  ipError: ReactNode
}

type Draft = Omit<LoginLogsCriteria, 'start' | 'end'> & MaybeRange

function LoginLogFilters(props: LoginLogFiltersProps) {
  const { applied, showIp, ipError, onSearch, onClear } = props
  const [draft, change, clear] = useDraft<Draft>(applied, onClear)
  return (
    <CriteriaRow
      onSearch={() => {
        const criteria = criteriaOfDraft(draft)
        if (criteria) onSearch({ ...criteria, ip: criteria.ip?.trim() || undefined })
      }}
      onClear={clear}
    >
      <OfficeAgentFields draft={draft} onChange={change} />
      {showIp && (
        <TextFilter
          label="IP address"
          width={150}
          maxLength={64}
          value={draft.ip}
          error={draft.ip === applied.ip && ipError}
          onChange={(ip) => change({ ip })}
        />
      )}
      <PeriodFields draft={draft} onChange={change} />
    </CriteriaRow>
  )
}
