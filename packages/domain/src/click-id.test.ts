import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CLICK_ID_BOUNDS,
  clickIdPayload,
  clickIdTag,
  decodeClickId,
  encodeClickId,
  type ClickIdFields,
} from './click-id.ts'

const { tag: tagBound, ...fieldBounds } = CLICK_ID_BOUNDS
const below = (bound: number) => fc.integer({ min: 0, max: bound - 1 })
const anyFields: fc.Arbitrary<ClickIdFields> = fc.record({
  clickedAtMs: below(fieldBounds.clickedAtMs),
  agentId: below(fieldBounds.agentId),
  typeId: below(fieldBounds.typeId),
  nonce: below(fieldBounds.nonce),
})
const anyTag = below(tagBound)

const zero: ClickIdFields = { clickedAtMs: 0, agentId: 0, typeId: 0, nonce: 0 }
const highest: ClickIdFields = {
  clickedAtMs: 2 ** 44 - 1,
  agentId: 2 ** 31 - 1,
  typeId: 2 ** 24 - 1,
  nonce: 2 ** 25 - 1,
}

/** The layout, implemented a second time and slowly: bits as text. */
function bitsOf({ clickedAtMs, agentId, typeId, nonce }: ClickIdFields): string {
  const bits = (value: number, size: number) => value.toString(2).padStart(size, '0')
  return bits(clickedAtMs, 44) + bits(agentId, 31) + bits(typeId, 24) + bits(nonce, 25)
}

describe('a click id', () => {
  test.each([
    ['all zero', zero, 0, '0'.repeat(32)],
    ['all ones', highest, 2 ** 36 - 1, 'v'.repeat(32)],
    ['the lowest bit of the tag', zero, 1, `${'0'.repeat(31)}1`],
    ['the highest bit of the tag', zero, 2 ** 35, `${'0'.repeat(24)}1${'0'.repeat(7)}`],
    ['the lowest bit of the time', { ...zero, clickedAtMs: 1 }, 0, '000000002'.padEnd(32, '0')],
  ])('%s', (_, fields, tag, text) => {
    expect(encodeClickId(fields, tag)).toBe(text)
  })

  test('holds the fields in their order, big-endian', () => {
    fc.assert(
      fc.property(anyFields, anyTag, (fields, tag) => {
        const bits = bitsOf(fields) + tag.toString(2).padStart(36, '0')
        expect(encodeClickId(fields, tag)).toBe(
          (bits.match(/.{5}/g) ?? []).map((five) => parseInt(five, 2).toString(32)).join(''),
        )
      }),
    )
  })

  test('encodes back to the same text', () => {
    fc.assert(
      fc.property(anyFields, anyTag, (fields, tag) => {
        expect(decodeClickId(encodeClickId(fields, tag))).toEqual({ ...fields, tag })
      }),
    )
  })

  test('sorts by the time of the click', () => {
    fc.assert(
      fc.property(anyFields, anyFields, anyTag, (one, other, tag) => {
        fc.pre(one.clickedAtMs < other.clickedAtMs)
        expect(encodeClickId(one, tag) < encodeClickId(other, 0)).toBe(true)
      }),
    )
  })

  test.each(['clickedAtMs', 'agentId', 'typeId', 'nonce'] as const)('has a bounded %s', (field) => {
    for (const value of [-1, CLICK_ID_BOUNDS[field], 0.5, Number.NaN, Infinity]) {
      expect(() => encodeClickId({ ...zero, [field]: value }, 0)).toThrow(RangeError)
      expect(() => clickIdPayload({ ...zero, [field]: value })).toThrow(RangeError)
    }
  })

  test('has a bounded tag', () => {
    for (const tag of [-1, 2 ** 36, 0.5, Number.NaN]) {
      expect(() => encodeClickId(zero, tag)).toThrow(RangeError)
    }
  })
})

describe('text that is not a click id', () => {
  const good = encodeClickId({ clickedAtMs: 1.7e12, agentId: 7, typeId: 3, nonce: 9 }, 11)

  test.each([
    ['nothing', ''],
    ['a character short', good.slice(1)],
    ['a character more', `${good}0`],
    ['upper case', `A${good.slice(1)}`],
    ['a letter past the alphabet', `${good.slice(0, 31)}w`],
    ['a space', `${good.slice(0, 30)} 0`],
    ['a character past ASCII', `${good.slice(0, 5)}\u0130${good.slice(6)}`],
    ['NUL', `\0${good.slice(1)}`],
  ])('%s', (_, text) => {
    expect(decodeClickId(text)).toBeUndefined()
  })

  test('is detected wherever the wrong character is', () => {
    for (let index = 0; index < 32; index++) {
      expect(decodeClickId(`${good.slice(0, index)}z${good.slice(index + 1)}`)).toBeUndefined()
    }
  })

  test('never throws', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary', minLength: 32, maxLength: 32 }))
    fc.assert(
      fc.property(text, (id) => {
        expect(decodeClickId(id)).toBeUndefined()
      }),
    )
  })
})

test('the authenticated bytes are the first 124 bits and four zero bits', () => {
  fc.assert(
    fc.property(anyFields, (fields) => {
      const bytes = (`${bitsOf(fields)}0000`.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2))
      expect([...clickIdPayload(fields)]).toEqual(bytes)
    }),
  )
})

test.each([
  [[0, 0, 0, 0, 0x0f], 0],
  [[0, 0, 0, 0, 0x10], 1],
  [[0x80, 0, 0, 0, 0, 255], 2 ** 35],
  [[255, 255, 255, 255, 255, 0], 2 ** 36 - 1],
])('the tag of %j is %i', (mac, tag) => {
  expect(clickIdTag(Uint8Array.from(mac))).toBe(tag)
})
