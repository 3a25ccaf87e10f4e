import { describe, expect, test } from 'vitest'
import { callerAddress, readAddress, trustOf } from './forwarded-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['203.0.113.7:52311', '203.0.113.7'],
  ['"203.0.113.7:52311"', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ['2001:DB8::5', '2001:db8::5'],
  ['[2001:db8::5]', '2001:db8::5'],
  ['"[2001:db8::5]:443"', '2001:db8::5'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:443', 'fe80::1'],
  ['203.0.113.7:_port', '203.0.113.7'],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['', undefined],
  ['203.0.113.7:52311:1', undefined],
  ['203.0.113', undefined],
  ['[203.0.113.7', undefined],
  ['[not an address]:80', undefined],
])('%j is read as %s', (text, address) => {
  expect(readAddress(text)).toBe(address)
})

describe('the caller', () => {
  const PROXY = '::ffff:10.0.0.1'
  const caller = (
    headers: Record<string, string>,
    setting: Parameters<typeof trustOf>[0] = 1,
    remote = PROXY,
  ) => callerAddress(remote, headers, trustOf(setting))

  test.each<[string, Record<string, string>, string]>([
    ['an address', { 'x-forwarded-for': '203.0.113.7' }, '203.0.113.7'],
    ['an address with a port', { 'x-forwarded-for': '203.0.113.7:52311' }, '203.0.113.7'],
    ['a chain', { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }, '203.0.113.7'],
    ['a trailing comma', { 'x-forwarded-for': '203.0.113.7,' }, '203.0.113.7'],
    ['Forwarded', { forwarded: 'for=203.0.113.7' }, '203.0.113.7'],
    ['Forwarded with a port', { forwarded: 'FOR="203.0.113.7:80";proto=https' }, '203.0.113.7'],
    ['Forwarded, IPv6', { forwarded: 'proto=https;for="[2001:db8::5]:443"' }, '2001:db8::5'],
    ['Forwarded, a chain', { forwarded: 'for=198.51.100.1, for=203.0.113.7' }, '203.0.113.7'],
    ['Forwarded with a comma in quotes', { forwarded: 'for=203.0.113.7;by="a,b"' }, '203.0.113.7'],
    ['both', { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=192.0.2.1' }, '203.0.113.7'],
    ['nothing', {}, '10.0.0.1'],
  ])('behind one proxy that sends %s', (_, headers, address) => {
    expect(caller(headers)).toEqual({ address })
  })

  test.each<[string, Record<string, string>]>([
    ['unknown', { 'x-forwarded-for': 'unknown' }],
    ['_hidden', { forwarded: 'for=_hidden' }],
    ['', { forwarded: 'proto=https' }],
  ])('that a proxy calls %j is unknown, not the proxy', (unreadable, headers) => {
    expect(caller(headers)).toMatchObject({
      address: '0.0.0.0',
      unreadable: expect.stringContaining(unreadable),
    })
  })

  test('is nobody that an untrusted caller names', () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    expect(caller(headers, false)).toEqual({ address: '10.0.0.1' })
    expect(caller(headers, ['192.0.2.0/24'])).toEqual({ address: '10.0.0.1' })
  })

  test('is the first that is no trusted proxy, also if proxies add their ports', () => {
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7:52311, 10.0.0.2:443' }
    expect(caller(headers, ['10.0.0.0/8', '2001:db8::/32'])).toEqual({ address: '203.0.113.7' })
    expect(caller(headers, 2)).toEqual({ address: '203.0.113.7' })
    expect(caller(headers, ['10.0.0.0/8'], '2001:db8::1')).toEqual({ address: '2001:db8::1' })
  })

  test('of a connection that has ended is unknown', () => {
    expect(callerAddress(undefined, {}, undefined)).toEqual({ address: '0.0.0.0' })
  })
})
