import { Button, Group, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type CommonLogItem, commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { useMe } from '../../lib/session.ts'
import { isFiltered } from '../../shared/within.ts'
import { JsonBlock } from '../../ui/text/JsonBlock.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { commonLogColumns } from './common-log-columns.tsx'
import { criteriaOf } from './common-logs-search.ts'
import classes from './common-logs.module.css'
import { CommonLogFilters } from './CommonLogFilters.tsx'
import { paramsKey, useOpenedParams } from './opened-params.ts'
import { ChangedFields, useOpenedChanges } from './Sentence.tsx'

const route = getRouteApi('/app/logs/common-logs')

/** Downloads the whole result as a text file with a timestamp in its name. */
async function saveLogs(body: BodyOf<typeof commonLogsEndpoints.downloadCommonLogs>) {
  const text = await call(commonLogsEndpoints.downloadCommonLogs, { body })
  download(`export_data_${Date.now()}.txt`, text, 'text/plain;charset=utf-8')
}

/**
 * Every API call: what it did, who made it, with which account, and the response. By default, only
 * calls that changed something.
 */
export function CommonLogsPage() {
  const search = route.useSearch()
  const criteria = criteriaOf(search, useMe())
  // A chosen action type is shown even if it only reads.
  const changesOnly = !search.reads && !criteria.actionType
  const asked = { ...criteria, changesOnly }
  const { list, query, filters } = usePagedList(commonLogsEndpoints.searchCommonLogs, {
    search,
    sortField: 'date',
    sortAsc: false,
    asked,
    meta: { ownErrors: true },
  })
  const { sortField, sortAsc } = list
  const { opened, onToggle } = useOpenedParams()
  const changes = useOpenedChanges()
  const save = useMutation({ mutationFn: () => saveLogs({ ...asked, sortField, sortAsc }) })

  return (
    <ListFrame
      name="Common Logs"
      query={query}
      list={list}
      columns={commonLogColumns({
        ofAll: !changesOnly,
        opened,
        onToggle,
        openedChanges: changes.opened,
        onToggleChanges: changes.onToggle,
      })}
      rowKey={({ id }) => String(id)}
      rowDetail={(entry) => {
        const withChanges = changes.opened.has(entry.id)
        const withParams =
          opened.has(paramsKey(entry, 'postParams')) || opened.has(paramsKey(entry, 'getParams'))
        return (
          (withChanges || withParams) && (
            <>
              {withChanges && <ChangedFields entry={entry} />}
              {withParams && <EntryParams entry={entry} opened={opened} />}
            </>
          )
        )
      }}
      empty={
        <EmptyList
          text="No logs for selected params"
          about="Every change appears here: who made it, when, and the old and new values."
          onClear={isFiltered(criteria) ? list.clear : undefined}
        />
      }
      criteria={
        <CommonLogFilters
          applied={criteria}
          errors={formErrors(query.error, ['username', 'ip', 'actionName', 'postParams']) ?? {}}
          onSearch={(next) => filters.onSearch({ ...next, reads: search.reads })}
          onClear={filters.onClear}
        />
      }
      summary={
        <Group gap="md">
          <TimeZoneNote />
          <SegmentedControl
            size="xs"
            aria-label="Which actions"
            data={[
              { value: 'changes', label: 'Changes' },
              { value: 'all', label: 'All actions' },
            ]}
            value={changesOnly ? 'changes' : 'all'}
            disabled={criteria.actionType !== undefined}
            onChange={(which) => list.search({ ...criteria, reads: which === 'all' || undefined })}
          />
        </Group>
      }
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          loading={save.isPending}
          disabled={!query.data?.total}
          onClick={() => save.mutate()}
        >
          Export to txt
        </Button>
      }
    />
  )
}

interface EntryParamsProps {
  entry: CommonLogItem
  opened: ReadonlySet<string>
}

/** An entry's expanded parameters, below its row. */
function EntryParams({ entry, opened }: EntryParamsProps) {
  return (
    <div className={classes.detail}>
      {opened.has(paramsKey(entry, 'postParams')) && (
        <JsonBlock caption="Post Params" text={entry.postParams} />
      )}
      {opened.has(paramsKey(entry, 'getParams')) && (
        <JsonBlock caption="Get Params" text={entry.getParams} />
      )}
    </div>
  )
}
