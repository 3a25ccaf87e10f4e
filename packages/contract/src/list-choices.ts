/*
 * What lists may be asked for, apart from the schemas of their calls: a page's address is read by it before
 * the page's own code has come.
 */

export const DEFAULT_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 500

export const performanceColumns = ['name', 'sales1', 'sales2', 'progress'] as const
export type PerformanceColumn = (typeof performanceColumns)[number]

/** Of link types, for everybody and for staff alone: an order tells of what is not shown. */
export const typeSortFields = ['typename', 'typealias', 'id'] as const
export const staffTypeSortFields = ['url', 'payout', 'earning', 'lpp', 'status', 'bbrCh'] as const

export const domainSortFields = ['domain', 'status', 'description'] as const

export const siteListSortFields = ['hostname', 'sitename', 'abbr', 'status'] as const

/** What became of a postback. `unmatched`: it waited three days and its click or sale never came. */
export const postbackOutcomes = [
  'recorded',
  'duplicate',
  'waiting',
  'unmatched',
  'conflict',
  'refused',
] as const
export type PostbackOutcome = (typeof postbackOutcomes)[number]

/** What postbacks are searched by. `recorded-at-zero`: recorded, but a rate is missing. */
export const postbackOutcomeFilters = [...postbackOutcomes, 'recorded-at-zero'] as const
export type PostbackOutcomeFilter = (typeof postbackOutcomeFilters)[number]
