import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  MAX_MINOR_UNITS,
  formatCount,
  formatDollars,
  formatPercent,
  formatPesos,
  formatSignedPercent,
  fromMinorUnits,
  minorUnitsOf,
  signedDollars,
  signedPesos,
  toMinorUnits,
} from './money.ts'

describe('reading an amount', () => {
  test.each([
    [0, 0],
    [-0, 0],
    ['-0', 0],
    [12, 1200],
    [12.3, 1230],
    ['12.30', 1230],
    ['012.3', 1230],
    [0.07, 7],
    [1.15, 115],
    [4.35, 435],
    [-4.35, -435],
    ['-0.01', -1],
    [9_999_999_999_999.99, MAX_MINOR_UNITS],
  ])('%j is %i minor units', (decimal, units) => {
    expect(toMinorUnits(decimal)).toBe(units)
  })

  test.each([
    [0.001],
    [0.1 + 0.2],
    ['1.000'],
    [10_000_000_000_000],
    [1e21],
    ['1e2'],
    [1e-7],
    [Number.NaN],
    [Infinity],
    ['Infinity'],
    [''],
    [' 1'],
    ['1\n'],
    ['1.'],
    ['.5'],
    ['+1'],
    ['--1'],
    ['1,000'],
    ['1,5'],
    ['0x10'],
    ['$1'],
    ['９'],
  ])('%j is not an amount', (decimal) => {
    expect(toMinorUnits(decimal)).toBeUndefined()
  })

  test('where it was validated throws for anything else', () => {
    expect(minorUnitsOf(4.35)).toBe(435)
    expect(() => minorUnitsOf(0.001)).toThrow(RangeError)
  })

  test('inverts formatting', () => {
    const units = fc.integer({ min: -MAX_MINOR_UNITS, max: MAX_MINOR_UNITS })
    fc.assert(
      fc.property(units, (amount) => {
        const json: unknown = JSON.parse(JSON.stringify(fromMinorUnits(amount)))
        expect(json).toBe(fromMinorUnits(amount))
        expect(toMinorUnits(fromMinorUnits(amount))).toBe(amount)
        expect(toMinorUnits(fromMinorUnits(amount).toFixed(2))).toBe(amount)
      }),
    )
  })

  test('fractions of a minor unit are a programming error', () => {
    for (const units of [0.5, Number.NaN, MAX_MINOR_UNITS + 1]) {
      expect(() => fromMinorUnits(units)).toThrow(RangeError)
    }
  })
})

describe('showing numbers', () => {
  test.each([
    [0, '$0.00', '₱0.00'],
    [null, '$0.00', '₱0.00'],
    [undefined, '$0.00', '₱0.00'],
    [5, '$5.00', '₱5.00'],
    [1234567.5, '$1,234,567.50', '₱1,234,567.50'],
    [-1234.56, '$1,234.56', '₱1,234.56'],
    [0.07, '$0.07', '₱0.07'],
  ])('the amount %j', (amount, dollars, pesos) => {
    expect(formatDollars(amount)).toBe(dollars)
    expect(formatPesos(amount)).toBe(pesos)
  })

  test.each([
    [0, '0%', '0%'],
    [-0, '0%', '0%'],
    [null, '0%', '0%'],
    [undefined, '0%', '0%'],
    [0.001, '0%', '0%'],
    [-0.001, '0%', '0%'],
    [12.5, '12.50%', '+12.50%'],
    [-3, '-3.00%', '-3.00%'],
    [100, '100.00%', '+100.00%'],
    [1234.567, '1,234.57%', '+1,234.57%'],
  ])('the percentage %j', (percent, plain, signed) => {
    expect(formatPercent(percent)).toBe(plain)
    expect(formatSignedPercent(percent)).toBe(signed)
  })

  test.each([
    [0, '0'],
    [-0, '0'],
    [undefined, '0'],
    [999, '999'],
    [1234567, '1,234,567'],
    [-1234, '-1,234'],
  ])('the count %j', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })
})

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
