import { sellerSorts } from '@tallyroom/contract/list-choices'

/** What the lists of agents and offices show of them: the accounts, or what they sell. */
export const COLUMN_SETS = ['accounts', 'sellers'] as const
export type ColumnSet = (typeof COLUMN_SETS)[number]

/** What of a URL names a set. */
export interface NamedSet {
  show?: ColumnSet | undefined
  sortField?: string | undefined
}

/** The set that a URL names, by itself or by what it sorts by; undefined if both sets have that. */
export function setOf({ show, sortField }: NamedSet): ColumnSet | undefined {
  if (show) return show
  if (sellerSorts.some((field) => field === sortField)) return 'sellers'
  return ACCOUNT_SORTS.some((field) => field === sortField) ? 'accounts' : undefined
}

const ACCOUNT_SORTS = ['regTime', 'lastLoginTime', 'loginCount', 'sitesCount', 'preferredDomain']
