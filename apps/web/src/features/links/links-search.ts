import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchInt } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** What the page keeps in the URL. */
export const linksSearchSchema = z.object({
  ...listSearch(['typename']),
  siteId: searchInt(1, MAX_ID),
  companyId: searchInt(1, MAX_ID),
  agentId: searchInt(1, MAX_ID),
})

type LinksSearch = z.output<typeof linksSearchSchema>

export type LinkCriteria = Pick<LinksSearch, 'siteId' | 'companyId' | 'agentId'>

export const criteriaOf = ({ siteId, companyId, agentId }: LinksSearch): LinkCriteria => ({
  siteId,
  companyId,
  agentId,
})
