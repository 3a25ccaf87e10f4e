import { sortFields } from '@tallyroom/contract/list-choices'
import { actionTypes, type ActionType } from '@tallyroom/contract/endpoint'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { isValidRange } from '@tallyroom/domain/periods'
import { ROLES, type Role } from '@tallyroom/domain/roles'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import { searchChoice, searchDay, searchFlag, searchInt, searchText } from '../../lib/search.ts'
import { listSearch } from '../../ui/list/list-state.ts'

/** The page's state in the URL. */
export const commonLogsSearchParams = z.object({
  ...listSearch(sortFields.commonLogs),
  role: searchChoice(ROLES),
  username: searchText(64),
  ip: searchText(64),
  actionType: searchChoice(actionTypes),
  actionName: searchText(200),
  responseCode: searchInt(100, 599),
  postParams: searchText(200),
  companyId: searchInt(1, MAX_ID),
  agentId: searchInt(1, MAX_ID),
  start: searchDay,
  end: searchDay,
  /** Also lists the calls that changed nothing. */
  reads: searchFlag,
})

export type CommonLogsSearchParams = z.output<typeof commonLogsSearchParams>

/** A missing criterion does not filter. `start` and `end` are either both set or both missing. */
export interface CommonLogsCriteria {
  role?: Role | undefined
  username?: string | undefined
  ip?: string | undefined
  actionType?: ActionType | undefined
  actionName?: string | undefined
  responseCode?: number | undefined
  postParams?: string | undefined
  companyId?: number | undefined
  agentId?: number | undefined
  start?: Day | undefined
  end?: Day | undefined
}

/** The criteria in the URL that the viewer may use. */
export function criteriaOf(
  search: CommonLogsSearchParams,
  viewer: AbilityHolder,
): CommonLogsCriteria {
  const { start, end } = search
  return {
    role: can(viewer, 'roles.choose') ? search.role : undefined,
    username: search.username,
    ip: search.ip,
    actionType: search.actionType,
    actionName: search.actionName,
    responseCode: search.responseCode,
    postParams: search.postParams,
    companyId: can(viewer, 'offices.choose') ? search.companyId : undefined,
    agentId: can(viewer, 'agents.choose') ? search.agentId : undefined,
    ...(isValidRange({ start, end }) && { start, end }),
  }
}
