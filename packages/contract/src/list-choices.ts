/*
 * Sort fields and page sizes, without any schema: the browser parses a page's URL with them before the
 * page's chunk is loaded.
 */

export const DEFAULT_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 500

export const performanceColumns = ['name', 'sales1', 'sales2', 'progress'] as const
export type PerformanceColumn = (typeof performanceColumns)[number]

/** Only staff may sort by the staff fields: the order would reveal values that others may not see. */
export const typeSortFields = ['typename', 'typealias', 'id'] as const
export const staffTypeSortFields = ['url', 'payout', 'earning', 'lpp', 'status', 'bbrCh'] as const

export const domainSortFields = ['domain', 'status', 'description'] as const

export const siteListSortFields = ['hostname', 'sitename', 'abbr', 'status'] as const

/** `unmatched`: the postback waited three days, but its click or sale never arrived. */
export const postbackOutcomes = [
  'recorded',
  'duplicate',
  'waiting',
  'unmatched',
  'conflict',
  'refused',
] as const
export type PostbackOutcome = (typeof postbackOutcomes)[number]

/** `recorded-at-zero`: recorded, but pays nothing because a rate is missing. */
export const postbackOutcomeFilters = [...postbackOutcomes, 'recorded-at-zero'] as const
export type PostbackOutcomeFilter = (typeof postbackOutcomeFilters)[number]
