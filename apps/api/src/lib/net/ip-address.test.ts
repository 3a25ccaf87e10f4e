import { expect, test } from 'vitest'
import { normalAddress, subscriberOf } from './ip-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['::1', '::1', '::/64'],
  ['2001:DB8:0:1:2:3:4:5', '2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80::1', 'fe80::/64'],
  ['unknown', '0.0.0.0', '0.0.0.0'],
  ['10.1', '0.0.0.0', '0.0.0.0'],
  ["1.2.3.4', 'x", '0.0.0.0', '0.0.0.0'],
  ['', '0.0.0.0', '0.0.0.0'],
])('%s is stored as %s and waits as %s', (text, address, subscriber) => {
  expect([normalAddress(text), subscriberOf(text)]).toEqual([address, subscriber])
})
