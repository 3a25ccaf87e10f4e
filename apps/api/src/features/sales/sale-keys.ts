import type { CountedEvent, Reversal, ReversibleEvent } from '@tallyroom/domain/event-types'

/** How a merchant identifies a sale: by order number, or else by click. */
export type SaleName = {
  siteId: number
  transactionId: string | undefined
  clickId: string | undefined
}

export type SaleKeys = {
  /** The first to insert it counts. */
  first: string
  /** For the other half of an order's sale and approval, after the first is recorded. */
  second?: string
  /** A key from before keys stored what was reported, under which a sale may be recorded as event 1. */
  former?: string
}

/**
 * The keys that make a report count once: the same site, transaction and word; without a transaction id the
 * same click and word. An order's sale and approval take the two halves in order of arrival, so neither a
 * change of approve-sale nor a race makes both the same event.
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

/** The keys of an order's sale, approval and bonus. The numbers date from when they were event types. */
export const everySaleKey = (name: SaleName): [half: string, otherHalf: string, bonus: string] => [
  `${base(name)}:0`,
  `${base(name)}:pair`,
  `${base(name)}:1`,
]

/** The same for the report of a reversal, with `target` if the merchant named one. */
export const reversalReportKey = (
  name: SaleName,
  reversal: Reversal,
  target: ReversibleEvent | undefined,
): string => `${base(name)}:${reversal}${target === undefined ? '' : `/${target}`}`

/** Its former keys, which contained the event type derived from approve-sale. */
export const formerReversalReportKeys = (name: SaleName, reversal: Reversal): string[] => [
  `${base(name)}:${reversal}/0`,
  `${base(name)}:${reversal}/1`,
]

/** The key that makes a sale be reversed only once, by any report. */
export const reversalKey = (saleId: string): string => `reversal:${saleId}`

const base = ({ siteId, transactionId, clickId = '' }: SaleName): string =>
  transactionId === undefined ? `${siteId}:c:${clickId}` : `${siteId}:t:${transactionId}`
