import { expect, test } from 'vitest'
import { fc } from '@fast-check/vitest'
import { placeOfPage } from './place-of-page.ts'

const counts = [
  { day: '2026-03-03', clicks: 2 },
  { day: '2026-03-02', clicks: 1 },
  { day: '2026-02-27', clicks: 3 },
]

test.each([
  ['at the start', 0, 2, { days: ['2026-03-03'], offset: 0 }],
  ['over two days', 1, 2, { days: ['2026-03-03', '2026-03-02'], offset: 1 }],
  ['at the edge of a day', 2, 1, { days: ['2026-03-02'], offset: 0 }],
  ['within the last day', 4, 2, { days: ['2026-02-27'], offset: 1 }],
  ['longer than the list', 0, 50, { days: ['2026-03-03', '2026-03-02', '2026-02-27'], offset: 0 }],
  ['behind the end', 6, 2, undefined],
])('a page %s', (_, offset, limit, expected) => {
  expect(placeOfPage(counts, { offset, limit })).toEqual(expected)
})

test('a list without rows has no page', () => {
  expect(placeOfPage([], { offset: 0, limit: 50 })).toBeUndefined()
})

test('for any counts, the rows at the place are those of the page', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(5), { maxLength: 20 }),
      fc.nat(60),
      fc.integer({ min: 1, max: 20 }),
      (clicksOfDays, offset, limit) => {
        const days = clicksOfDays.map((clicks, number) => ({ day: `day ${number}`, clicks }))
        const rowsOf = (of: typeof days) =>
          of.flatMap(({ day, clicks }) => Array.from({ length: clicks }, (_, n) => `${day} ${n}`))
        const place = placeOfPage(days, { offset, limit })
        const found = place
          ? rowsOf(days.filter(({ day }) => place.days.includes(day)))
              .slice(place.offset)
              .slice(0, limit)
          : []
        expect(found).toEqual(rowsOf(days).slice(offset, offset + limit))
      },
    ),
  )
})
