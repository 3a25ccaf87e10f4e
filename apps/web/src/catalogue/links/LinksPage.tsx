import { Button, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { can } from '@tallyroom/domain/abilities'
import { withoutFormulas } from '@tallyroom/domain/csv'
import type { SiteStats } from '@tallyroom/contract/figures/statistics'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useToday } from '../../lib/clock.ts'
import { useIsPhone, useIsSmall } from '../../lib/phone.ts'
import { useMe } from '../../lib/session.ts'
import { useWithin } from '../../shared/within.ts'
import { LinkButton } from '../../ui/links.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useDraft } from '../../ui/filters/use-draft.ts'
import { pageOfWhole, partsOfWhole } from '../../ui/export/whole-list.ts'
import { linkColumns, linkName, type OnOpen } from './link-columns.tsx'
import { LinkCriteriaRow } from './LinkCriteriaRow.tsx'
import { Folded, LinkCards } from './LinkCards.tsx'
import { CarriedFields, Refusal } from './LinkParts.tsx'
import { type Carried, carriedOf, criteriaOf, type LinksSearch } from './links-search.ts'
import {
  linkFiguresQuery,
  type LinkItem,
  type Links,
  linksQuery,
  pageProblem,
  refreshLinks,
  withCarried,
  withFigures,
} from './links.api.ts'
import { useAsked } from '../../ui/use-asked.ts'

const QrDialog = lazy(() => import('./QrDialog.tsx'))
const ShortDialog = lazy(() => import('./ShortDialog.tsx'))
const TestDialog = lazy(() => import('./TestDialog.tsx'))

const dialogs = { qr: QrDialog, short: ShortDialog, test: TestDialog }

/** What is open for a link. */
type Open = Parameters<OnOpen>[0]

/** An agent's tracked links for a site, ready to copy: on the page of links, or on the agent's or the site's. */
export function LinksPage() {
  const me = useMe()
  const search: LinksSearch = useSearch({ strict: false })
  const criteria = { ...criteriaOf(search), ...useWithin() }
  const { siteId, agentId } = criteria
  const list = useListState(search, { sortField: 'typename', sortAsc: true })
  const isPhone = useIsPhone()
  const isSmall = useIsSmall()
  // On a phone, the links for all sites are one list.
  const isChosen =
    (isPhone || siteId !== undefined) && (agentId !== undefined || !can(me, 'agents.choose'))
  const query = useQuery({ ...linksQuery(siteId, agentId), enabled: isChosen })
  const client = useQueryClient()
  const { draft, carried, change, keep, clearPage } = useCarried(search)
  const { asked: open, key, ask, end } = useAsked<Open>()
  const figures = useQuery({
    ...linkFiguresQuery({ siteId, agentId }, useToday()),
    enabled: isChosen && query.isSuccess,
  })
  const items = isChosen
    ? query.data && withFigures(withCarried(query.data, carried), figures.data)
    : []

  const fields = (
    <CarriedFields
      carried={draft}
      problem={query.data && pageProblem(query.data, carried)}
      onChange={change}
      onLeave={keep}
    />
  )
  const refusal = <Refusal error={isChosen ? query.error : null} isOwn={me.role === 'agent'} />
  const criteriaRow = (
    <LinkCriteriaRow
      applied={criteria}
      busy={isChosen && query.isFetching}
      onSearch={(next) => {
        list.search({ ...next, ...carried })
        void refreshLinks(client)
      }}
    />
  )
  const dialog = <LinkDialog key={key} open={open} onClosed={end} />
  if (isPhone) {
    return (
      <>
        <LinkCards
          criteria={criteriaRow}
          carried={fields}
          refusal={refusal}
          items={query.error ? [] : items}
          isChosen={isChosen}
          onClearPage={clearPage}
          onOpen={ask}
        />
        {dialog}
      </>
    )
  }

  const columns = linkColumns(ask, shownOf(items, figures.data))
  return (
    <>
      <ListFrame
        name="Links"
        query={pageOfWhole({ ...query, data: items }, list)}
        list={list}
        columns={columns}
        rowKey={({ typeId }) => String(typeId)}
        empty={
          isChosen ? (
            <EmptyList
              text={clearPage ? 'No link leads to this page' : 'No link types yet'}
              onClear={clearPage}
              about="The site’s links for this agent appear here, ready to copy and share."
            >
              {can(me, 'link-types.manage') && (
                <LinkButton
                  to="/app/sites/$siteId/types/create"
                  params={{ siteId: String(siteId) }}
                >
                  Add the first link
                </LinkButton>
              )}
            </EmptyList>
          ) : (
            whatToChoose(can(me, 'agents.choose'))
          )
        }
        criteria={
          <>
            {criteriaRow}
            {isChosen && !query.isError && (isSmall ? <Folded>{fields}</Folded> : fields)}
            {refusal}
          </>
        }
        summary={isChosen && !query.isError && <HostNote links={query.data} />}
        actions={
          <>
            <CopyAll items={items ?? []} />
            <ExportCsv
              fileName="links"
              columns={columns}
              fetchPage={partsOfWhole(items)}
              disabled={!items?.length}
            />
          </>
        }
      />
      {dialog}
    </>
  )
}

