import type { InputOf } from '@tallyroom/contract/endpoint'
import { linkTypesEndpoints } from '@tallyroom/contract/link-types'
import { officeFeesEndpoints, type FeeRates, type OfficeFee } from '@tallyroom/contract/office-fees'
import { ratesEndpoints } from '@tallyroom/contract/rates'
import { sitesEndpoints } from '@tallyroom/contract/sites'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
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

/** Whose rates: an office's, or with null the link type's default ones. */
export interface RatesKey extends TypeKey {
  companyId: number | null
}

/** What is prepared for the link type: default rates and those of offices, nearest day first. */
export const preparedRatesQuery = ({ siteId, typeId }: TypeKey) =>
  queryOptions({
    queryKey: [ratesEndpoints.rates.path, siteId, typeId, 'prepared'] as const,
    queryFn: async ({ signal }) =>
      (
        await call(
          ratesEndpoints.rates,
          { query: { siteId: String(siteId), typeId: String(typeId), prepared: 'true' } },
          { signal },
        )
      ).toReversed(),
  })

/** All rates of an office, or the default ones, newest first. */
export const ratesQuery = ({ siteId, typeId, companyId }: RatesKey) =>
  queryOptions({
    queryKey: [ratesEndpoints.rates.path, siteId, typeId, companyId] as const,
    queryFn: ({ signal }) =>
      call(
        ratesEndpoints.rates,
        {
          query: {
            siteId: String(siteId),
            typeId: String(typeId),
            companyId: companyId === null ? 'none' : String(companyId),
          },
        },
        { signal },
      ),
  })

export const prepareRate = (body: InputOf<typeof ratesEndpoints.prepareRate>['body']) =>
  call(ratesEndpoints.prepareRate, { body })

export const withdrawRate = (id: number) =>
  call(ratesEndpoints.withdrawRate, { params: { id: String(id) } })

/** Refetches what is prepared, the histories and the grid. */
export const refreshRates = (client: QueryClient) =>
  Promise.all(
    [ratesEndpoints.rates.path, officeFees.path].map((path) =>
      client.invalidateQueries({ queryKey: [path] }),
    ),
  )
