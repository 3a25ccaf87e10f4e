import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { TEST_PARAM, type TrackedLink } from '@tallyroom/domain/tracked-link'
import { deriveKey } from '../../lib/secrets.ts'

/** Marks in links that somebody tries out. */
export type TestMarks = {
  sign(id: string, endsAt: Date, link: TrackedLink): string
  /** The test that a visit of a link belongs to; undefined if the mark is another link's, altered or too old. */
  read(mark: unknown, link: TrackedLink, at: Date): string | undefined
}

const BYTES = 16

export function makeTestMarks(secret: Buffer): TestMarks {
  const key = createSecretKey(deriveKey(secret, 'link-tests'))
  const signatureOf = (id: string, ends: string, { siteId, typeId, agentId }: TrackedLink) =>
    createHmac('sha256', key)
      .update([id, ends, siteId, typeId, agentId].join('.'))
      .digest()
      .subarray(0, BYTES)
  return {
    sign(id, endsAt, link) {
      const ends = Math.floor(endsAt.getTime() / 1000).toString(36)
      return `${id}.${ends}.${signatureOf(id, ends, link).toString('base64url')}`
    },
    read(mark, link, at) {
      const text = typeof mark === 'string' ? mark : ''
      const [, id = '', ends = '', signed = ''] =
        /^([\w-]{16})\.([\da-z]{1,8})\.([\w-]{22})$/.exec(text) ?? []
      const bytes = Buffer.from(signed, 'base64url')
      if (bytes.length !== BYTES || Number.parseInt(ends, 36) * 1000 < at.getTime())
        return undefined
      return timingSafeEqual(bytes, signatureOf(id, ends, link)) ? id : undefined
    },
  }
}

/** The test that a visit belongs to; undefined of nearly all. */
export function testOf(
  marks: TestMarks,
  { query, link, at }: { query: { readonly [name: string]: unknown }; link: TrackedLink; at: Date },
): string | undefined {
  const mark = query[TEST_PARAM]
  return mark === undefined ? undefined : marks.read(mark, link, at)
}
