import { notFoundText } from '@tallyroom/contract/errors'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { can } from '@tallyroom/domain/abilities'
import { getRouteApi } from '@tanstack/react-router'
import { askToChangeSite, siteMenu } from '../../catalogue/sites/site-actions.tsx'
import { refreshSites } from '../../catalogue/sites/sites.api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { LANDING } from '../../lib/pages/page.ts'
import { useMe } from '../../lib/session.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { StatusText } from '../../ui/text/StatusText.tsx'
import { ObjectPage, useObject } from './ObjectPage.tsx'

const route = getRouteApi('/app/sites/$siteId')

const tabs = [
  '/app/sites/$siteId',
  '/app/sites/$siteId/sales',
  '/app/sites/$siteId/clicks',
  '/app/sites/$siteId/links',
  '/app/sites/$siteId/rates',
  '/app/sites/$siteId/alarms',
  '/app/sites/$siteId/history',
] as const

/** A site's page: for staff with its settings, for offices and agents with what they sell on it. */
export function SitePage() {
  const me = useMe()
  const params = route.useParams()
  const isStaff = can(me, 'sites.view')
  const { query, refresh } = useObject({
    key: ['site', params.siteId, isStaff],
    read: ({ signal }) =>
      isStaff ? siteOf(params.siteId, signal) : offeredSite(params.siteId, signal),
    refreshLists: refreshSites,
  })
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
            can(me, 'sites.manage')
              ? {
                  edit: { to: '/app/sites/edit/$id', params: { id: params.siteId } },
                  menu: siteMenu(site, (action) => void askToChangeSite(action, site, refresh)),
                }
              : undefined
          }
          tabs={tabs}
          params={params}
        />
      )}
    </FormLoader>
  )
}

const siteOf = (id: string, signal: AbortSignal) =>
  call(sitesEndpoints.site, { params: { id } }, { signal })

/** One of the sites that the viewer sells. */
async function offeredSite(siteId: string, signal: AbortSignal) {
  const offered = await call(sitesEndpoints.sites, { query: { withSuspended: '1' } }, { signal })
  const site = offered.find(({ id }) => String(id) === siteId)
  if (!site) throw new ApiError('NOT_FOUND', notFoundText('site'))
  return site
}
