import type { UNCOUNTED } from '@tallyroom/contract/desk/click-logs'
import type { Subs, TrackedLink } from '@tallyroom/domain/tracked-link'
import { z } from 'zod'

export type Uncounted = (typeof UNCOUNTED)[number]

/**
 * What led a visitor elsewhere than their link says. `page elsewhere`: to the link type's own URL, because the page that the
 * link names is on no host of the site. `instead of {site}/{type}`: to the click's link type, because what the link is for is
 * suspended.
 */
export const clickNoteSchema = z.union([
  z.literal('page elsewhere'),
  z.templateLiteral(['instead of ', z.int(), '/', z.int()]),
])
export type ClickNote = z.infer<typeof clickNoteSchema>

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
  note?: ClickNote | undefined
}
