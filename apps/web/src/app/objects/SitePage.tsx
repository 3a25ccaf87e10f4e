import { sitesEndpoints } from '@tallyroom/contract/sites'
import { can } from '@tallyroom/domain/abilities'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { askToChangeSite, siteMenu } from '../../features/sites/site-actions.tsx'
import { refreshSites } from '../../features/sites/sites.api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { LANDING } from '../../lib/page.ts'
import { useMe } from '../../lib/session.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { RowMenu } from '../../ui/list/RowMenu.tsx'
import { StatusText } from '../../ui/StatusText.tsx'
import { ObjectPage } from './ObjectPage.tsx'

const route = getRouteApi('/app/sites/$siteId')

const tabs = [
  '/app/sites/$siteId',
  '/app/sites/$siteId/sales',
  '/app/sites/$siteId/clicks',
  '/app/sites/$siteId/links',
  '/app/sites/$siteId/rates',
  '/app/sites/$siteId/history',
] as const

/** A site's page: for staff with its settings, for offices and agents with what they sell on it. */
export function SitePage() {
  const me = useMe()
  const params = route.useParams()
  const client = useQueryClient()
  const isStaff = can(me, 'sites.view')
  const query = useQuery(sitePageQuery(params.siteId, isStaff))
  const refresh = () =>
    Promise.all([refreshSites(client), client.invalidateQueries({ queryKey: [SITE_PAGE] })])
  const back = isStaff
    ? ({ to: '/app/sites/sites', label: 'Sites' } as const)
    : ({ to: LANDING, label: 'Home' } as const)
  return (
    <FormLoader query={query} fields={2} back={back}>
      {(site) => (
        <ObjectPage
          name={site.sitename}
          facts={
            <>
              {'type' in site && <span>{String(site.type)}</span>}
              {'url' in site && <span>{String(site.url)}</span>}
              <StatusText status={{ hidden: false, ...site }} />
            </>
          }
          actions={
            can(me, 'sites.manage') && (
              <>
                <LinkButton
                  to="/app/sites/edit/$id"
                  params={{ id: params.siteId }}
                  variant="default"
                  size="xs"
                >
                  Edit
                </LinkButton>
                <RowMenu
                  of={site.sitename}
                  actions={siteMenu(site, (action) => void askToChangeSite(action, site, refresh))}
                />
              </>
            )
          }
          tabs={tabs}
          params={params}
        />
      )}
    </FormLoader>
  )
}

/** The form loads its own data whenever it opens, so its query need not be refetched. */
const SITE_PAGE = 'site-page'

const sitePageQuery = (siteId: string, isStaff: boolean) =>
  queryOptions({
    queryKey: [SITE_PAGE, siteId, isStaff] as const,
    queryFn: async ({ signal }) => {
      if (isStaff) return call(sitesEndpoints.site, { params: { id: siteId } }, { signal })
      const offered = await call(
        sitesEndpoints.sites,
        { query: { withSuspended: '1' } },
        { signal },
      )
      const site = offered.find(({ id }) => String(id) === siteId)
      if (!site) throw new ApiError('NOT_FOUND', 'There is no such site.')
      return site
    },
    meta: { ownErrors: true },
  })
