import type { BookedEvent } from '@tallyroom/contract/pay/bookings/statement-lines'
import { expect, test } from 'vitest'
import { bookedKind, provenText } from './booked-words.ts'

type Booked = Parameters<typeof bookedKind>[0]

test.each<[Partial<Booked>, string]>([
  [{}, 'Sale'],
  [{ eventType: 1 }, 'Bonus'],
  [{ useApproveSale: true }, 'Day#1 Approval'],
  [{ eventType: 1, useApproveSale: true }, 'Day#2 Sale'],
  [{ quantity: -1, reversal: 'chargeback' }, 'Sale reversed: chargeback'],
  [{ quantity: -1, reversal: 'fraud', eventType: 1 }, 'Bonus reversed: fraud'],
  [{ quantity: -1 }, 'Sale reversed'],
  [{ quantity: 0 }, 'Sale: difference from backdated rates'],
  [{ quantity: 0, isPart: true }, 'Sale: part refunded'],
])('a booking %j reads: %s', (own, text) => {
  const booked: Booked = {
    eventType: 0,
    reversal: null,
    quantity: 1,
    isPart: false,
    useApproveSale: false,
    ...own,
  }
  expect(bookedKind(booked satisfies Partial<BookedEvent>)).toBe(text)
})

const before = [{ statementId: 1, number: '2026-11-A-0001', sales: 10, tier: 3, amount: -1_200_00 }]

test.each([
  [1, [], 'The sum of 1 booking'],
  [1_204, [], 'The sum of 1,204 bookings'],
  [0, before, 'The sum of 0 bookings, less what was paid before'],
])('%d bookings and %j prove a line: %s', (total, earlier, text) => {
  expect(provenText({ total, earlier })).toBe(text)
})
