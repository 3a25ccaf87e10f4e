import { createHmac, createSecretKey, randomInt } from 'node:crypto'
import {
  CLICK_ID_BOUNDS,
  FIRST_UNSTORED_NONCE,
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
  /** Verifies an id and returns its click; undefined if it was forged or altered. */
  read(id: string): ClickIdFields | undefined
  /**
   * All ids of a stored click, for searching: the text itself, and the ids under the current and
   * earlier secrets. The merchant has the id from the time of the click, while the click log shows
   * the newest one.
   */
  spellings(id: string): string[]
  /**
   * The id under the oldest secret, under which a click's events are stored, whichever id was
   * reported.
   */
  name(fields: ClickIdFields): string
}

/**
 * Creates and verifies click ids. Ids under earlier secrets remain valid, because merchants may report a sale
 * long after its click.
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
      // Comparing two numbers takes constant time.
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
 * Nonces that distinguish the clicks of one process in the same millisecond. They start at random,
 * so that two processes rarely collide; if they do, the primary key detects it.
 */
export const startNonces = (): (() => number) => startCounting(0, FIRST_UNSTORED_NONCE)

/** The nonces of clicks that are not stored. */
export const startUnstoredNonces = (): (() => number) =>
  startCounting(FIRST_UNSTORED_NONCE, CLICK_ID_BOUNDS.nonce)

function startCounting(first: number, before: number): () => number {
  let nonce = randomInt(first, before)
  return () => (nonce = nonce + 1 < before ? nonce + 1 : first)
}
