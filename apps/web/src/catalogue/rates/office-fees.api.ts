import type { InputOf } from '@tallyroom/contract/endpoint'
import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import {
  officeFeesEndpoints,
  type FeeRates,
  type OfficeFee,
} from '@tallyroom/contract/catalogue/office-fees'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

const { officeFees, saveOfficeFee } = officeFeesEndpoints

/** Identifies a link type. */
export interface TypeKey {
  siteId: number
  typeId: number
}

/** What the grid shows for a link type. */
export interface TypeFees {
  fees: readonly OfficeFee[]
  typename: string
  useApproveSale: boolean
  /** Whether the link type has a bonus, or the site uses approve-sale. */
  hasBonus: boolean
}

/** Refetched whenever the page opens, because rates are money. */
export const typeFeesQuery = ({ siteId, typeId }: TypeKey) =>
  queryOptions({
    queryKey: [officeFees.path, siteId, typeId] as const,
    queryFn: async ({ signal }): Promise<TypeFees> => {
      const [fees, site, types] = await Promise.all([
        call(officeFees, { query: { siteId: String(siteId), typeId: String(typeId) } }, { signal }),
        call(sitesEndpoints.site, { params: { id: String(siteId) } }, { signal }),
        call(
          linkTypesEndpoints.typesBySite,
          { params: { siteId: String(siteId) }, query: {} },
          { signal },
        ),
      ])
      const type = types.find(({ id }) => id === typeId)
      return {
        fees,
        typename: type?.typename ?? '',
        useApproveSale: site.useApproveSale,
        hasBonus: site.useApproveSale || type?.bonus === true,
      }
    },
  })

/** The changed rates of a row, and whether own rates apply afterwards. */
export type FeeChange = { enable: boolean } & Partial<FeeRates>

export const saveFee = (body: InputOf<typeof saveOfficeFee>['body']) =>
  call(saveOfficeFee, { body })
