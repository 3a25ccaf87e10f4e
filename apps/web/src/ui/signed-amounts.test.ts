import { expect, test } from 'vitest'
import { signedDollars, signedPesos } from './signed-amounts.ts'

test.each([
  [0, '₱0.00', '$0.00'],
  [undefined, '₱0.00', '$0.00'],
  [12.5, '₱12.50', '$12.50'],
  [-12.5, '-₱12.50', '-$12.50'],
  [0.01, '₱0.01', '$0.01'],
  // What is left of a sale whose parts were taken back one by one.
  [0.3 - (0.1 + 0.2), '₱0.00', '$0.00'],
  [-0.01, '-₱0.01', '-$0.01'],
  [-1_234_567.89, '-₱1,234,567.89', '-$1,234,567.89'],
])('%s reads %s and %s', (amount, pesos, dollars) => {
  expect([signedPesos(amount), signedDollars(amount)]).toEqual([pesos, dollars])
})
