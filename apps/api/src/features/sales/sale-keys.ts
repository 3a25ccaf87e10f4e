import type { CountedEvent, Reversal, ReversibleEvent } from '@tallyroom/domain/event-types'

/** By what a merchant names one of its sales: its own order number, or else the click. */
export type SaleName = {
  siteId: number
  transactionId: string | undefined
  clickId: string | undefined
}

export type SaleKeys = {
  /** Who inserts it first, counts. */
  first: string
  /** For the other one of an order's sale and approval, once the first is recorded. */
  second?: string
  /** Under which a sale may be found that was recorded as event 1 before keys said what was reported. */
  former?: string
}

/**
 * What makes a report count once: the same site, transaction and word; without a transaction id the same
 * click and word. An order's sale and approval take its two halves in whichever order they come: so neither
 * a change of approve-sale nor a race makes both of them the same event.
 */
export function saleKeysOf(name: SaleName, event: CountedEvent): SaleKeys {
  const [half, otherHalf, bonus] = everySaleKey(name)
  switch (event) {
    case 'sale':
      return { first: half, second: otherHalf, former: bonus }
    case 'approval':
      return { first: half, second: otherHalf }
    case 'bonus':
      return { first: bonus }
    case 'click':
      return { first: `${base(name)}:2` }
  }
}

/** Under which an order's sale, approval and bonus are found. The numbers are from when they were event types. */
export const everySaleKey = (name: SaleName): [half: string, otherHalf: string, bonus: string] => [
  `${base(name)}:0`,
  `${base(name)}:pair`,
  `${base(name)}:1`,
]

/** The same for the report of a reversal; `target` when the merchant said what to take back. */
export const reversalReportKey = (
  name: SaleName,
  reversal: Reversal,
  target: ReversibleEvent | undefined,
): string => `${base(name)}:${reversal}${target === undefined ? '' : `/${target}`}`

/** What it was while it held the event type that approve-sale made of the target. */
export const formerReversalReportKeys = (name: SaleName, reversal: Reversal): string[] => [
  `${base(name)}:${reversal}/0`,
  `${base(name)}:${reversal}/1`,
]

/** What makes a sale be reversed once, by whatever report. */
export const reversalKey = (saleId: string): string => `reversal:${saleId}`

const base = ({ siteId, transactionId, clickId = '' }: SaleName): string =>
  transactionId === undefined ? `${siteId}:c:${clickId}` : `${siteId}:t:${transactionId}`
