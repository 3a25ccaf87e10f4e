import type { InputOf } from '@tallyroom/contract/endpoint'
import { heldPostbacksEndpoints } from '@tallyroom/contract/tracking/held-postbacks'
import { saleLogsEndpoints } from '@tallyroom/contract/desk/sale-logs'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

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

export const settleHeld = (body: InputOf<typeof settle>['body']) => call(settle, { body })

/** Sales of a site whose order number begins so, for the choice of the one to take back. */
export const salesQuery = (siteId: number, transactionId: string) =>
  queryOf(
    saleLogsEndpoints.searchSaleLogs,
    { body: { siteId, transactionId, pageSize: 10 } },
    { keepPrevious: true },
  )
