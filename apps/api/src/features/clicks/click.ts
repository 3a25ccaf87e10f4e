import type { UNCOUNTED } from '@tallyroom/contract/click-logs'
import type { Subs, TrackedLink } from '@tallyroom/domain/tracked-link'

export type Uncounted = (typeof UNCOUNTED)[number]

/** A click as it is kept. Agent, instant and nonce are its key; the click id is made of them. */
export type Click = TrackedLink & {
  clickedAtMs: number
  nonce: number
  /** The agent's office at that moment. */
  officeId: number
  /** Canonical. */
  ip: string
  /** Why the click is kept and counts for nothing; undefined when it counts. */
  uncounted?: Uncounted | undefined
  userAgent?: string | undefined
  referrer?: string | undefined
  subs?: Subs | undefined
}
