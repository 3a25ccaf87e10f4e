import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf, refreshOf } from '../../lib/queries.ts'

const { typesBySite, linkType } = linkTypesEndpoints

/** The site, for its name and whether it uses approve-sale. */
export const siteOfTypesQuery = (siteId: string) =>
  queryOf(sitesEndpoints.site, { params: { id: siteId } }, { meta: { ownErrors: true } })

export const linkTypeFormQuery = (siteId: string, typeId: string | undefined) =>
  queryOptions({
    queryKey: [linkType.path, 'form', siteId, typeId] as const,
    queryFn: async ({ signal }) => {
      const [site, opened] = await Promise.all([
        call(sitesEndpoints.site, { params: { id: siteId } }, { signal }),
        typeId === undefined ? undefined : call(linkType, { params: { id: typeId } }, { signal }),
      ])
      return { site, linkType: opened }
    },
    ...FOR_FORM,
  })

/** Refetches the lists, and the selects that offer link types. */
export const refreshLinkTypes = refreshOf(typesBySite, sitesEndpoints.searchSites)
