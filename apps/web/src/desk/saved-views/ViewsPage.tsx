import { Text } from '@mantine/core'
import { type SavedView, savedViewsEndpoints } from '@tallyroom/contract/desk/saved-views'
import { IconArrowDown, IconArrowUp, IconLink, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { call } from '../../lib/call.ts'
import { askToDelete } from '../../ui/dialogs/ask-to-delete.ts'
import { Instant } from '../../ui/text/Instant.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { LinkText } from '../../ui/links.tsx'
import { refreshViews, savedViewsQuery } from './saved-views.api.ts'
import { scheduleLabel } from './ViewDialog.tsx'
import { daysText, pathOf } from './view-url.ts'
import { copyLink } from './ViewsMenu.tsx'
import { actionsColumn } from '../../ui/list/plain-columns.tsx'

const ViewDialog = lazy(() => import('./ViewDialog.tsx'))

const route = getRouteApi('/app/views')

const REFUSALS: Record<NonNullable<SavedView['mailRefusal']>, string> = {
  'no address': 'Not sent: your account has no email address',
  'no access': 'Not sent: your account had no access to this page',
  'too many clicks': 'Not sent: too many clicks to read by sub id. Choose fewer days or agents',
  'not a report': 'Not sent: a site or link type of this view is gone',
}

/** The viewer's saved views: order, names, mails. The link in each mail leads here. */
export function ViewsPage() {
  const { id } = route.useSearch()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { routesByPath } = useRouter()
  const query = useQuery(savedViewsQuery)
  const edited = query.data?.views.find((view) => view.id === id)
  const edit = (view: SavedView | undefined) =>
    void navigate({ to: '/app/views', search: { id: view?.id }, replace: true })
  const move = useMutation({
    mutationFn: ({ view, to }: { view: SavedView; to: 'up' | 'down' }) =>
      call(savedViewsEndpoints.moveSavedView, { params: { id: String(view.id) }, body: { to } }),
    onSettled: () => refreshViews(client),
  })
  const remove = (view: SavedView) =>
    void askToDelete({
      what: 'View',
      name: view.name,
      question: view.mail
        ? 'Delete this view? Its emails stop, too. The page itself is not affected.'
        : 'Delete this view? The page itself is not affected.',
      action: async () => {
        await call(savedViewsEndpoints.deleteSavedView, { params: { id: String(view.id) } })
        await refreshViews(client)
      },
    })

  const titleOf = (url: string): string =>
    Object.entries(routesByPath).find(([path]) => path === pathOf(url))?.[1].options.staticData
      ?.title ?? ''
  const count = query.data?.views.length ?? 0
  const columns: ListColumn<SavedView>[] = [
    {
      id: 'name',
      header: 'Name',
      fixed: true,
      cell: ({ name, url }) => <LinkText to={url}>{name}</LinkText>,
    },
    { id: 'page', header: 'Page', card: 'title', cell: ({ url }) => titleOf(url) },
    { id: 'days', header: 'Period', card: 'title', cell: ({ url }) => daysText(url) || '–' },
    { id: 'mail', header: 'Email', card: 'detail', cell: ({ mail }) => scheduleLabel(mail) },
    {
      id: 'mailedAt',
      header: 'Last email',
      card: 'detail',
      cell: ({ mailedAt, mailRefusal }) =>
        mailRefusal ? REFUSALS[mailRefusal] : mailedAt ? <Instant at={mailedAt} /> : '–',
    },
    actionsColumn(120, (view, index) => (
      <>
        <RowIcon
          icon={IconArrowUp}
          label={`Move ${view.name} up`}
          disabled={index === 0 || move.isPending}
          onClick={() => move.mutate({ view, to: 'up' })}
        />
        <RowIcon
          icon={IconArrowDown}
          label={`Move ${view.name} down`}
          disabled={index === count - 1 || move.isPending}
          onClick={() => move.mutate({ view, to: 'down' })}
        />
        <RowIcon
          icon={IconLink}
          label={`Copy link to ${view.name}`}
          onClick={() => void copyLink(view.url)}
        />
        <RowIcon icon={IconPencil} label={`Edit ${view.name}`} onClick={() => edit(view)} />
        <RowIcon icon={IconTrash} label={`Delete ${view.name}`} onClick={() => remove(view)} />
      </>
    )),
  ]

  return (
    <>
      <Text c="dimmed" mb="sm" maw={640}>
        Pages that you come back to, with their filters. Save one with Views at the top of any list,
        log or report. Reports can be sent by email.
      </Text>
      <DataTable
        caption="Views"
        columns={columns}
        rows={query.data?.views}
        rowKey={({ id: key }) => String(key)}
        empty={
          <>
            No views yet. A view is a report as you like to see it. Open{' '}
            <LinkText to="/app/stats/sites" underlined>
              Sites Statistics
            </LinkText>
            , choose what it shows, then Views › Save to my views.
          </>
        }
        failure={query}
      />
      <Suspense>
        {edited && query.data && (
          <ViewDialog
            key={edited.id}
            url={edited.url}
            view={edited}
            mailTo={query.data.mailTo}
            onClosed={() => edit(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
