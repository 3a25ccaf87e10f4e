import type { InputOf } from '@tallyroom/contract/endpoint'
import { linkTypesEndpoints } from '@tallyroom/contract/link-types'
import { officeFeesEndpoints, type FeeRates, type OfficeFee } from '@tallyroom/contract/office-fees'
import { sitesEndpoints } from '@tallyroom/contract/sites'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

const { officeFees, saveOfficeFee } = officeFeesEndpoints

/** A link type, by the site that it belongs to. */
export interface TypeKey {
  siteId: number
  typeId: number
}

/** What the grid shows of a link type: its offices, and which of their rates count. */
export interface TypeFees {
  fees: readonly OfficeFee[]
  typename: string
  useApproveSale: boolean
  /** Whether a bonus, or a second day, is paid at all. */
  hasBonus: boolean
}

/** Read anew whenever the page is opened: rates are money. */
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

/** What is changed in a row, and whether its own rates apply afterwards. */
export type FeeChange = { enable: boolean } & Partial<FeeRates>

export const saveFee = (body: InputOf<typeof saveOfficeFee>['body']) =>
  call(saveOfficeFee, { body })
