import { type ErrorCode, errorStatus, type FieldMessages } from '@tallyroom/contract/errors'
import type { PostbackAnswer } from '@tallyroom/contract/tracking/postbacks'
import { type Received, reasonOf } from './receive-postback.ts'

/** The answer to a merchant. */
export type Answer = {
  status: number
  /** JSON, or the fixed text that the site asked for. */
  body: PostbackAnswer | PostbackAnswer[] | string
  /** If refused: the same code as in the body. */
  code?: ErrorCode
}

export type SingleAnswer = Answer & { body: PostbackAnswer }

export function answerOf(received: Received): SingleAnswer {
  const { id, outcome } = received
  switch (received.outcome) {
    case 'recorded':
      return { status: 201, body: { id, outcome, eventId: received.eventId } }
    case 'duplicate': {
      const { eventId, reason } = received
      return { status: 200, body: { id, outcome, eventId, reason } }
    }
    case 'rejected':
    case 'ignored':
      return { status: 200, body: { id, outcome, reason: received.reason } }
    case 'waiting':
    case 'pending':
      return { status: 202, body: { id, outcome, reason: received.reason } }
    case 'conflict':
      // It is no mistake of the merchant's.
      if (received.kind === 'new-word') {
        return { status: 202, body: { id, outcome: 'waiting', reason: received.reason } }
      }
      return refusal('CONFLICT', { id, outcome, reason: received.reason })
    case 'refused':
      return malformed(id, received.data)
  }
}

/** Of a body that can't be read. */
export type UnreadableStatus = 400 | 413 | 415

export const malformed = (
  id: string,
  data: FieldMessages,
  status?: UnreadableStatus,
): SingleAnswer =>
  refusal('VALIDATION_ERROR', { id, outcome: 'refused', reason: reasonOf(data), data }, status)

export const unauthenticated = (id: string): SingleAnswer =>
  refusal('INVALID_TOKEN', { id, outcome: 'refused', reason: NO_KEY })

/** The same for a wrong key and for an unknown site. */
export const NO_KEY = 'The key or signature is missing or wrong.'

const refusal = (
  code: ErrorCode,
  body: PostbackAnswer & { reason: string },
  status: number = errorStatus[code],
): SingleAnswer => ({ status, code, body: { code, message: body.reason, ...body } })
