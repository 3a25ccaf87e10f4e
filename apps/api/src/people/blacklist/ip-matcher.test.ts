import { fc, test } from '@fast-check/vitest'
import ipaddr from 'ipaddr.js'
import { expect } from 'vitest'
import { buildIpMatcher, buildIpMatcherInSlices } from './ip-matcher.ts'

test.each([
  ['192.0.2.0/24', '192.0.2.0', true],
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.0/24', '192.0.1.255', false],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['192.0.2.7/32', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7/32', '192.0.2.8', false],
  ['0.0.0.0/0', '255.255.255.255', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::ffff:192.0.2.0/120', '192.0.2.9', true],
  ['::ffff:192.0.2.0/120', '192.0.3.9', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::', false],
  ['2001:db8::1/128', '2001:db8::1', true],
  ['::/0', '::1', true],
  ['::/0', '192.0.2.1', false],
])('%s and %s: %s', (range, ip, expected) => {
  expect(buildIpMatcher([range])(ip)).toBe(expected)
})

test('an empty list matches nothing', () => {
  expect(buildIpMatcher([])('192.0.2.1')).toBe(false)
  expect(buildIpMatcher([])('::1')).toBe(false)
})

test.each(['', 'x', '192.0.2.0/33', '192.0.2.0/-1', '192.0.2/24', '2001:db8::/129'])(
  '%j is not a range',
  (text) => expect(() => buildIpMatcher([text])).toThrow(RangeError),
)

test('a list of several slices is read completely', async () => {
  const addresses = Array.from({ length: 2_500 }, (_, n) => `198.18.${n >> 8}.${n & 255}`)
  const matches = await buildIpMatcherInSlices(addresses)
  expect(addresses.every(matches)).toBe(true)
  expect(matches('198.18.255.255')).toBe(false)
})

// Few bits in use, so that ranges touch, overlap and contain each other.
const byte = fc.constantFrom(0, 1, 2, 3, 127, 128, 254, 255)
const ipv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'))
const word = fc.constantFrom('0', '1', '8000', 'ffff')
const ipv6 = fc.array(word, { minLength: 8, maxLength: 8 }).map((words) => words.join(':'))
const ranges = fc.array(
  fc.oneof(
    fc.tuple(ipv4, fc.integer({ min: 6, max: 32 })),
    fc.tuple(ipv6, fc.integer({ min: 1, max: 128 })),
  ),
)

test.prop([ranges, fc.array(fc.oneof(ipv4, ipv6), { minLength: 1 })], {
  examples: [[[['0:0:0:0:0:ffff:0:0', 96]], ['0.0.0.0']]],
})('says the same as asking one range after the other', (list, addresses) => {
  const matches = buildIpMatcher(list.map(([ip, bits]) => `${ip}/${bits}`))
  for (const address of addresses) {
    const parsed = ipaddr.process(address)
    const expected = list.map(asIpv4IfItIs).some(([range, bits]) => {
      return range.kind() === parsed.kind() && parsed.match(range, bits)
    })
    expect(matches(parsed.toString())).toBe(expected)
  }
})

/** `::ffff:192.0.2.0/120` is `192.0.2.0/24`. */
function asIpv4IfItIs([ip, bits]: [string, number]): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const range = ipaddr.parse(ip)
  const isMapped = range instanceof ipaddr.IPv6 && range.isIPv4MappedAddress() && bits >= 96
  return isMapped ? [range.toIPv4Address(), bits - 96] : [range, bits]
}
