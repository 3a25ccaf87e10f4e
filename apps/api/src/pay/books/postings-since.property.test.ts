import { fc, test as property } from '@fast-check/vitest'
import { expect } from 'vitest'
import { postingsSince } from './postings-since.ts'
import type { Posting } from './postings.ts'

const DAYS = ['2026-10-05', '2026-10-20']

/** An entry at a time: not booked, or booked on a day, somewhere, with an amount. */
const state = fc.option(
  fc.record({
    day: fc.constantFrom(...DAYS),
    to: fc.constantFrom('transit', 'bank', 'commissions'),
    amount: fc.constantFrom(100, -100, 250),
    notIncome: fc.constantFrom(0, 0, 40),
  }),
  { nil: undefined },
)

/** What is booked, at one export after the other: for each of four entries its state, and whether all is exported. */
const history = fc.array(
  fc.record({ states: fc.array(state, { minLength: 4, maxLength: 4 }), isAll: fc.boolean() }),
  { minLength: 1, maxLength: 8 },
)

const booked = (
  states: readonly (
    | (Omit<Posting, 'entry' | 'belongs' | 'from' | 'currency'> & { notIncome: number })
    | undefined
  )[],
): Posting[] =>
  states.flatMap((one, index): Posting[] => {
    if (!one) return []
    const { notIncome, ...rest } = one
    const base = {
      entry: `${10 + index}`,
      belongs: rest.day,
      from: 'payable',
      currency: 'PHP',
    } as const
    const postings: Posting[] = [{ ...base, ...rest }]
    if (notIncome !== 0)
      postings.push({ ...base, day: rest.day, to: 'reimbursements', amount: notIncome })
    return postings
  })

/** What postings come to, by what a program adds up. */
function sums(postings: readonly Posting[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const { entry, day, from, to, currency, amount } of postings) {
    const key = [entry.split('-')[0], day, from, to, currency].join(' ')
    all[key] = (all[key] ?? 0) + amount
  }
  return Object.fromEntries(Object.entries(all).filter(([, amount]) => amount !== 0))
}

property.prop([history], { numRuns: 300 })(
  'whatever becomes of entries, the exports of what is new come to one export of all, and no number comes twice',
  (steps) => {
    let given: Posting[] = []
    const ever: Posting[] = []
    const numbers = new Set<string>()
    for (const { states, isAll } of steps) {
      const now = booked(states)
      if (isAll) {
        given = [...now]
        ever.push(...now)
        for (const { entry } of now) numbers.add(entry)
        continue
      }
      const fresh = postingsSince(given, now, ever)
      for (const [entry, own] of Map.groupBy(fresh, (one) => one.entry)) {
        expect(numbers.has(entry)).toBe(false)
        numbers.add(entry)
        expect(new Set(own.map(({ day }) => day)).size).toBe(1)
      }
      given.push(...fresh)
      ever.push(...fresh)
      expect(sums(given)).toEqual(sums(now))
      expect(postingsSince(given, now, ever)).toEqual([])
    }
  },
)
