import { siteManualsEndpoints } from '@tallyroom/contract/site-manuals'
import { queryOf } from '../../lib/queries.ts'

const { siteManuals, siteManual } = siteManualsEndpoints

/** Going from tab to tab asks once a minute at most. */
const STALE_MS = 60_000

export const manualsQuery = queryOf(
  siteManuals,
  { query: { sortField: 'title' } },
  { staleTime: STALE_MS },
)

export const manualQuery = (id: number) =>
  queryOf(siteManual, { params: { id: String(id) } }, { staleTime: STALE_MS })
