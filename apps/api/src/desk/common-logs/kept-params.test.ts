import { endpoint } from '@tallyroom/contract/endpoint'
import { endpoints } from '@tallyroom/contract/endpoints'
import { secret } from '@tallyroom/contract/secrets'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { keptParams } from './kept-params.ts'

const anything = endpoint({
  method: 'POST',
  path: '/api/anything',
  summary: '',
  ability: 'signed-in',
  action: 'UPDATE',
  body: z.strictObject({
    nickname: secret('password', z.string()).optional(),
    list: z
      .array(z.object({ answer: secret('password', z.string().min(1)).nullable() }))
      .default([]),
    either: z.union([
      z.object({ one: secret('password', z.string()) }),
      z.object({ other: z.string() }),
    ]),
  }),
  response: z.unknown(),
})
const removed = '[removed]'
const kept = (params: object, of = anything) => JSON.parse(keptParams(of, params))

test('parameters without secrets are stored as sent', () => {
  const params = { username: 'Zoë', ids: [1, 2], active: false, note: null, sites: [{ siteId: 7 }] }
  expect(kept(params)).toEqual(params)
})

test.each([
  'password',
  'passwordConfirm',
  'plainPassword',
  'PASSWORD',
  'passwd',
  'pwd',
  'token',
  'accessToken',
  'captchaString',
  'captchaCheck',
  'clientSecret',
  'key',
  'apiKey',
  'api_key',
  'previousKey',
  'x-signature',
  'Authorization',
])('a field named %s is a secret, whatever its value and at any depth', (name) => {
  expect(kept({ [name]: 'hunter2' })).toEqual({ [name]: removed })
  expect(kept({ a: [{ b: { [name]: { c: ['hunter2'] } } }] })).toEqual({
    a: [{ b: { [name]: removed } }],
  })
  expect(kept([{ field: name, operator: '=', value: 'hunter2' }])).toEqual([
    { field: name, operator: '=', value: removed },
  ])
})

test('names that merely resemble secrets are kept', () => {
  const params = { keyword: 'a', passenger: 'b', pinned: true, tokyo: 'c' }
  expect(kept(params)).toEqual(params)
})

test('a field that the schema marks as secret is removed, however it is wrapped', () => {
  const sent = {
    nickname: 'hunter2',
    list: [{ answer: 'hunter2' }, 'wrong'],
    either: { one: 'hunter2', other: 'shown' },
    unexpected: { answer: 'hunter2' },
  }
  expect(kept(sent)).toEqual({
    nickname: removed,
    list: [{ answer: removed }, 'wrong'],
    either: { one: removed, other: 'shown' },
    unexpected: { answer: removed },
  })
})

test('fields that the contract’s forms mark are removed', () => {
  const { body } = endpoints.resetPassword
  expect(body).toBeDefined()
  expect(
    kept({ token: 'a', password: 'b', passwordConfirm: 'c' }, endpoints.resetPassword as never),
  ).toEqual({ token: removed, password: removed, passwordConfirm: removed })
})

test.each([
  ['a long text', { html: 'x'.repeat(100_000) }],
  ['many texts', { ids: Array.from({ length: 100_000 }, () => 'x'.repeat(50)) }],
  ['many numbers', { ids: Array.from({ length: 100_000 }, (_, index) => index) }],
  [
    'many fields',
    Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`n${index}`, ''])),
  ],
  ['many secrets', { all: Array.from({ length: 50_000 }, () => ({ password: 'x' })) }],
  ['lists in lists', nested(5_000)],
])('%s is cut and stays valid JSON', (_, params) => {
  const text = keptParams(anything, params)
  expect(text.length).toBeLessThan(20_000)
  expect(() => JSON.parse(text)).not.toThrow()
  expect(text).toContain('…')
})

test('NUL and lone surrogates become something that PostgreSQL can store', () => {
  const text = keptParams(anything, { a: 'x\0y', b: 'half \ud83d' })
  expect(text).not.toContain('\0')
  expect(text.isWellFormed()).toBe(true)
})

test('a field named __proto__ is an ordinary field', () => {
  expect(keptParams(anything, JSON.parse('{"__proto__":{"password":"hunter2"}}'))).toBe(
    '{"__proto__":{"password":"[removed]"}}',
  )
})

function nested(depth: number): object {
  let value: object = []
  for (let level = 0; level < depth; level++) value = [value]
  return { value }
}
