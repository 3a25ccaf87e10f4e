import { type Queue, queueEndpoints } from '@tallyroom/contract/desk/queue'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { call } from '../../lib/call.ts'
import { queryOf, refreshOf } from '../../lib/queries.ts'

export const queueQuery = queryOf(queueEndpoints.queue, {}, { meta: { ownErrors: true } })

/** One of a queue, or without an id all of it. */
export type Which = { queue: Queue; id?: number }

export const tryAgain = (body: Which) => call(queueEndpoints.tryQueueAgain, { body })

export const decideHeld = (body: InputOf<typeof queueEndpoints.decideHeld>['body']) =>
  call(queueEndpoints.decideHeld, { body })

export const refreshQueue = refreshOf(queueEndpoints.queue)
