import type { CommonLogItem, ObjectRef } from '@tallyroom/contract/common-logs'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useWithin, type Within } from '../../pickers/within.ts'
import { Instant } from '../../ui/Instant.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { useListState, type ListSearch } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'
import { commonLogsQuery } from './common-logs.api.ts'
import { ChangedFields, Sentence, useOpenedChanges } from './Sentence.tsx'

/** Who changed what of an office, agent or site, from what to what. */
export function HistoryTab() {
  const object = refOf(useWithin())
  const search: ListSearch<'date'> = useSearch({ strict: false })
  const list = useListState(search, { sortField: 'date', sortAsc: false })
  const { page, pageSize, sortField, sortAsc } = list
  const query = useQuery(commonLogsQuery({ object, page, pageSize, sortField, sortAsc }))
  const { opened, onToggle } = useOpenedChanges()
  return (
    <ListFrame
      name="History"
      query={query}
      list={list}
      columns={columns(opened, onToggle)}
      rowKey={({ id }) => String(id)}
      rowDetail={(entry) => opened.has(entry.id) && <ChangedFields entry={entry} />}
      empty={
        <EmptyList
          text="No changes recorded yet"
          about="Whatever somebody changes here is kept: who, when, and from what to what."
        />
      }
      summary={<TimeZoneNote />}
    />
  )
}

const columns = (
  opened: ReadonlySet<number>,
  onToggle: (id: number) => void,
): ListColumn<CommonLogItem>[] => [
  {
    id: 'sentence',
    header: 'What happened',
    card: 'title',
    fixed: true,
    cell: (entry) => (
      <Sentence entry={entry} opened={opened.has(entry.id)} onToggle={() => onToggle(entry.id)} />
    ),
  },
  {
    id: 'date',
    header: 'Date',
    sortField: 'date',
    card: 'title',
    cell: ({ date }) => <Instant at={date} />,
  },
  {
    id: 'username',
    header: 'By',
    card: 'title',
    cell: ({ username, accountName }) =>
      username === accountName ? username : `${username} as ${accountName}`,
  },
]

function refOf({ agentId, companyId, siteId }: Within): ObjectRef {
  if (agentId !== undefined) return `agent:${agentId}`
  return companyId === undefined ? `site:${siteId ?? 0}` : `office:${companyId}`
}
