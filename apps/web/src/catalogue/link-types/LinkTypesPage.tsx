import { type LinkTypeItem, linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useWholeList } from '../../ui/export/use-whole-list.ts'
import { rateColumns } from '../../shared/rates/rate-columns.ts'
import { preparedRatesQuery } from '../../shared/rates/rates.api.ts'
import { LazyRatesDrawer } from '../../shared/rates/LazyRatesDrawer.tsx'
import { SiteLink } from '../../shared/SiteLink.tsx'
import type { LinkTypesSearch } from './link-types-search.ts'
import { figuresOf, linkTypeColumns } from './link-type-columns.tsx'
import { useAsked } from '../../ui/use-asked.ts'

/** The link types of a site, with their rates. */
export const LinkTypesPage = () => <LinkTypes withWay />

/** The same as a tab of the site's page. */
export const RatesTab = () => <LinkTypes />

/** @param withWay - Shows the breadcrumb from the list of sites. */
function LinkTypes({ withWay = false }: { withWay?: boolean }) {
  const me = useMe()
  const { siteId = '' } = useParams({ strict: false })
  const search: LinkTypesSearch = useSearch({ strict: false })
  const { list, csv, ...whole } = useWholeList(linkTypesEndpoints.typesBySite, {
    search,
    sortField: 'typename',
    sortAsc: true,
    params: { siteId },
  })
  const { data: prepared = [], isLoading: isPreparedLoading } = useQuery(
    preparedRatesQuery({ siteId: Number(siteId) }),
  )
  // Rendering earlier would shift the layout when prepared rates arrive.
  const { rows, query } = isPreparedLoading
    ? { rows: undefined, query: { ...whole.query, data: undefined } }
    : whole
  const { data: site, isLoading: isSiteLoading } = useQuery(
    queryOf(sitesEndpoints.site, { params: { id: siteId } }, { meta: { ownErrors: true } }),
  )
  const useApproveSale = site?.useApproveSale ?? false
  const mayManage = can(me, 'link-types.manage')
  const withEarning = can(me, 'earning.see')
  const figures = figuresOf({
    site: { useApproveSale },
    withEarning,
    withBonus: useApproveSale || (rows?.some(({ bonus }) => bonus) ?? false),
  })
  // The link type whose dated rates are open.
  const { asked: dated, key, ask, end } = useAsked<LinkTypeItem>()
  // The site says what its columns are called, and so how high their headings are.
  if (isSiteLoading) return null

  const columns = linkTypeColumns({ figures, mayManage, prepared, onDates: ask })
  const addButton = (label: string) =>
    mayManage && (
      <LinkButton to="/app/sites/$siteId/types/create" params={{ siteId }} state={FROM_LIST}>
        {label}
      </LinkButton>
    )
  return (
    <>
      <ListFrame
        name="Link Types"
        query={query}
        list={list}
        columns={columns}
        rowKey={({ id }) => String(id)}
        empty={
          <EmptyList
            text="No sale types yet"
            about="A link type sets the page that its links lead to, and what a sale earns and pays."
          >
            {addButton('Add the first link')}
          </EmptyList>
        }
        back={{ to: '/app/sites/sites', label: 'Sites' }}
        summary={
          withWay && (
            <>
              <LinkText to="/app/sites/sites" underlined>
                Sites
              </LinkText>{' '}
              / {site && <SiteLink id={site.id}>{site.sitename}</SiteLink>}
            </>
          )
        }
        actions={
          <>
            <ExportCsv fileName="links" columns={columns} {...csv} />
            {addButton('+Add Link')}
          </>
        }
      />
      {dated && (
        <LazyRatesDrawer
          key={key}
          of={{ siteId: dated.siteId, typeId: dated.id, companyId: null }}
          name={`Default rates of ${dated.typename}`}
          columns={rateColumns({ useApproveSale, hasBonus: dated.bonus }).filter(
            ({ unit }) => withEarning || unit !== 'dollars',
          )}
          onClosed={end}
        />
      )}
    </>
  )
}
