import { sortFields } from '@tallyroom/contract/list-choices'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { isValidRange } from '@tallyroom/domain/periods'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchDay, searchInt, searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** What the page keeps in the URL; the agents list leads here with `agentId` and `companyId`. */
export const loginLogsSearchParams = z.object({
  ...listSearch(sortFields.loginLogs),
  companyId: searchInt(1, MAX_ID),
  agentId: searchInt(1, MAX_ID),
  ip: searchText(64),
  start: searchDay,
  end: searchDay,
})

export type LoginLogsSearchParams = z.output<typeof loginLogsSearchParams>

/** What the list is filtered by; what is missing filters nothing. Days are both there, or neither. */
export interface LoginLogsCriteria {
  companyId?: number | undefined
  agentId?: number | undefined
  ip?: string | undefined
  start?: Day | undefined
  end?: Day | undefined
}

/** The criteria that the URL names, as far as the viewer may choose them. */
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
