import type { InputOf } from '@tallyroom/contract/endpoint'
import { decisionsEndpoints } from '@tallyroom/contract/tracking/decisions'
import {
  type HeldResult,
  heldPostbacksEndpoints,
} from '@tallyroom/contract/tracking/held-postbacks'
import { siteWordsEndpoints } from '@tallyroom/contract/tracking/site-words'
import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { bothText, paidOf } from '../earned.tsx'

const { decideHeldPostback: decide } = decisionsEndpoints
const {
  askForDecision: ask,
  heldSides: sides,
  previewHeldPostbacks: preview,
  settleHeldPostbacks: settle,
} = heldPostbacksEndpoints

/** Never from the cache: what an act does depends on what others did meanwhile. */
export const previewQuery = (body: InputOf<typeof preview>['body']) =>
  queryOptions({ ...queryOf(preview, { body }, { keepPrevious: true }), gcTime: 0 })

/** Tells superadmins that a postback waits for them. */
export const askForDecision = (id: string) => call(ask, { params: { id } })

/** Both reports of an order, read anew with each decision. */
export const sidesQuery = (id: string) =>
  queryOptions({ ...queryOf(sides, { params: { id } }), gcTime: 0 })

/** Decides about one: it is carried out in a minute, unless it is undone. */
export const decideHeld = (id: string, body: InputOf<typeof decide>['body']) =>
  call(decide, { params: { id }, body })

export const settleHeld = (body: InputOf<typeof settle>['body']) => call(settle, { body })

/** Says what a word means, for all that wait with it and all that come. */
export const decideSiteWord = (
  siteId: number,
  body: InputOf<typeof siteWordsEndpoints.decideSiteWord>['body'],
) => call(siteWordsEndpoints.decideSiteWord, { params: { siteId: String(siteId) }, body })

/** Sales of a site whose order number begins so, for the choice of the one to take back. */
export const salesQuery = (siteId: number, transactionId: string) =>
  queryOf(
    saleLogsEndpoints.searchSaleLogs,
    { body: { siteId, transactionId, pageSize: 10 } },
    { keepPrevious: true },
  )

/** What a report is paid for, once it is counted; undefined if nothing of it would be. */
export function wouldPay(items: readonly HeldResult[]): string | undefined {
  const counted = items.flatMap((item) => item.changes).filter(({ quantity }) => quantity > 0)
  return counted.length === 0 ? undefined : bothText(paidOf(counted))
}
