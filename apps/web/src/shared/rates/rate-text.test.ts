import { expect, test } from 'vitest'
import { parseRate, rateText, type RateUnit } from './rate-text.ts'

test.each<[string, RateUnit, number]>([
  ['25', 'dollars', 25],
  [' $1,250.5 ', 'dollars', 1250.5],
  ['₱ 0.07', 'pesos', 0.07],
  ['0', 'pesos', 0],
  ['1000000', 'pesos', 1_000_000],
  ['1,000', 'points', 1000],
])('%j as %s is %d', (typed, unit, value) => {
  expect(parseRate(typed, unit)).toEqual({ value })
  expect(parseRate(rateText(value, unit), unit)).toEqual({ value })
})

test.each<[string, RateUnit, RegExp]>([
  ['', 'pesos', /must be an amount/],
  ['five', 'pesos', /must be an amount/],
  ['1e3', 'pesos', /must be an amount/],
  ['12,50', 'pesos', /must be an amount/],
  ['-1', 'dollars', /must not be negative/],
  ['1.005', 'dollars', /at most 2 decimal places/],
  ['1000000.01', 'pesos', /at most 1,000,000/],
  ['1.5', 'points', /whole number/],
  ['-1', 'points', /must not be negative/],
])('%j is refused as %s', (typed, unit, problem) => {
  expect(parseRate(typed, unit)).toEqual({ problem: expect.stringMatching(problem) as string })
})
