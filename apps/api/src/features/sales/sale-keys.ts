import type { EventType, Reversal } from '@tallyroom/domain/event-types'

/** By what a merchant names one of its sales: its own order number, or else the click. */
export type SaleName = {
  siteId: number
  transactionId: string | undefined
  clickId: string | undefined
}

/**
 * What makes an event count once: the same (site, transaction, event), and without a transaction id
 * the same (click, event).
 */
export const saleKey = (name: SaleName, event: EventType): string => `${base(name)}:${event}`

/** The same for the report of a reversal; `target` when the merchant said what to take back. */
export const reversalReportKey = (
  name: SaleName,
  reversal: Reversal,
  target: EventType | undefined,
): string => `${base(name)}:${reversal}${target === undefined ? '' : `/${target}`}`

/** What makes a sale be reversed once, by whatever report. */
export const reversalKey = (saleId: string): string => `reversal:${saleId}`

const base = ({ siteId, transactionId, clickId = '' }: SaleName): string =>
  transactionId === undefined ? `${siteId}:c:${clickId}` : `${siteId}:t:${transactionId}`
