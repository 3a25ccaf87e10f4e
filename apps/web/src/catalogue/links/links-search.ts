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
})

export type LinksSearch = z.output<typeof linksSearchSchema>

export type LinkCriteria = Pick<LinksSearch, 'siteId' | 'companyId' | 'agentId'>

export const criteriaOf = ({ siteId, companyId, agentId }: LinksSearch): LinkCriteria => ({
  siteId,
  companyId,
  agentId,
})

/** The sub ids, without empty ones. */
export const subsOf = (search: Subs): Subs =>
  Object.fromEntries(SUB_NAMES.map((name) => [name, search[name] || undefined]))

export const LONGEST_IN_URL = 2000

/** The state of Links translate in the URL: the text, unless it is longer than `LONGEST_IN_URL`. */
export const translateSearchSchema = z.object({ link: searchText(LONGEST_IN_URL) })
