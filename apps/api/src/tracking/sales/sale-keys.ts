import {
  type CountedEvent,
  isReversible,
  type Reversal,
  REVERSALS,
  type ReversibleEvent,
} from '@tallyroom/domain/event-types'
import { textId } from '../../lib/text-id.ts'

/**
 * What the keys of an order have in common, by which they lie on one machine of a cluster. It follows from the key alone, so
 * a key that is unique with it is unique.
 */
export const orderHashOf = (key: string): number =>
  textId(/^(?:reversal|restore):/.test(key) ? key : key.replace(/:[^:]*$/, ''))

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
 *
 * The first product of an order has keys without a product, whatever the site's rule is, so that switching the
 * rule counts nothing twice. `productId`, a link type, is for the order's further products, `besideId`, a click, for
 * what staff count of the order beside another click.
 */
export function saleKeysOf(
  name: SaleName,
  event: CountedEvent,
  productId?: number,
  besideId?: string,
): SaleKeys {
  const of = (part: string) =>
    `${base(name)}:${part}${productSuffix(productId)}${clickSuffix(besideId)}`
  switch (event) {
    case 'sale':
      return {
        first: of('0'),
        second: of('pair'),
        ...(productId === undefined && besideId === undefined && { former: of('1') }),
      }
    case 'approval':
      return { first: of('0'), second: of('pair') }
    case 'bonus':
      return { first: of('1') }
    case 'click':
      return { first: of('2') }
    case 'rebill':
      return { first: of('rebill') }
  }
}

/** The keys of the first sale, approval, bonus and rebill of an order. The numbers date from when they were event types. */
const PARTS = ['0', 'pair', '1', 'rebill']

/** The keys by which the clicks of an order are found. */
export const everySaleKey = (name: SaleName): string[] => [
  ...PARTS.map((part) => `${base(name)}:${part}`),
  ...clickPlaces(name),
  ...keysBeside(name),
]

/** The keys of a click's sale, approval, bonus and rebill that staff counted beside another click of the order. */
export const keysBeside = (name: SaleName): string[] =>
  name.transactionId === undefined || name.clickId === undefined
    ? []
    : PARTS.map((part) => `${base(name)}:${part}${clickSuffix(name.clickId)}`)

/** For clicks that an order is counted for beside its first: so that it leads to all of them. */
export const clickPlaces = (name: SaleName): string[] =>
  name.transactionId === undefined
    ? []
    : Array.from({ length: MOST_BESIDE }, (_, at) => `${base(name)}:beside/${at + 1}`)

/** Beside the first click of an order. */
export const MOST_BESIDE = 4

/** That an order was taken back for one of its clicks. */
export const clickTakenBackKey = (name: SaleName): string =>
  `${base(name)}:back${clickSuffix(name.clickId)}`

/** What a reversal says that it reverses. */
export type ReversalScope = {
  target: ReversibleEvent | undefined
  /** The link type, if the merchant named one. */
  productId: number | undefined
}

/** The key of a reversal's report. */
export const reversalReportKey = (
  name: SaleName,
  reversal: Reversal,
  { target, productId }: ReversalScope,
): string =>
  `${base(name)}:${reversal}${target === undefined ? '' : `/${target}`}${productSuffix(productId)}`

/** The keys of what takes back an event of a product: with its whole order, its click, or as what a report names. */
export const keysThatTakeBack = (
  name: SaleName,
  event: CountedEvent,
  productId: number,
): readonly string[] => [
  ...(name.transactionId === undefined ? [] : [clickTakenBackKey(name)]),
  ...REVERSALS.flatMap((reversal) =>
    (isReversible(event) ? [undefined, event] : [undefined]).flatMap((target) => [
      reversalReportKey(name, reversal, { target, productId: undefined }),
      reversalReportKey(name, reversal, { target, productId }),
    ]),
  ),
]

/** The key of a reversal's report about one of several clicks of its order. */
export const ofOneClick = (reportKey: string, clickId: string): string =>
  `${reportKey}${clickSuffix(clickId)}`

/** The key of the report of a refunded part: by the merchant's number of the refund, or else by its amount and time. */
export const partKey = (
  reportKey: string,
  { amountE4, at, number }: { amountE4: number; at: Date | undefined; number: string | undefined },
) =>
  number === undefined
    ? `${reportKey}/part=${amountE4}${at ? `@${at.getTime()}` : ''}`
    : // Encoded, because what follows the last colon is not hashed.
      `${reportKey}/part=${amountE4}#${encodeURIComponent(number)}`

/** The former keys of a reversal's report, which contained the event type derived from approve-sale. */
export const formerReversalReportKeys = (name: SaleName, reversal: Reversal): string[] => [
  `${base(name)}:${reversal}/0`,
  `${base(name)}:${reversal}/1`,
]

/** The key that makes a sale be reversed only once, by any report. */
export const reversalKey = (saleId: string): string => `reversal:${saleId}`

/** The key that makes a sale be counted again only once after this reversal. */
export const restorationKey = (reversalId: string): string => `restore:${reversalId}`

/** The event that such a key names; undefined for other keys. */
export const eventIn = (key: string, kind: 'reversal' | 'restore'): string | undefined =>
  key.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : undefined

/** The key of a lock on an order. */
export const orderLock = (name: SaleName): string => base(name)

const productSuffix = (productId: number | undefined) =>
  productId === undefined ? '' : `/p${productId}`

const clickSuffix = (clickId: string | undefined) => (clickId === undefined ? '' : `/c${clickId}`)

const base = ({ siteId, transactionId, clickId = '' }: SaleName): string =>
  transactionId === undefined ? `${siteId}:c:${clickId}` : `${siteId}:t:${transactionId}`
