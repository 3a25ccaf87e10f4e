import type { Found, LogName } from '@tallyroom/contract/desk/find'
import { decodeClickId } from '@tallyroom/domain/click-id'
import type { LogCriteria } from './log-criteria.ts'

/** An address in the app with its search. */
export interface Place {
  to: string
  search?: Record<string, unknown>
}

/** Where a match of the search leads. */
export const placeOf = ({ kind, id }: Pick<Found, 'kind' | 'id'>): Place => places[kind](id)

const places: Record<Found['kind'], (id: string) => Place> = {
  sale: (id) => ({ to: `/app/sales/${id}` }),
  click: (clickId) => ({ to: logPlaces.clicks, search: { clickId } }),
  // The list takes both, and a click id is never an order number.
  postback: (id) => ({
    to: logPlaces.postbacks,
    search: isClickId(id) ? { clickId: id } : { transactionId: id },
  }),
  statement: (id) => ({ to: `/app/pay/statements/${id}` }),
  run: (id) => ({ to: `/app/pay/runs/${id}` }),
  payment: (payee) => ({ to: `/app/pay/balances/${payee}` }),
  agent: (id) => ({ to: `/app/agents/${id}` }),
  office: (id) => ({ to: `/app/offices/${id}` }),
  site: (id) => ({ to: `/app/sites/${id}` }),
  admin: (id) => ({ to: `/app/admins/edit/${id}` }),
}

/** Where a log shows its entries for the criteria. */
export const logPlace = (log: LogName, criteria: LogCriteria): Place => {
  const { siteId, start, end } = criteria
  // Postbacks have no agents.
  return {
    to: logPlaces[log],
    search: log === 'postbacks' ? { siteId, start, end } : { ...criteria },
  }
}

const logPlaces: Record<LogName, string> = {
  sales: '/app/logs/sale-logs',
  clicks: '/app/logs/click-outs',
  chats: '/app/logs/chat',
  postbacks: '/app/sites/postbacks',
}

const isClickId = (id: string) => decodeClickId(id) !== undefined
