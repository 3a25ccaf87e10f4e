import type { UNCOUNTED } from '@tallyroom/contract/desk/click-logs'
import type { Subs, TrackedLink } from '@tallyroom/domain/tracked-link'

export type Uncounted = (typeof UNCOUNTED)[number]

/** A click as stored. Agent, time and nonce are its key and make up the click id. */
export type Click = TrackedLink & {
  clickedAtMs: number
  nonce: number
  /** The agent's office at that time. */
  officeId: number
  /** Canonical. */
  ip: string
  /** The address, or its /64 for IPv6: see `visitorOf`. */
  visitor: string
  /** Why the click is not counted; undefined if it is. */
  uncounted?: Uncounted | undefined
  userAgent?: string | undefined
  referrer?: string | undefined
  subs?: Subs | undefined
}
