import { expect, test } from 'vitest'
import { isIban } from './iban.ts'

test.each([
  ['DE89370400440532013000', true],
  ['DE89 3704 0044 0532 0130 00', true],
  ['gb82-west-1234-5698-7654-32', true],
  ['NO9386011117947', true], // the shortest
  ['MT84MALT011000012345MTLCAST001S', true],
  ['DE88370400440532013000', false], // other check digits
  ['DE8937040044053201', false], // shorter, so its check digits are wrong
  ['6666000011', false],
  ['BOPIPHMMXXX', false],
  ['', false],
])('%s is an IBAN: %s', (text, expected) => {
  expect(isIban(text)).toBe(expected)
})
