import { fc, test } from '@fast-check/vitest'
import { CLICK_ID_BOUNDS } from '@tallyroom/domain/click-id'
import { expect } from 'vitest'
import { makeClickIds, startNonces } from './click-id-signer.ts'

const ids = makeClickIds(Buffer.alloc(32, 1))
const othersIds = makeClickIds(Buffer.alloc(32, 2))

const below = (bound: number) => fc.integer({ min: 0, max: bound - 1 })
const fields = fc.record({
  clickedAtMs: fc.maxSafeNat().map((ms) => ms % CLICK_ID_BOUNDS.clickedAtMs),
  agentId: below(CLICK_ID_BOUNDS.agentId),
  typeId: below(CLICK_ID_BOUNDS.typeId),
  nonce: below(CLICK_ID_BOUNDS.nonce),
})

test.prop([fields])('an id decodes to its click', (click) => {
  const id = ids.sign(click)
  expect(id).toMatch(/^[0-9a-v]{32}$/)
  expect(ids.read(id)).toEqual(click)
})

test.prop([fields, fc.nat(31), fc.nat(30)])(
  'an id with any character altered is invalid',
  (click, place, shift) => {
    const id = ids.sign(click)
    const alphabet = '0123456789abcdefghijklmnopqrstuv'
    const other = alphabet[(alphabet.indexOf(id.charAt(place)) + 1 + shift) % 32]
    expect(ids.read(id.slice(0, place) + other + id.slice(place + 1))).toBeUndefined()
  },
)

test.prop([fields])('an id of another installation is invalid', (click) => {
  expect(ids.read(othersIds.sign(click))).toBeUndefined()
})

test.prop([fields])('after the secret is rotated, either id leads to both', (click) => {
  const before = ids.sign(click)
  const replaced = makeClickIds(Buffer.alloc(32, 3), [Buffer.alloc(32, 1)])
  const after = replaced.sign(click)
  expect(after.slice(0, 24)).toBe(before.slice(0, 24))
  expect(new Set(replaced.spellings(before))).toEqual(new Set([before, after]))
  expect(new Set(replaced.spellings(after))).toEqual(new Set([before, after]))
  expect(replaced.spellings('no id')).toEqual(['no id'])
})

test.each(['', 'x', '0'.repeat(32), 'z'.repeat(32), '0'.repeat(33), '\\0'.repeat(32)])(
  '%j is not an id',
  (text) => expect(ids.read(text)).toBeUndefined(),
)

test('nonces of a process do not repeat and stay within bounds', () => {
  const next = startNonces()
  const nonces = Array.from({ length: 10_000 }, next)
  expect(new Set(nonces).size).toBe(10_000)
  expect(nonces.every((nonce) => nonce >= 0 && nonce < CLICK_ID_BOUNDS.nonce)).toBe(true)
})

test('an id under an earlier secret is still valid', () => {
  const [old, newest] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const click = { agentId: 7, typeId: 3, clickedAtMs: 1_770_000_000_123, nonce: 5 }
  const id = makeClickIds(old).sign(click)
  expect(makeClickIds(newest, [old]).read(id)).toEqual(click)
  expect(makeClickIds(newest).read(id)).toBeUndefined()
})
