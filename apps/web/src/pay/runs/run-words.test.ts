import { expect, test } from 'vitest'
import { sumText } from './run-words.ts'

const line = (name: string, amount: number) => ({
  amount,
  payee: { kind: 'office' as const, id: 1, name },
})

test.each([
  [[line('Manila', 145_202_00)], '₱145,202.00 to Manila'],
  [[line('Manila', 1_00), line('Cebu', 2_00)], '₱3.00 to Manila and Cebu'],
  [
    [line('Manila', 1_00), line('Cebu', 2_00), line('Davao', 3_00)],
    '₱6.00 to Manila, Cebu, and Davao',
  ],
  [
    ['Manila', 'Cebu', 'Davao', 'Makati', 'Baguio'].map((name) => line(name, 1_00)),
    '₱5.00 to Manila, Cebu, Davao, and 2 more',
  ],
])('a button names the sum and up to three payees', (lines, text) => {
  expect(sumText(lines, 'PHP')).toBe(text)
})
