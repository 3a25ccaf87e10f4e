/*
 * Sort fields and page sizes, without any schema: the browser parses a page's URL with them before the
 * page's chunk is loaded.
 */

export const DEFAULT_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 500

/** What lists of agents and offices can be sorted by besides their own columns: figures of their last days. */
export const sellerSorts = ['clicks', 'sales', 'lastSale'] as const

/** `planned`: its first day has not come. */
export const couponStates = ['active', 'planned', 'ended'] as const

/** What each list can be sorted by, in its call and in its page's URL. */
export const sortFields = {
  admins: ['username', 'email'],
  agents: [
    'match',
    'username',
    'officeName',
    'regTime',
    'lastLoginTime',
    'loginCount',
    'status',
    'sitesCount',
    ...sellerSorts,
  ],
  avpWeek: ['missing', 'sales', 'adds', 'username', 'officeName'],
  blackListIp: ['ip', 'addedAt'],
  chatLogs: ['officeName', 'agentUsername', 'sitename', 'clientUsername', 'submitTime'],
  clickLogs: ['clickTime'],
  commonLogs: ['date', 'username', 'ip'],
  coupons: ['code', 'sitename', 'username', 'starts'],
  domains: ['domain', 'status', 'description'],
  linkTypes: ['typename', 'typealias', 'id'],
  /** Only staff may sort by these: the order would reveal values that others may not see. */
  linkTypesStaff: ['url', 'payout', 'earning', 'lpp', 'status', 'bbrCh'],
  loginLogs: ['inTime', 'outTime', 'username', 'ip'],
  officePerformance: ['name', 'sales1', 'sales2', 'progress'],
  offices: [
    'match',
    'officeName',
    'agentsCount',
    'sitesCount',
    'username',
    'preferredDomain',
    'status',
    'regTime',
    ...sellerSorts,
  ],
  postbacks: ['receivedAt'],
  saleLogs: ['date'],
  siteList: ['hostname', 'sitename', 'abbr', 'status'],
  siteManuals: ['sitename', 'title'],
  sites: ['sitename', 'type', 'status'],
  whatIf: ['name', 'agent', 'sales', 'paid', 'wouldBe', 'difference'],
  unapproved: ['username', 'officeName', 'regTime'],
} as const

/**
 * `unmatched`: the postback waited three days, but its click or sale never arrived. `pending` and `rejected`: the
 * merchant says that it does not count, for now or at all. `ignored`: it says nothing about a sale.
 */
export const postbackOutcomes = [
  'recorded',
  'duplicate',
  'waiting',
  'unmatched',
  'pending',
  'rejected',
  'ignored',
  'conflict',
  'refused',
] as const
export type PostbackOutcome = (typeof postbackOutcomes)[number]

/** `recorded-at-zero`: recorded, but paying nothing because a rate is missing. */
export const postbackOutcomeFilters = [...postbackOutcomes, 'recorded-at-zero'] as const
export type PostbackOutcomeFilter = (typeof postbackOutcomeFilters)[number]
