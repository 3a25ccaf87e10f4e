import { describe, expect, test } from 'vitest'
import { isSecretName, REMOVED, withoutSecrets } from './secret-names.ts'

const names = [
  'password', 'passwd', 'passphrase', 'passcode', 'pass', 'pwd', 'secret', 'token', 'captcha',
  'credential', 'credentials', 'signature', 'sig', 'hmac', 'authorization', 'authorisation', 'auth',
  'bearer', 'cookie', 'jwt', 'pin', 'otp', 'totp', 'cvv', 'cvc', 'key', 'keys', 'api_key', 'secure',
] // prettier-ignore

describe.each(names)('%s', (name) => {
  test('is a secret in any case, and between _ and -', () => {
    const spellings = [name, name.toUpperCase(), name[0]?.toUpperCase() + name.slice(1)]
    expect(spellings.filter((one) => !isSecretName(one))).toEqual([])
    if (name === 'secure') return
    const parts = [`my_${name}`, `my-${name}`, `x.${name}`, `MY_${name.toUpperCase()}`, `${name}2`]
    expect(parts.filter((one) => !isSecretName(one))).toEqual([])
    expect(isSecretName(`my${name[0]?.toUpperCase()}${name.slice(1)}`)).toBe(true)
  })
})

test.each([
  'plainPassword',
  'pass_word',
  'PASS-WORD',
  'accesstoken',
  'clientSecret',
  'set-cookie',
  'sessionCookie',
  'userPin',
  'pin_code',
  'otpCode',
  'apikey',
  'APIKEY',
  'APIKey',
  'apiKeys',
  'previousKey',
  'x-postback-key',
  'postbackKey',
  'verification_token',
  'captchaString',
  'auth_code',
  'jwt_1',
])('%s is one', (name) => {
  expect(isSecretName(name)).toBe(true)
})

test.each([
  'keyword',
  'monkey',
  'keyboard',
  'passenger',
  'pinned',
  'spinner',
  'tokyo',
  'isSecure',
  'author',
  'authority',
  'signed',
  'cid',
  'option',
  'email',
  'campaign',
  '',
  '_',
])('%s is none', (name) => {
  expect(isSecretName(name)).toBe(false)
})

test('JSON loses the values of secret names, at any depth', () => {
  const text = JSON.stringify({ a: [{ Pwd: 'hunter2', b: 1 }], 'api-key': { c: 'x' }, d: 'kept' })
  expect(JSON.parse(withoutSecrets(text))).toEqual({
    a: [{ Pwd: REMOVED, b: 1 }],
    'api-key': REMOVED,
    d: 'kept',
  })
  expect(withoutSecrets('{"pwd": broken')).toBe('{"pwd": broken')
})

test('so do URLs', () => {
  expect(withoutSecrets('https://a.example/?cid=1&access_token=hunter2&b=2')).toBe(
    `https://a.example/?cid=1&access_token=${REMOVED}&b=2`,
  )
})

test('a known secret is removed wherever it occurs; one that is too short is not searched for', () => {
  expect(withoutSecrets('it is s3cret!', ['s3cret'])).toBe(REMOVED)
  expect(withoutSecrets('order 1234', ['1234'])).toBe('order 1234')
})
