import { expect, test } from 'vitest'
import { domainStatusLabel, localPartLabel, statusLabel } from './labels.ts'

test.each([
  [true, false, 'Activated'],
  [true, undefined, 'Activated'],
  [false, false, 'Suspended'],
  [true, true, 'Activated (Hidden)'],
  [false, true, 'Suspended (Hidden)'],
])('active %s and hidden %s is labelled %s', (active, hidden, label) => {
  expect(statusLabel({ active, hidden })).toBe(label)
})

test.each([
  [true, 'Hidden'],
  [false, 'Activated'],
  [null, 'Not Defined'],
  [undefined, 'Not Defined'],
])('a domain whose hidden is %s is labelled %s', (hidden, label) => {
  expect(domainStatusLabel(hidden)).toBe(label)
})

test.each([
  ['sale-logs', 'sale logs'],
  ['auto_block_account', 'auto block account'],
  ['maria_de-la_cruz@mail.example', 'maria de la cruz'],
  ['plain', 'plain'],
  ['', ''],
])('%j is read as %j', (text, label) => {
  expect(localPartLabel(text)).toBe(label)
})
