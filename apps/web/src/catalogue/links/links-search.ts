import { LONGEST_PAGE } from '@tallyroom/domain/merchant-page'
import { LONGEST_SUB, MAX_ID, SUB_NAMES, type Subs } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchInt, searchText } from '../../lib/pages/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const subSearch = searchText(LONGEST_SUB)

/** The page's state in the URL. */
export const linksSearchSchema = z.object({
  ...listSearch(['typename']),
  siteId: searchInt(1, MAX_ID),
  companyId: searchInt(1, MAX_ID),
  agentId: searchInt(1, MAX_ID),
  sub1: subSearch,
  sub2: subSearch,
  sub3: subSearch,
  sub4: subSearch,
  sub5: subSearch,
  /** A page of the merchant, as pasted. */
  to: searchText(LONGEST_PAGE),
})

export type LinksSearch = z.output<typeof linksSearchSchema>

export type LinkCriteria = Pick<LinksSearch, 'siteId' | 'companyId' | 'agentId'>

export const criteriaOf = ({ siteId, companyId, agentId }: LinksSearch): LinkCriteria => ({
  siteId,
  companyId,
  agentId,
})

/** What the links carry: sub ids, and the page that they lead to. */
export type Carried = Subs & { to?: string | undefined }

/** The same without what is empty. */
export const carriedOf = (search: Carried): Carried =>
  Object.fromEntries(
    ([...SUB_NAMES, 'to'] as const).map((name) => [name, search[name]?.trim() || undefined]),
  )

/** The state of *Rates* in the URL. Agents see their own. */
export const ratesSearchSchema = z.object({
  ...listSearch(['name']),
  companyId: searchInt(1, MAX_ID),
  agentId: searchInt(1, MAX_ID),
})

export type RatesSearch = z.output<typeof ratesSearchSchema>

export const LONGEST_IN_URL = 2000

/** The state of Links translate in the URL: the text, unless it is longer than `LONGEST_IN_URL`. */
export const translateSearchSchema = z.object({ link: searchText(LONGEST_IN_URL) })
