import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isAuthentic } from './authenticate.ts'

const now = new Date('2026-03-10T12:00:00Z')
const seconds = now.getTime() / 1000
const body = Buffer.from('{"cid":"ä"}')
const secrets = ['new-secret', 'old-secret']

const sign = (secret: string, time = seconds, signed = body) =>
  createHmac('sha256', secret).update(`${time}.`).update(signed).digest('hex')

const withKey = (key: string | undefined) =>
  isAuthentic({ key, signature: undefined, signed: body }, secrets, now)
const withSignature = (signature: string, key?: string) =>
  isAuthentic({ key, signature, signed: body }, secrets, now)

test('either active secret is a key, and nothing else is', () => {
  expect(withKey('new-secret')).toBe(true)
  expect(withKey('old-secret')).toBe(true)
  for (const wrong of ['', 'new-secre', 'new-secret ', 'NEW-SECRET', undefined]) {
    expect(withKey(wrong)).toBe(false)
  }
})

test('a site without secrets accepts nobody', () => {
  expect(isAuthentic({ key: '', signature: undefined, signed: body }, [], now)).toBe(false)
  const signature = `t=${seconds},v1=${sign('')}`
  expect(isAuthentic({ key: undefined, signature, signed: body }, [], now)).toBe(false)
})

describe('signatures', () => {
  test.each(secrets)('by %s', (secret) => {
    expect(withSignature(`t=${seconds},v1=${sign(secret)}`)).toBe(true)
    expect(withSignature(`t=${seconds}, v1=00, v1=${sign(secret).toUpperCase()}`)).toBe(true)
  })
  test('are valid for five minutes in either direction', () => {
    for (const time of [seconds - 300, seconds + 300]) {
      expect(withSignature(`t=${time},v1=${sign('new-secret', time)}`)).toBe(true)
    }
    for (const time of [seconds - 301, seconds + 301]) {
      expect(withSignature(`t=${time},v1=${sign('new-secret', time)}`)).toBe(false)
    }
  })
  test('cover the time and the body', () => {
    expect(withSignature(`t=${seconds - 1},v1=${sign('new-secret')}`)).toBe(false)
    const other = sign('new-secret', seconds, Buffer.from('{}'))
    expect(withSignature(`t=${seconds},v1=${other}`)).toBe(false)
  })
  test.each(['', 't=', 'v1=', `t=${seconds}`, `t=${seconds},v1=`, `t=x,v1=${sign('new-secret')}`])(
    '%j is not one',
    (signature) => {
      expect(withSignature(signature)).toBe(false)
    },
  )
  test('that are wrong are not made good by a correct key', () => {
    expect(withSignature(`t=${seconds},v1=${sign('wrong')}`, 'new-secret')).toBe(false)
  })
})
