import { officeFeesEndpoints } from '@tallyroom/contract/catalogue/office-fees'
import { rateBackdatingEndpoints } from '@tallyroom/contract/pay/backdating/backdating'
import { ratesEndpoints } from '@tallyroom/contract/catalogue/rates'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf, refreshOf } from '../../lib/queries.ts'

/** Whose rates: an office's own, or the link type's default rates (null). */
export interface RatesKey {
  siteId: number
  typeId: number
  companyId: number | null
}

/** Prepared rates, earliest first: of a link type, default and offices' own; of a whole site, default rates only. */
export const preparedRatesQuery = ({ siteId, typeId }: { siteId: number; typeId?: number }) =>
  queryOptions({
    queryKey: [ratesEndpoints.rates.path, siteId, typeId, 'prepared'] as const,
    queryFn: async ({ signal }) =>
      (
        await call(
          ratesEndpoints.rates,
          {
            query: {
              siteId: String(siteId),
              ...(typeId === undefined ? { companyId: 'none' } : { typeId: String(typeId) }),
              prepared: 'true',
            },
          },
          { signal },
        )
      ).toReversed(),
  })

/** All rates of an office, or the default ones, newest first. */
export const ratesQuery = (of: RatesKey) => queryOf(ratesEndpoints.rates, { query: asked(of) })

/** Their backdatings, newest first. */
export const backdatingsQuery = (of: RatesKey) =>
  queryOf(rateBackdatingEndpoints.rateBackdatings, { query: asked(of) })

const asked = ({ siteId, typeId, companyId }: RatesKey) => ({
  siteId: String(siteId),
  typeId: String(typeId),
  companyId: companyId === null ? 'none' : String(companyId),
})

/** Refetches prepared rates, histories, backdatings and the grid. */
export const refreshRates = refreshOf(
  ratesEndpoints.rates,
  rateBackdatingEndpoints.rateBackdatings,
  officeFeesEndpoints.officeFees,
)
