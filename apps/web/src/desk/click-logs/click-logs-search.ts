import { sortFields } from '@tallyroom/contract/list-choices'
import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { z } from 'zod'
import { searchText } from '../../lib/pages/search.ts'
import { logCriteriaOf, logSearch, subCriteriaOf, subSearch } from '../../shared/log-criteria.ts'
import { listSearch, type CriteriaIn } from '../../ui/list/list-state.ts'

/** The page's state in the URL. */
export const clickLogsSearchParams = z.object({
  ...listSearch(sortFields.clickLogs),
  ...logSearch,
  ip: searchText(64),
  clickId: searchText(64),
  ...subSearch,
})

export type ClickLogsSearchParams = z.output<typeof clickLogsSearchParams>

export type ClickLogsCriteria = CriteriaIn<ClickLogsSearchParams>

export const criteriaOf = (
  search: ClickLogsSearchParams,
  viewer: AbilityHolder,
  { showIp }: { showIp: boolean },
): ClickLogsCriteria => ({
  ...logCriteriaOf(search, viewer),
  ip: showIp ? search.ip : undefined,
  clickId: search.clickId,
  ...subCriteriaOf(search),
})
