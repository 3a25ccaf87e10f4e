import { sortFields } from '@tallyroom/contract/list-choices'
import { actionTypes } from '@tallyroom/contract/endpoint'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import { ROLES } from '@tallyroom/domain/roles'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'
import {
  searchChoice,
  searchDay,
  searchFlag,
  searchInt,
  searchText,
} from '../../lib/pages/search.ts'
import { listSearch, type CriteriaIn } from '../../ui/list/list-state.ts'
import { logCriteriaOf } from '../../shared/log-criteria.ts'

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

/** `start` and `end` are either both set or both missing. */
export type CommonLogsCriteria = Omit<CriteriaIn<CommonLogsSearchParams>, 'reads'>

/** The criteria in the URL that the viewer may use. */
export const criteriaOf = (
  search: CommonLogsSearchParams,
  viewer: AbilityHolder,
): CommonLogsCriteria => ({
  ...logCriteriaOf(search, viewer),
  role: can(viewer, 'roles.choose') ? search.role : undefined,
  username: search.username,
  ip: search.ip,
  actionType: search.actionType,
  actionName: search.actionName,
  responseCode: search.responseCode,
  postParams: search.postParams,
})
