import { chatLogsEndpoints } from '@tallyroom/contract/desk/chat-logs'
import { can } from '@tallyroom/domain/abilities'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { useMe } from '../../lib/session.ts'
import { type LogCriteria, logCriteriaOf } from '../../shared/log-criteria.ts'
import { LogFields } from '../../shared/LogFields.tsx'
import { isFiltered } from '../../shared/within.ts'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { chatLogColumns, Conversation } from './chat-log-columns.tsx'
import { wireCriteria } from './chat-logs.api.ts'
import { type Filtering, useFilters } from '../../ui/filters/use-filters.ts'

const OtherLogs = lazy(() => import('../../shared/OtherLogs.tsx'))

const route = getRouteApi('/app/logs/chat')

/** The conversations with clients that agents have submitted. */
export function ChatLogsPage() {
  const viewer = useMe()
  const search = route.useSearch()
  const applied = logCriteriaOf(search, viewer)
  const { list, query, filters, csv } = usePagedList(chatLogsEndpoints.searchChatLogs, {
    search,
    sortField: 'officeName',
    sortAsc: true,
    asked: { criteria: wireCriteria(applied) },
  })
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())

  const columns = chatLogColumns({
    viewer,
    opened,
    onToggle: (id) => setOpened(opened.symmetricDifference(new Set([id]))),
  })
  const addButton = (label: string) =>
    can(viewer, 'chat.submit') && (
      <LinkButton to="/app/chat-logs/create" state={FROM_LIST}>
        {label}
      </LinkButton>
    )
  return (
    <ListFrame
      name="Chat Logs"
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      rowDetail={(chat) => opened.has(chat.id) && <Conversation chat={chat} />}
      empty={
        <EmptyList
          text="No logs for selected period"
          about="Conversations with clients appear here once agents have submitted them."
          onClear={isFiltered(applied) ? list.clear : undefined}
          elsewhere={<OtherLogs empty="chats" criteria={applied} />}
        >
          {addButton('Submit a chat log')}
        </EmptyList>
      }
      criteria={<ChatLogFilters applied={applied} {...filters} />}
      summary={<TimeZoneNote />}
      actions={
        <>
          <ExportCsv fileName="chat-logs" columns={columns} {...csv} />
          {addButton('+Submit Chat Log')}
        </>
      }
    />
  )
}

function ChatLogFilters(filtering: Filtering<LogCriteria>) {
  const { draft, change, row } = useFilters(filtering)
  return (
    <CriteriaRow {...row}>
      <LogFields draft={draft} onChange={change} />
    </CriteriaRow>
  )
}
