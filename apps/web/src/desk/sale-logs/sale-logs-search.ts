import { sortFields } from '@tallyroom/contract/list-choices'
import type { SaleLogsSearch } from '@tallyroom/contract/desk/sale-logs'
import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { EVENT_KINDS, EVENT_TYPE } from '@tallyroom/domain/event-types'
import { z } from 'zod'
import { searchChoice, searchFlag, searchText } from '../../lib/pages/search.ts'
import { logCriteriaOf, logSearch, subCriteriaOf, subSearch } from '../../shared/log-criteria.ts'
import { listSearch, type CriteriaIn } from '../../ui/list/list-state.ts'

/** The record types in the URL and in the select, with their values in the API. */
export const recordTypes = {
  ...EVENT_TYPE,
  reversal: 'reversal',
} as const satisfies Record<string, SaleLogsSearch['recordType']>

export type RecordType = keyof typeof recordTypes

/** The page's state in the URL. */
export const saleLogsSearchParams = z.object({
  ...listSearch(sortFields.saleLogs),
  ...logSearch,
  recordType: searchChoice([...EVENT_KINDS, 'reversal']),
  clickId: searchText(64),
  transactionId: searchText(128),
  email: searchText(254),
  ...subSearch,
  /** Whether an agent's list has paid clicks that pay nothing. */
  unpaid: searchFlag,
})

export type SaleLogsSearchParams = z.output<typeof saleLogsSearchParams>

export type SaleLogsCriteria = CriteriaIn<SaleLogsSearchParams>

export const criteriaOf = (
  search: SaleLogsSearchParams,
  viewer: AbilityHolder,
): SaleLogsCriteria => ({
  ...logCriteriaOf(search, viewer),
  recordType: search.recordType,
  clickId: search.clickId,
  transactionId: search.transactionId,
  email: search.email,
  ...subCriteriaOf(search),
  unpaid: search.unpaid,
})
