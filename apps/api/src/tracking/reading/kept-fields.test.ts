import { expect, test } from 'vitest'
import { keptFields } from './kept-fields.ts'
import { readForm } from './postback-fields.ts'

test('parameters are stored as sent', () => {
  expect(keptFields(readForm('cid=a&keyword=shoes&monkey=1&isSecure=1'), [])).toEqual({
    cid: 'a',
    keyword: 'shoes',
    monkey: '1',
    isSecure: '1',
  })
})

test.each([
  'key',
  'KEY',
  'api_key',
  'apikey',
  'x-postback-key',
  'postbackKey',
  'apiKey',
  'verification_token',
  'secure',
  'secret',
  'token',
  'password',
  'sig',
])('a field named %s is never stored', (name) => {
  expect(keptFields([[name, 'hush']], [])).toEqual({ [name]: '[removed]' })
})

test('a secret is removed, whatever its name', () => {
  expect(keptFields([['k', 'it is s3cret!']], ['s3cret'])).toEqual({ k: '[removed]' })
})

test('a secret’s value is also removed wherever else it occurs', () => {
  const fields = readForm(
    'jwt=eyJ.aaa&pwd=hunter2&credential=abc&pin=1234&note=I+am+hunter2&back=https://a.example/?otp=99%26b=1&data={"x":[{"cookie":"c"}]}&hunter2=1',
  )
  expect(keptFields(fields, [])).toEqual({
    jwt: '[removed]',
    pwd: '[removed]',
    credential: '[removed]',
    pin: '[removed]',
    note: '[removed]',
    back: 'https://a.example/?otp=[removed]&b=1',
    data: '{"x":[{"cookie":"[removed]"}]}',
    '[removed]': '1',
  })
})

test('what is stored is readable and bounded', () => {
  const fields = [
    ['nul', 'a\u0000b\nc'],
    ['half', 'a\ud800'],
    ['long', 'x'.repeat(501)],
    ['__proto__', 'own'],
  ] as const
  expect(JSON.stringify(keptFields(fields, []))).toBe(
    JSON.stringify({
      nul: 'a\ufffdb\ufffdc',
      half: 'a\ufffd',
      long: `${'x'.repeat(500)}…`,
      ['__proto__']: 'own',
    }),
  )
  const many = Array.from({ length: 1000 }, (_, index) => [`n${index}`, ''] as const)
  expect(Object.keys(keptFields(many, []))).toHaveLength(100)
})
