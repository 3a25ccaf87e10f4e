import { equals } from '../../lib/criteria.ts'
import { searchChoice } from '../../lib/pages/search.ts'

export const STATUSES = ['activated', 'suspended'] as const
export type StatusChoice = (typeof STATUSES)[number]

/** The status filter in the URL. */
export const searchStatus = searchChoice(STATUSES)

/** The status filter as a criterion of a search. */
export const statusEquals = (status: StatusChoice | undefined) =>
  equals('active', status && status === 'activated')