/** Which amounts the viewer sees. Until the figures arrive, whoever sees rates has room for them. */
function shownOf(items: readonly LinkItem[] | undefined, stats: SiteStats | undefined) {
  const payout = items?.some((item) => item.payout !== undefined) ?? false
  return { payout, earned: stats?.payoutVisible ?? payout }
}

function LinkDialog({ open, onClosed }: { open: Open | undefined; onClosed: () => void }) {
  if (!open) return null
  const { what, item } = open
  const Dialog = dialogs[what]
  return (
    <Suspense>
      <Dialog item={item} onClosed={onClosed} />
    </Suspense>
  )
}

/** What the links carry, as it is typed, and in the URL once its field is left. */
function useCarried(search: LinksSearch) {
  const navigate = useNavigate()
  const [draft, change] = useDraft(carriedOf(search))
  const carried = carriedOf(draft)
  const store = (next: Carried) =>
    void navigate({
      to: '.',
      // The search belongs to the current route, whose type the router can't infer here.
      search: { ...search, ...next } as never,
      replace: true,
    })
  const clear = () => {
    change({ to: undefined })
    store({ ...carried, to: undefined })
  }
  return {
    draft,
    carried,
    change,
    keep: () => store(carried),
    /** Undefined without a page. */
    clearPage: carried.to === undefined ? undefined : clear,
  }
}

const whatToChoose = (choosesAgent: boolean) =>
  choosesAgent
    ? 'Choose a site and an agent, then get their links'
    : 'Choose a site, then get your links'

/** Copies one line per link: its name and the link, which a spreadsheet takes as two cells. */
function CopyAll({ items }: { items: readonly LinkItem[] }) {
  return (
    <CopyButton
      value={items.map((item) => `${withoutFormulas(linkName(item))}\t${item.link}`).join('\n')}
      timeout={1500}
    >
      {({ copied, copy }) => (
        <Button
          variant="default"
          disabled={items.length === 0}
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={copy}
        >
          {copied ? 'Copied' : 'Copy all'}
        </Button>
      )}
    </CopyButton>
  )
}

const HOST_NOTES: Record<Links['host'], string> = {
  preferred: 'the preferred domain of the office.',
  'first-active':
    'the first active domain, because the office has no preferred domain or it is hidden.',
  server: 'this server’s address, because no domain is active.',
}

/** Reserves its space while the links load. */
const HostNote = ({ links }: { links: Links | undefined }) => (
  <span style={links ? undefined : { visibility: 'hidden' }}>
    Links use <strong>{links?.domain ?? 'https://links.example.com'}</strong>,{' '}
    {HOST_NOTES[links?.host ?? 'preferred']}
  </span>
)
