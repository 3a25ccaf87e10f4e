import { expect, test } from 'vitest'
import {
  isRevenueDistrict,
  taxNumberText,
  taxpayerOf,
  tinOf,
  whyNoTaxNumber,
} from './tax-number.ts'

test.each([
  ['123456789', '123-456-789'],
  ['123-456-789', '123-456-789'],
  ['123 456 789 000', '123-456-789-000'],
  ['1234567890000', '123-456-789-0000'],
  ['123-456-789-00000', '123-456-789-00000'],
])('the Philippine tax number %s is kept as %s', (typed, kept) => {
  expect(whyNoTaxNumber('PH', typed)).toBeUndefined()
  expect(taxNumberText('PH', typed)).toBe(kept)
})

test.each([
  ['12345678', 'not 8'],
  ['123-456-789-0', 'not 10'],
  ['12345678901', 'not 11'],
  ['123456789012345', 'not 15'],
  ['123-456-78A', 'must have digits and hyphens only'],
  ['١٢٣٤٥٦٧٨٩', 'must have digits and hyphens only'],
])('the Philippine tax number %s is refused, because it %s', (typed, why) => {
  expect(whyNoTaxNumber('PH', typed)).toContain(why)
})

test('tax numbers of other countries have letters and digits, and stay as typed', () => {
  expect(whyNoTaxNumber('other', 'DE 123.456/78-9')).toBeUndefined()
  expect(taxNumberText('other', 'DE 123.456/78-9')).toBe('DE 123.456/78-9')
  for (const typed of ['=1+1', '-5', 'DE,1', 'DE"1']) {
    expect(whyNoTaxNumber('other', typed)).toContain('only')
  }
})

test.each([
  ['PH', '123-456-789', ['123456789', '123-456-789-000', '123-456-789-00000']],
  ['PH', '123-456-789-00001', ['123-456-789-001']],
  ['other', 'DE 123.456/78-9', ['de123456789', 'DE 123456789']],
] as const)('of %s, %s is the taxpayer of %j', (country, taxNumber, others) => {
  for (const other of others)
    expect(taxpayerOf(country, other)).toBe(taxpayerOf(country, taxNumber))
})

test('another branch, another number and another country are other taxpayers', () => {
  const all = [
    taxpayerOf('PH', '123-456-789'),
    taxpayerOf('PH', '123-456-789-001'),
    taxpayerOf('PH', '123-456-788'),
    taxpayerOf('other', '123-456-789'),
  ]
  expect(new Set(all).size).toBe(all.length)
})

test.each([
  ['123-456-789', '123456789', '0000'],
  ['123-456-789-000', '123456789', '0000'],
  ['123-456-789-00012', '123456789', '0012'],
  ['123-456-789-12345', '123456789', '12345'],
])('%s is %s at branch %s for the tax office’s program', (taxNumber, tin, branch) => {
  expect(tinOf(taxNumber)).toEqual({ tin, branch })
})

test.each([
  ['043', true],
  ['25A', true],
  ['43', false],
  ['0430', false],
  ['04C', false],
])('%s is the code of a revenue district: %s', (text, is) => {
  expect(isRevenueDistrict(text)).toBe(is)
})
