import {
  type CommonLogItem,
  commonLogsEndpoints,
  type ObjectRef,
} from '@tallyroom/contract/desk/common-logs'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { usePageName } from '../../lib/pages/page-name.ts'
import { queryOf } from '../../lib/queries.ts'
import { useWithin, type Within } from '../../shared/within.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { type ListSearch, usePagedList } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { byToken } from './common-log-columns.tsx'
import { ChangedFields, Sentence, useOpenedChanges } from './Sentence.tsx'

const payFileHistoryRoute = getRouteApi('/app/settings/pay-files/$templateId/history')
const runHistoryRoute = getRouteApi('/app/pay/runs/$runId/history')

/** Who changed what about an office, agent or site, with old and new values. */
export const HistoryTab = () => <History object={refOf(useWithin())} />

/** Who did what with a payment run. */
export function RunHistoryPage() {
  const { runId } = runHistoryRoute.useParams()
  const run = queryOf(
    paymentRunsEndpoints.paymentRun,
    { params: { id: runId } },
    { meta: { ownErrors: true } },
  )
  return (
    <FormLoader query={useQuery(run)} back={{ to: '/app/pay/runs', label: 'Payment runs' }}>
      {({ id, number }) => <RunHistory id={id} number={number} />}
    </FormLoader>
  )
}

function RunHistory({ id, number }: { id: number; number: string }) {
  usePageName(number)
  return (
    <>
      <p>
        <LinkText to="/app/pay/runs/$runId" params={{ runId: String(id) }} underlined>
          Back to {number}
        </LinkText>
      </p>
      <History object={`paymentRun:${id}`} />
    </>
  )
}

/** Who changed what in a template of bank files, even if it was deleted. */
export function PayFileHistoryPage() {
  const { templateId } = payFileHistoryRoute.useParams()
  const templates = queryOf(payFilesEndpoints.payFileTemplates, {}, { meta: { ownErrors: true } })
  return (
    <FormLoader
      query={useQuery(templates)}
      back={{ to: '/app/settings/pay-files', label: 'Pay files' }}
    >
      {(all) => (
        <PayFileHistory
          id={templateId}
          name={all.find(({ id }) => String(id) === templateId)?.name ?? `Template ${templateId}`}
        />
      )}
    </FormLoader>
  )
}

function PayFileHistory({ id, name }: { id: string; name: string }) {
  usePageName(name)
  return (
    <>
      <p>
        {name}.{' '}
        <LinkText to="/app/settings/pay-files" underlined>
          Back to Pay files
        </LinkText>
      </p>
      <History object={`payFile:${id}`} />
    </>
  )
}

function History({ object }: { object: ObjectRef }) {
  const search: ListSearch<'date'> = useSearch({ strict: false })
  const { list, query } = usePagedList(commonLogsEndpoints.searchCommonLogs, {
    search,
    sortField: 'date',
    sortAsc: false,
    asked: { object },
    meta: { ownErrors: true },
  })
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
          about="Every change is kept here: who made it, when, and the old and new values."
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
      <Sentence
        entry={entry}
        opened={opened.has(entry.id)}
        onToggle={() => onToggle(entry.id)}
        wide
      />
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
    cell: ({ username, accountName, tokenName }) =>
      username === accountName ? byToken(username, tokenName) : `${username} as ${accountName}`,
  },
]

function refOf({ agentId, companyId, siteId }: Within): ObjectRef {
  if (agentId !== undefined) return `agent:${agentId}`
  return companyId === undefined ? `site:${siteId ?? 0}` : `office:${companyId}`
}
