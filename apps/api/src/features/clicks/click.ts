import type { Subs, TrackedLink } from '@tallyroom/domain/tracked-link'

/** A click as it is kept. Agent, instant and nonce are its key; the click id is made of them. */
export type Click = TrackedLink & {
  clickedAtMs: number
  nonce: number
  /** The agent's office at that moment. */
  officeId: number
  /** Canonical. */
  ip: string
  /** False when the address was black-listed: the click is kept and counts for nothing. */
  counted: boolean
  referrer?: string | undefined
  subs?: Subs | undefined
}
