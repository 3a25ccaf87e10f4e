import { expect, test } from 'vitest'
import {
  codeOfPattern,
  couponKey,
  couponLook,
  isCouponCode,
  isCouponName,
  isCouponPattern,
} from './coupons.ts'

test.each(['ANNA10', 'a-1', 'Summer.Sale_2026', 'x'.repeat(32)])('%s is a code', (code) => {
  expect(isCouponCode(code)).toBe(true)
})

test.each([
  '',
  'AB',
  'x'.repeat(33),
  '-ANNA',
  'ANNA-',
  'AN NA',
  'ÄNNA10',
  'АNNA10', // Cyrillic
  'ANNA1０', // full width
  '\u017fale10', // its capital is an S
  '\u212aelvin', // the sign of kelvin: its small letter is a k
  'ANNA\n10',
  'ANNA10\n',
])('%j is none', (code) => {
  expect(isCouponCode(code)).toBe(false)
})

test('codes are one whatever their case, and look alike with other signs of the same shape', () => {
  expect(couponKey('Anna10')).toBe(couponKey('ANNA10'))
  expect(couponKey('ANNA1O')).not.toBe(couponKey('ANNA10'))
  for (const twin of ['anna10', 'ANNA1O', 'AnnaI0', 'ANNAlo', 'ANNA-10', 'A.N_N-A10'])
    expect([twin, couponLook(twin)]).toEqual([twin, couponLook('ANNA10')])
  expect(couponLook('ANNA11')).not.toBe(couponLook('ANNA10'))
})

test.each([
  ['*10', true],
  ['TR-*', true],
  ['GO*2026', true],
  ['*', false],
  ['*1', false],
  ['**10', false],
  ['10', false],
  ['', false],
  ['*1 0', false],
  ['-*10', false],
  ['*-10-', false],
  [`*${'x'.repeat(17)}`, false],
])('%j as a pattern: %s', (pattern, is) => {
  expect(isCouponPattern(pattern)).toBe(is)
})

test('what an agent puts into a pattern is a code', () => {
  expect(codeOfPattern('*10', 'Anna')).toBe('Anna10')
  expect(codeOfPattern('*10', '$&x')).toBe('$&x10')
  expect(['Anna', 'AB', 'Anna-M', 'x'.repeat(13)].map(isCouponName)).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(isCouponCode(codeOfPattern('x'.repeat(8) + '*' + 'y'.repeat(8), 'z'.repeat(12)))).toBe(
    true,
  )
})
