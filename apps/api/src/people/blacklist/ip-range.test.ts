import { expect, test } from 'vitest'
import { networksAround, rangeText, readRange } from './ip-range.ts'

const textOf = (typed: string) => {
  const range = readRange(typed)
  return range && rangeText(range)
}

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['  192.0.2.7\t', '192.0.2.7'],
  ['192.0.2.7/32', '192.0.2.7'],
  ['192.0.2.7/24', '192.0.2.0/24'],
  ['192.0.2.0/024', '192.0.2.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8::1/128', '2001:db8::1'],
  ['2001:db8:ffff::1/32', '2001:db8::/32'],
  ['::1', '::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['fe80::1%eth0/64', 'fe80::/64'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['::ffff:192.0.2.9/120', '192.0.2.0/24'],
  ['::ffff:192.0.2.9/96', '0.0.0.0/0'],
  ['::ffff:192.0.2.9/95', '::fffe:0:0/95'],
  ['::/0', '::/0'],
])('%s is %s', (typed, text) => expect(textOf(typed)).toBe(text))

test.each([
  '',
  ' ',
  'x',
  '192.0.2',
  '192.0.2.256',
  '192.0.2.07',
  '192.0.2.7:80',
  '192.0.2.7/33',
  '192.0.2.7/-1',
  '192.0.2.7/',
  '192.0.2.7/24/24',
  '192.0.2.0-192.0.2.9',
  '192.0.2.*',
  '3221225985',
  '[2001:db8::1]',
  '2001:db8::/129',
  '2001:db8:::1',
  '١٩٢.0.2.7',
])('%j is not a range', (typed) => expect(readRange(typed)).toBeUndefined())

test('the networks that contain an address go from itself to the whole address space', () => {
  const around = networksAround('192.0.2.7')
  expect(around).toHaveLength(33)
  expect([around.at(-1), around.at(24), around.at(0)]).toEqual([
    '192.0.2.7/32',
    '192.0.2.0/24',
    '0.0.0.0/0',
  ])
  expect(networksAround('2001:db8::1')).toHaveLength(129)
})
