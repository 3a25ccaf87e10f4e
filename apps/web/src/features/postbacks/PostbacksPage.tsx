import { Button } from '@mantine/core'
import type { PostbackItem } from '@tallyroom/contract/postbacks'
import { can } from '@tallyroom/domain/abilities'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../../lib/session.ts'
import { isFiltered } from '../../pickers/within.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/list/ExportCsv.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'
import { askToDeliver, askToSettle } from './ask-about-postback.ts'
import { postbackColumns, postbackCsvColumns } from './postback-columns.tsx'
import { PostbackDetail } from './PostbackDetail.tsx'
import { PostbackFilters } from './PostbackFilters.tsx'
import { postbacksQuery, refreshPostbacks, searchPostbacks } from './postbacks.api.ts'
import { criteriaOf } from './postbacks-search.ts'

const route = getRouteApi('/app/sites/postbacks')

const IntegrationDrawer = lazy(() => import('./IntegrationDrawer.tsx'))

/** Every postback with its outcome and, for those who manage them, what a merchant needs to send them. */
export function PostbacksPage() {
  const search = route.useSearch()
  const criteria = criteriaOf(search)
  const list = useListState(search, { sortField: 'receivedAt', sortAsc: false })
  const { page, pageSize, sortField, sortAsc } = list
  const query = useQuery(postbacksQuery({ ...criteria, page, pageSize, sortField, sortAsc }))
  const mayManage = can(useMe(), 'postbacks.manage')
  const client = useQueryClient()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const navigate = route.useNavigate()
  const { history } = useRouter()
  const showIntegration = (integration: true | undefined) =>
    void navigate({ search: (present) => ({ ...present, integration }), replace: true })

  return (
    <>
      <ListFrame
        name="Postbacks"
        query={query}
        list={list}
        columns={postbackColumns({
          opened,
          mayManage,
          onToggle: (id) => setOpened(opened.symmetricDifference(new Set([id]))),
          onDeliver: (postback) => void askToDeliver(postback, () => refreshPostbacks(client)),
          onDecide: (postback, decision) =>
            void askToSettle(postback, decision, () => refreshPostbacks(client)),
        })}
        rowKey={({ id }) => id}
        rowDetail={detailOf(opened)}
        empty={
          <EmptyList
            text={isFiltered(criteria) ? 'No postbacks match' : 'No postbacks yet'}
            about="Everything that merchants report appears here, with its outcome."
            onClear={isFiltered(criteria) ? list.clear : undefined}
          >
            {mayManage && (
              <Button variant="default" onClick={() => showIntegration(true)}>
                Show what a merchant needs
              </Button>
            )}
          </EmptyList>
        }
        criteria={
          <PostbackFilters
            applied={criteria}
            onSearch={(next) => {
              list.search(next)
              void refreshPostbacks(client)
            }}
            onClear={list.clear}
          />
        }
        summary={<TimeZoneNote />}
        actions={
          <>
            <ExportCsv
              fileName="postbacks"
              columns={postbackCsvColumns}
              fetchPage={(part) => searchPostbacks({ ...criteria, sortField, sortAsc, ...part })}
              disabled={!query.data?.total}
            />
            {mayManage && (
              <Button
                variant="default"
                leftSection={<IconPlugConnected size={15} />}
                onClick={() => showIntegration(true)}
              >
                Integration
              </Button>
            )}
          </>
        }
      />
      {mayManage && (
        <Suspense>
          <IntegrationDrawer
            opened={search.integration ?? false}
            onClose={() => {
              // Returns to the checklist of a new network, if the user came from there.
              if (history.location.state.fromList) history.back()
              else showIntegration(undefined)
            }}
            initialSiteId={criteria.siteId}
          />
        </Suspense>
      )}
    </>
  )
}

const detailOf = (opened: ReadonlySet<string>) => (postback: PostbackItem) =>
  opened.has(postback.id) && <PostbackDetail postback={postback} />
