import type { StatsRow } from '@tallyroom/contract/statistics'
import { isDay, type Day } from '@tallyroom/domain/new-york'

/** An amount on a page: its column, and the key of its row. Without a key it is the overall total. */
export interface ExplainedAmount {
  /** `payout`, `payoutDollars`, `12_payout` … */
  column: string
  row: { date?: Day; companyId?: number; agentId?: number; typeId?: number }
}

/** The key of a row, as far as its view has one. */
export const rowKeyOf = ({
  date,
  companyId,
  agentId,
  typeId,
}: StatsRow): ExplainedAmount['row'] => ({
  ...(date !== undefined && { date }),
  ...(companyId !== undefined && { companyId }),
  ...(agentId !== undefined && { agentId }),
  ...(typeId !== undefined && { typeId }),
})

/** What the URL holds while an amount is explained. */
export const explainSearch = (amount: ExplainedAmount) => ({
  explain: writeExplained(amount),
  explainPage: undefined,
})

/** `payout.2026-11-16.7.40`, and behind these the link type of a row that has one; parts that a row lacks are empty. */
const writeExplained = ({ column, row }: ExplainedAmount): string =>
  [column, row.date, row.companyId, row.agentId, ...(row.typeId === undefined ? [] : [row.typeId])]
    .map((part) => part ?? '')
    .join('.')

/** Undefined for what names no amount. */
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
