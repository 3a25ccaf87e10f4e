import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { isValidRange, type DateRange, type MaybeRange } from '@tallyroom/domain/periods'
import { MAX_ID } from '@tallyroom/domain/tracked-link'
import { searchDay, searchInt } from '../lib/search.ts'

/** What every log of selling is filtered by; what is missing filters nothing. Days are both there, or neither. */
export interface LogCriteria {
  companyId?: number | undefined
  agentId?: number | undefined
  siteId?: number | undefined
  start?: Day | undefined
  end?: Day | undefined
}

/** The same while it is edited: one of the days may be missing yet. */
export type LogDraft = Omit<LogCriteria, 'start' | 'end'> & MaybeRange

/** What every log of selling keeps in the URL; the tabs hand it on to each other. */
export const logSearch = {
  companyId: searchInt(1, MAX_ID),
  agentId: searchInt(1, MAX_ID),
  siteId: searchInt(1, MAX_ID),
  start: searchDay,
  end: searchDay,
}

/** The criteria that the URL names, as far as the viewer may choose them. */
export function logCriteriaOf(search: LogCriteria, viewer: AbilityHolder): LogCriteria {
  const { start, end } = search
  return {
    companyId: can(viewer, 'offices.choose') ? search.companyId : undefined,
    agentId: can(viewer, 'agents.choose') ? search.agentId : undefined,
    siteId: search.siteId,
    ...(isValidRange({ start, end }) && { start, end }),
  }
}

/** A draft whose days are both there, or neither. */
export type WithDays<Draft extends MaybeRange> = Omit<Draft, 'start' | 'end'> & Partial<DateRange>

/** The criteria of a draft, without its days when there are none; undefined while these are not valid. */
export function criteriaOfDraft<Draft extends MaybeRange>(
  draft: Draft,
): WithDays<Draft> | undefined {
  const { start, end, ...others } = draft
  const range = { start, end }
  if (isValidRange(range)) return { ...others, ...range }
  return start || end ? undefined : others
}

export const NO_LOG_CRITERIA: LogDraft = {
  companyId: undefined,
  agentId: undefined,
  siteId: undefined,
  start: undefined,
  end: undefined,
}
