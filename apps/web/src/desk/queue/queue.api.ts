import { type Queue, queueEndpoints } from '@tallyroom/contract/desk/queue'
import { queryOf, refreshOf } from '../../lib/queries.ts'

export const queueQuery = queryOf(queueEndpoints.queue, {}, { meta: { ownErrors: true } })

/** One of a queue, or without an id all of it. */
export type Which = { queue: Queue; id?: number }

export const refreshQueue = refreshOf(queueEndpoints.queue)
