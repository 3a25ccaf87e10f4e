import { sortFields } from '@tallyroom/contract/list-choices'
import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchDay, searchInt, searchText } from '../../lib/pages/search.ts'
import { listSearch, type CriteriaIn } from '../../ui/list/list-state.ts'
import { logCriteriaOf } from '../../shared/log-criteria.ts'

/** The page's state in the URL. The agents list links here with `agentId` and `companyId`. */
export const loginLogsSearchParams = z.object({
  ...listSearch(sortFields.loginLogs),
  companyId: searchInt(1, MAX_ID),
  agentId: searchInt(1, MAX_ID),
  ip: searchText(64),
  start: searchDay,
  end: searchDay,
})

export type LoginLogsSearchParams = z.output<typeof loginLogsSearchParams>

export type LoginLogsCriteria = CriteriaIn<LoginLogsSearchParams>

/** The criteria in the URL that the viewer may use. */
export const criteriaOf = (
  search: LoginLogsSearchParams,
  viewer: AbilityHolder,
  { showIp }: { showIp: boolean },
): LoginLogsCriteria => ({
  ...logCriteriaOf(search, viewer),
  ip: showIp ? search.ip : undefined,
})
