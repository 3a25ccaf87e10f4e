import { sortFields } from '@tallyroom/contract/list-choices'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { isValidRange } from '@tallyroom/domain/periods'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchDay, searchInt, searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

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

/** A missing criterion does not filter. `start` and `end` are either both set or both missing. */
export interface LoginLogsCriteria {
  companyId?: number | undefined
  agentId?: number | undefined
  ip?: string | undefined
  start?: Day | undefined
  end?: Day | undefined
}

/** The criteria in the URL that the viewer may use. */
export function criteriaOf(
  search: LoginLogsSearchParams,
  viewer: AbilityHolder,
  { showIp }: { showIp: boolean },
): LoginLogsCriteria {
  const { start, end } = search
  return {
    companyId: can(viewer, 'offices.choose') ? search.companyId : undefined,
    agentId: can(viewer, 'agents.choose') ? search.agentId : undefined,
    ip: showIp ? search.ip : undefined,
    ...(isValidRange({ start, end }) && { start, end }),
  }
}
