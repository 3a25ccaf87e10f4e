import { createSecretKey, type KeyObject } from 'node:crypto'
import { deriveKey } from '../../lib/secrets.ts'

/** A session that nobody used for this long is over. */
export const sessionIdleMs = 12 * 60 * 60 * 1000

/** A session is over after this long however it is used. */
export const sessionLifeMs = 7 * 24 * 60 * 60 * 1000

/** How exactly the last use is kept: a write a minute, not one for each request. */
export const seenEveryMs = 60 * 1000

export const sessionTokenKey = (secret: Buffer): KeyObject =>
  createSecretKey(deriveKey(secret, 'session-token'))
