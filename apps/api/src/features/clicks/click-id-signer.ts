import { createHmac, createSecretKey, randomInt } from 'node:crypto'
import {
  CLICK_ID_BOUNDS,
  type ClickIdFields,
  clickIdPayload,
  clickIdTag,
  decodeClickId,
  encodeClickId,
} from '@tallyroom/domain/click-id'
import { deriveKey } from '../../lib/secrets.ts'

export type ClickIds = {
  /** The public id of a click. */
  sign(fields: ClickIdFields): string
  /** The click that an id names; undefined for one that was not made here, or altered since. */
  read(id: string): ClickIdFields | undefined
  /**
   * To look for a click among stored ids: the text itself, and the ids that its click has by this secret and by
   * those before it. A merchant holds the one of its day, the click log shows the newest.
   */
  spellings(id: string): string[]
  /** By which a click's events are kept, whichever of its ids is reported: the one by the oldest secret. */
  name(fields: ClickIdFields): string
}

/**
 * Makes the click ids of an installation, and recognises those that were made with it or with a secret
 * before it: merchants report a sale long after its click.
 */
export function makeClickIds(secret: Buffer, formerSecrets: readonly Buffer[] = []): ClickIds {
  const tagOf = taggerOf(secret)
  const taggers = [tagOf, ...formerSecrets.map(taggerOf)]
  const oldest = taggers.at(-1) ?? tagOf
  return {
    sign: (fields) => encodeClickId(fields, tagOf(fields)),
    read(id) {
      const decoded = decodeClickId(id)
      if (!decoded) return undefined
      const { tag, ...fields } = decoded
      // Two numbers are compared in the same time wherever they differ.
      return taggers.some((tagger) => tag === tagger(fields)) ? fields : undefined
    },
    spellings(id) {
      const decoded = decodeClickId(id)
      if (!decoded) return [id]
      const signed = taggers.map((tagger) => encodeClickId(decoded, tagger(decoded)))
      return [...new Set([id, ...signed])]
    },
    name: (fields) => encodeClickId(fields, oldest(fields)),
  }
}

function taggerOf(secret: Buffer): (fields: ClickIdFields) => number {
  const key = createSecretKey(deriveKey(secret, 'click-id'))
  return (fields) => clickIdTag(createHmac('sha256', key).update(clickIdPayload(fields)).digest())
}

/**
 * Numbers that tell apart the clicks of one process in the same millisecond. They start anywhere, so that
 * two processes are unlikely to give the same number at the same time; the click's row shows if they do.
 */
export function startNonces(): () => number {
  let nonce = randomInt(CLICK_ID_BOUNDS.nonce)
  return () => (nonce = (nonce + 1) % CLICK_ID_BOUNDS.nonce)
}
