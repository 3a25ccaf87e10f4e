import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { startVisitLimit } from './visit-limit.ts'

const link = { siteId: 1, typeId: 2, agentId: 3 }
const at = new Date('2026-03-10T15:00:59.999Z')
const nextMinute = new Date('2026-03-10T15:01:00.000Z')

const visit = fc.record({
  agentId: fc.integer({ min: 1, max: 3 }),
  typeId: fc.integer({ min: 1, max: 3 }),
  visitor: fc.constantFrom('203.0.113.7', '203.0.113.8', '203.0.113.78', '2001:db8::/64'),
})

property.prop([fc.array(visit, { maxLength: 200 })])(
  'each subscriber has the limit on each link',
  (visits) => {
    const limit = startVisitLimit(3)
    const counts = new Map<string, number>()
    for (const { visitor, ...ids } of visits) {
      const key = JSON.stringify([visitor, ids])
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      expect(limit.takes({ link: { ...link, ...ids }, visitor, at })).toBe(count <= 3)
    }
  },
)

test('a flood of one address is stopped, however many others visit, and hardly any of them', () => {
  const limit = startVisitLimit(100)
  let refused = 0
  for (let index = 0; index < 200_000; index++) {
    const visitor = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
    if (!limit.takes({ link, visitor, at })) refused++
  }
  const flood = Array.from({ length: 300 }, () => limit.takes({ link, visitor: '192.0.2.1', at }))
  expect(refused).toBe(0)
  expect(flood.filter(Boolean).length).toBeLessThanOrEqual(100)
  expect(flood.filter(Boolean).length).toBeGreaterThan(80)
})

test('the next minute begins anew', () => {
  const limit = startVisitLimit(1)
  expect(
    [at, at, nextMinute].map((now) => limit.takes({ link, visitor: '192.0.2.1', at: now })),
  ).toEqual([true, false, true])
})

test('0 is no limit', () => {
  const limit = startVisitLimit(0)
  for (let index = 0; index < 1_000; index++) {
    expect(limit.takes({ link, visitor: '192.0.2.1', at })).toBe(true)
  }
})
