import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { isValidRange } from '@tallyroom/domain/periods'
import { LONGEST_SUB, MAX_ID, SUB_NAMES, type SubName } from '@tallyroom/domain/tracked-link'
import { searchChoice, searchDay, searchInt, searchText } from '../lib/pages/search.ts'

/**
 * The criteria that chat, click and sale logs share. A missing criterion does not filter. `start` and `end` are
 * either both set or both missing.
 */
export interface LogCriteria {
  companyId?: number | undefined
  agentId?: number | undefined
  siteId?: number | undefined
  start?: Day | undefined
  end?: Day | undefined
}

/** The criteria in the URL. The tabs of the logs carry them over. */
export const logSearch = {
  companyId: searchInt(1, MAX_ID),
  agentId: searchInt(1, MAX_ID),
  siteId: searchInt(1, MAX_ID),
  start: searchDay,
  end: searchDay,
}

/** The criteria by sub id of the logs of clicks and sales. */
export const subSearch = { sub: searchChoice(SUB_NAMES), subId: searchText(LONGEST_SUB) }

/** A value without the name of its sub id filters nothing. */
export const subCriteriaOf = ({
  sub,
  subId,
}: {
  sub?: SubName | undefined
  subId?: string | undefined
}) => ({ sub, subId: sub && (subId || undefined) })

/** The criteria in the URL that the viewer may use. */
export function logCriteriaOf(search: LogCriteria, viewer: AbilityHolder): LogCriteria {
  const { start, end } = search
  return {
    companyId: can(viewer, 'offices.choose') ? search.companyId : undefined,
    agentId: can(viewer, 'agents.choose') ? search.agentId : undefined,
    siteId: search.siteId,
    ...(isValidRange({ start, end }) && { start, end }),
  }
}
