import { siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { queryOf } from '../../lib/queries.ts'

const { siteManuals, siteManual } = siteManualsEndpoints

/** Switching tabs refetches at most once a minute. */
const STALE_MS = 60_000

export const manualsQuery = queryOf(
  siteManuals,
  { query: { sortField: 'title' } },
  { staleTime: STALE_MS },
)

export const manualQuery = (id: number) =>
  queryOf(siteManual, { params: { id: String(id) } }, { staleTime: STALE_MS })
