import type { StatsRow } from '@tallyroom/contract/statistics'
import type { KeyColumn } from '@tallyroom/contract/stats-table'
import { isDay, type Day } from '@tallyroom/domain/new-york'
import { nameOf } from '../drill.tsx'
import type { CriteriaNames } from '../statistics.api.ts'

/** An amount on a page: its column and the key of its row. An empty key means the overall total. */
export interface ExplainedAmount {
  /** `payout`, `payoutDollars`, `12_payout` … */
  column: string
  row: { date?: Day; companyId?: number; agentId?: number; typeId?: number }
}

/** The key of a row in its view. */
export const rowKeyOf = (row: StatsRow): ExplainedAmount['row'] =>
  Object.assign({}, ...Object.values(keyParts).map((partOf) => partOf(row)))

/** What each key column adds to the key. A column that another one implies adds nothing. */
const keyParts: Record<KeyColumn, (row: StatsRow) => ExplainedAmount['row']> = {
  date: ({ date }) => (date === undefined ? {} : { date }),
  officeName: ({ companyId }) => (companyId === undefined ? {} : { companyId }),
  agent: ({ agentId }) => (agentId === undefined ? {} : { agentId }),
  typename: ({ typeId }) => (typeId === undefined ? {} : { typeId }),
  sitename: () => ({}),
}

/** The URL search while an amount is explained. */
export const explainSearch = (amount: ExplainedAmount) => ({
  explain: writeExplained(amount),
  explainPage: undefined,
})

/** `payout.2026-11-16.7.40`, followed by a link type if the row has one. Missing parts are empty. */
const writeExplained = ({ column, row }: ExplainedAmount): string => `${column}.${writeRow(row)}`

const writeRow = ({ date, companyId, agentId, typeId }: ExplainedAmount['row']): string =>
  [date, companyId, agentId, ...(typeId === undefined ? [] : [typeId])]
    .map((part) => part ?? '')
    .join('.')

/** Undefined if the text does not name an amount. */
export function readExplained(text: string | undefined): ExplainedAmount | undefined {
  const [, column, date, companyId, agentId, typeId] =
    /^(\w+)\.([\d-]*)\.([1-9]\d{0,9})?\.([1-9]\d{0,9})?(?:\.([1-9]\d{0,9}))?$/.exec(text ?? '') ??
    []
  if (column === undefined || (date && !isDay(date))) return undefined
  return {
    column,
    row: {
      ...(isDay(date) && { date }),
      ...(companyId && { companyId: Number(companyId) }),
      ...(agentId && { agentId: Number(agentId) }),
      ...(typeId && { typeId: Number(typeId) }),
    },
  }
}

/** `Payout · 2026-11-16 · Manila · maria`, `Payout · Lantern Live · Gold`, or `Payout · Overall total`. */
export function explainTitle(
  { column, row }: ExplainedAmount,
  {
    headers,
    rows,
    names,
  }: {
    headers: readonly { id: string; header: string }[]
    /** The rows on screen, which know their own names. */
    rows: readonly StatsRow[]
    names: CriteriaNames
  },
): string {
  const { date, companyId, agentId, typeId } = row
  const shown = rows.find((one) => writeRow(rowKeyOf(one)) === writeRow(row))
  const whose = [
    date,
    companyId !== undefined && (shown?.officeName || nameOf(names, 'office', companyId)),
    agentId !== undefined && (shown?.agent || nameOf(names, 'agent', agentId)),
    typeId !== undefined && shown?.sitename,
    typeId !== undefined && (shown?.typename || nameOf(names, 'type', typeId)),
  ].filter(Boolean)
  const header = headers.find(({ id }) => id === column)?.header ?? 'Amount'
  return [header, ...(whose.length > 0 ? whose : ['Overall total'])].join(' · ')
}
