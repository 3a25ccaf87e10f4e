import { Secret } from 'otpauth'
import { expect, test } from 'vitest'
import { authenticatorUri, makeAuthenticatorSecret, stepOf } from './authenticator.ts'

// Of RFC 6238, appendix B. Its codes have eight digits, whose last six are ours.
const secret = Secret.fromLatin1('12345678901234567890').base32

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 0x23523ec],
  [1_111_111_111, '050471', 0x23523ed],
  [1_234_567_890, '005924', 0x273ef07],
  [2_000_000_000, '279037', 0x3f940aa],
  [20_000_000_000, '353130', 0x27bc86aa],
])('at second %d, RFC 6238 has %s', (second, code, step) => {
  expect(stepOf(secret, code, new Date(second * 1000))).toBe(step)
})

test('a clock may be off by one period, and no more', () => {
  const at = (second: number) => stepOf(secret, '287082', new Date(second * 1000))
  expect([-1, 0, 29, 30, 59, 60, 89, 90].map(at)).toEqual([undefined, 1, 1, 1, 1, 1, 1, undefined])
})

test.each(['', '28708', '2870820', '28708a', '２８７０８２'])('%j is no code', (code) => {
  expect(stepOf(secret, code, new Date(59_000))).toBeUndefined()
})

test('a secret has 160 bits, and is another each time', () => {
  const secrets = Array.from({ length: 20 }, makeAuthenticatorSecret)
  expect(new Set(secrets).size).toBe(20)
  for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/)
})

test('a QR code names the installation and the account', () => {
  const uri = new URL(authenticatorUri(secret, { issuer: 'A & B: C', username: 'Maria Ö' }))
  expect(uri.protocol).toBe('otpauth:')
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'A & B: C',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  expect(decodeURIComponent(uri.pathname)).toContain('Maria Ö')
})
