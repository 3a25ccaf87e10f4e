import { expect, test } from 'vitest'
import { bonusRatio, progress, uniqueToSaleLabel, uniqueToSaleRatio } from './ratios.ts'

test.each([
  [0, 0, 0],
  [3, 0, 0],
  [0, 5, 0],
  [1, 4, 25],
  [6, 4, 150],
])('%i bonuses of %i sales are %d %', (bonusSales, sales, ratio) => {
  expect(bonusRatio(bonusSales, sales)).toBe(ratio)
})

test.each([
  [0, 0, 0, '–'],
  [50, 0, 0, '–'],
  [0, 5, 0, '1:0.00'],
  [50, 4, 12.5, '1:12.50'],
  [100, 3, 100 / 3, '1:33.33'],
  [12345, 1, 12345, '1:12,345.00'],
  [1, 1, 1, '1:1.00'],
])('%i uniques and %i sales are %d, shown as %s', (uniques, sales, ratio, label) => {
  expect(uniqueToSaleRatio(uniques, sales)).toBe(ratio)
  expect(uniqueToSaleLabel(uniques, sales)).toBe(label)
})

test.each([
  [0, 0, 0],
  [7, 0, 100],
  [-1, 0, -100],
  [0, 7, -100],
  [15, 10, 50],
  [5, 10, -50],
  [10, 10, 0],
  [1, -1, 200],
  [-2, -1, -100],
])('%i sales after %i are a progress of %d %', (newer, older, percent) => {
  expect(progress(newer, older)).toBe(percent)
})
