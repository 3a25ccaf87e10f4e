import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useBrand } from '../../lib/brand.ts'
import { formErrors } from '../../lib/form-errors.ts'
import { useMe } from '../../lib/session.ts'
import { ExportCsv } from '../../ui/list/ExportCsv.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'
import { loginLogColumns, loginLogCsvColumns } from './login-log-columns.tsx'
import { LoginLogFilters } from './LoginLogFilters.tsx'
import { loginLogsQuery, refreshLoginLogs, searchLoginLogs } from './login-logs.api.ts'
import { criteriaOf } from './login-logs-search.ts'

const route = getRouteApi('/app/logs/login')

/** Who signed in, from where, and until when. */
export function LoginLogsPage() {
  const me = useMe()
  const { showIp } = useBrand().flags
  const search = route.useSearch()
  const applied = criteriaOf(search, me, { showIp })
  const list = useListState(search, { sortField: 'inTime', sortAsc: false })
  const { page, pageSize, sortField, sortAsc } = list
  const { ip: ipAddress, ...others } = applied
  const criteria = { ...others, ipAddress, sortField, sortAsc }
  const query = useQuery(loginLogsQuery({ ...criteria, page, pageSize }))
  const client = useQueryClient()

  return (
    <ListFrame
      name="Login Logs"
      query={query}
      list={list}
      columns={loginLogColumns({ showIp })}
      rowKey={({ id }) => id}
      empty="No logs for selected period"
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
          columns={loginLogCsvColumns({ showIp })}
          fetchPage={(part) => searchLoginLogs({ ...criteria, ...part })}
          disabled={!query.data?.total}
        />
      }
    />
  )
}
