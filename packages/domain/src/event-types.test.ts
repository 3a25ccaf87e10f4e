import { expect, test } from 'vitest'
import {
  EVENT_KINDS,
  EVENT_TYPE,
  eventKindOf,
  eventTypeLabel,
  eventTypeOf,
  isPostbackEvent,
  isReversal,
  POSTBACK_EVENTS,
  TOLD_EVENTS,
  toldEventOf,
  type CountedEvent,
} from './event-types.ts'

const plainSite = { useApproveSale: false }
const approveSaleSite = { useApproveSale: true }

test.each([
  [0, 'Sale', 'Day#1 Approval'],
  [1, 'Bonus', 'Day#2 Sale'],
  [2, 'Click', 'Click'],
  [3, '', ''],
  [-1, '', ''],
  [0.5, '', ''],
  [Number.NaN, '', ''],
])('event %d is labelled "%s", on an approve-sale site "%s"', (number, label, approveSaleLabel) => {
  expect(eventTypeLabel(number)).toBe(label)
  expect(eventTypeLabel(number, plainSite)).toBe(label)
  expect(eventTypeLabel(number, approveSaleSite)).toBe(approveSaleLabel)
})

test.each<[CountedEvent, number, number]>([
  ['sale', EVENT_TYPE.sale, EVENT_TYPE.bonus],
  ['approval', EVENT_TYPE.sale, EVENT_TYPE.sale],
  ['bonus', EVENT_TYPE.bonus, EVENT_TYPE.bonus],
  ['click', EVENT_TYPE.click, EVENT_TYPE.click],
])('"%s" is event %s, on an approve-sale site %s', (word, plain, approveSale) => {
  expect(eventTypeOf(word, plainSite)).toBe(plain)
  expect(eventTypeOf(word, approveSaleSite)).toBe(approveSale)
})

test.each([
  [EVENT_TYPE.sale, 'sale', 'approval'],
  [EVENT_TYPE.bonus, 'bonus', 'sale'],
  [EVENT_TYPE.click, null, null],
] as const)(
  'event %d is told as %s, from an approve-sale site as %s',
  (type, plain, approveSale) => {
    expect(toldEventOf(type, plainSite)).toBe(plain)
    expect(toldEventOf(type, approveSaleSite)).toBe(approveSale)
  },
)

test('every kind has its own number, and every word that is told is named', () => {
  expect(EVENT_KINDS.map((kind) => eventKindOf(EVENT_TYPE[kind]))).toEqual(EVENT_KINDS)
  const told = EVENT_KINDS.flatMap((kind) =>
    [plainSite, approveSaleSite].map((site) => toldEventOf(EVENT_TYPE[kind], site)),
  )
  expect(new Set(told.filter((word) => word !== null))).toEqual(new Set(TOLD_EVENTS))
})

test('void, chargeback and fraud are the reversals', () => {
  expect(POSTBACK_EVENTS.filter(isReversal)).toEqual(['void', 'chargeback', 'fraud'])
})

test('other words are not postback events', () => {
  expect(POSTBACK_EVENTS.every(isPostbackEvent)).toBe(true)
  expect(['', 'Sale', 'refund', 'toString'].filter(isPostbackEvent)).toEqual([])
})
