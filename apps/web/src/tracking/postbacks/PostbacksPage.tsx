import { Button } from '@mantine/core'
import { type PostbackItem, postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { can } from '@tallyroom/domain/abilities'
import { type HoldAct, readingOfAct } from '@tallyroom/domain/holds'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '../../lib/session.ts'
import { HoldActs } from '../../shared/held/HoldActs.tsx'
import { SettleHeld } from '../../shared/held/SettleHeld.tsx'
import { isFiltered } from '../../shared/within.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { usePagedList } from '../../ui/list/list-state.ts'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { askToDeliver } from './ask-about-postback.ts'
import { postbackColumns } from './postback-columns.tsx'
import { PostbackDetail } from './PostbackDetail.tsx'
import { PostbackFilters } from './PostbackFilters.tsx'
import { refreshPostbacks } from './postbacks.api.ts'
import { criteriaOf } from './postbacks-search.ts'
import { useAsked } from '../../ui/use-asked.ts'

const route = getRouteApi('/app/sites/postbacks')

const OtherLogs = lazy(() => import('../../shared/OtherLogs.tsx'))
const IntegrationDrawer = lazy(() => import('./IntegrationDrawer.tsx'))

/** Every postback with its outcome and, for those who manage them, what a merchant needs to send them. */
export function PostbacksPage() {
  const search = route.useSearch()
  const criteria = criteriaOf(search)
  const { list, query, filters, csv } = usePagedList(postbacksEndpoints.searchPostbacks, {
    search,
    sortField: 'receivedAt',
    sortAsc: false,
    asked: criteria,
  })
  const mayManage = can(useMe(), 'postbacks.manage')
  const client = useQueryClient()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const {
    asked: settling,
    key,
    ask,
    end,
  } = useAsked<{
    postbacks: PostbackItem[]
    act: HoldAct
    done: () => void
  }>()
  const held = (query.data?.items ?? []).filter(({ hold }) => hold !== null)
  const navigate = route.useNavigate()
  const { history } = useRouter()
  const showIntegration = (integration: true | undefined) =>
    void navigate({ search: (present) => ({ ...present, integration }), replace: true })

  const columns = postbackColumns({
    opened,
    mayManage,
    onToggle: (id) => setOpened(opened.symmetricDifference(new Set([id]))),
    onDeliver: (postback) => void askToDeliver(postback, () => refreshPostbacks(client)),
    onDecide: (postback, act) => ask({ postbacks: [postback], act, done: () => {} }),
  })
  return (
    <>
      <ListFrame
        name="Postbacks"
        query={query}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        rowDetail={detailOf(opened)}
        {...(mayManage &&
          held.length > 0 && {
            bulkActions: (keys: readonly string[], done: () => void) => {
              const postbacks = held.filter(({ id }) => keys.includes(id))
              const acts = actsForAll(postbacks)
              if (postbacks.length < keys.length || acts.length === 0)
                return <span>Select postbacks with the same decision.</span>
              return (
                <HoldActs
                  acts={acts}
                  size="compact-sm"
                  onAct={(act) => ask({ postbacks, act, done })}
                />
              )
            },
          })}
        empty={
          <EmptyList
            text={isFiltered(criteria) ? 'No postbacks match' : 'No postbacks yet'}
            about="Everything that merchants report appears here, with its outcome."
            onClear={isFiltered(criteria) ? list.clear : undefined}
            elsewhere={
              <OtherLogs
                empty="postbacks"
                criteria={criteria}
                text={criteria.transactionId ?? criteria.clickId}
              />
            }
          >
            {mayManage && (
              <Button variant="default" onClick={() => showIntegration(true)}>
                Show what a merchant needs
              </Button>
            )}
          </EmptyList>
        }
        criteria={<PostbackFilters applied={criteria} {...filters} />}
        summary={<TimeZoneNote />}
        actions={
          <>
            <ExportCsv fileName="postbacks" columns={columns} {...csv} />
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
      {settling && (
        <SettleHeld
          key={key}
          postbacks={settling.postbacks}
          act={settling.act}
          refresh={async () => {
            settling.done()
            await refreshPostbacks(client)
          }}
          onClosed={end}
        />
      )}
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

/** The acts that every one of these can be settled by. A word is decided for all that wait with it, from one of them. */
const actsForAll = (postbacks: readonly PostbackItem[]): HoldAct[] =>
  (postbacks[0]?.hold?.acts ?? []).filter(
    (act) =>
      (postbacks.length === 1 || readingOfAct(act) === undefined) &&
      postbacks.every(({ hold }) => hold?.acts.includes(act)),
  )

const detailOf = (opened: ReadonlySet<string>) => (postback: PostbackItem) =>
  opened.has(postback.id) && <PostbackDetail postback={postback} />
