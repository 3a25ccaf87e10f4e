import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  findShortLink,
  isReservedName,
  lookOf,
  MADE_UP_LENGTH,
  MADE_UP_LETTERS,
  readShortName,
  shortNamesIn,
} from './short-link.ts'

test.each([
  ['maria', 'maria'],
  [' Maria-Shop-2026 ', 'maria-shop-2026'],
  ['a1b2', 'a1b2'],
  ['2026', '2026'],
  ['a--b', 'a--b'],
  ['x'.repeat(32), 'x'.repeat(32)],
  ['abc', undefined],
  ['x'.repeat(33), undefined],
  ['-abc', undefined],
  ['abc-', undefined],
  ['ab c', undefined],
  ['ab_c', undefined],
  ['ab.cd', undefined],
  ['maría', undefined],
  ['ａｂｃｄ', undefined],
  ['аbcd', undefined], // Cyrillic
  ['ab/cd', undefined],
  ['abcd\n\0', undefined],
  ['', undefined],
])('%j is the name %s', (typed, name) => {
  expect(readShortName(typed)).toBe(name)
})

test('names that are taken for each other read alike', () => {
  for (const name of ['oil-10', '0il-10', 'O1L-IO', 'oii-lo', 'ol1-l0'])
    expect(lookOf(name)).toBe('oll-lo')
  expect(lookOf('oil10')).not.toBe(lookOf('oil-10'))
})

test('words of the back office are no names, nor what looks like them', () => {
  for (const name of [
    'login',
    'l0gin',
    '1ogln',
    'offline',
    'assets',
    'remote-login',
    'new-password',
  ])
    expect([name, isReservedName(name)]).toEqual([name, true])
  expect(isReservedName('maria')).toBe(false)
})

test('made-up letters are names of which no two read alike', () => {
  const name = MADE_UP_LETTERS.slice(0, MADE_UP_LENGTH)
  expect(readShortName(name)).toBe(name)
  expect(new Set(MADE_UP_LETTERS.split('').map(lookOf)).size).toBe(MADE_UP_LETTERS.length)
})

describe('the path of a short link', () => {
  test.each([
    ['/maria', 'maria', ''],
    ['/MARIA', 'maria', ''],
    ['//maria', 'maria', ''],
    ['/maria/', 'maria', ''],
    ['/maria.', 'maria', ''],
    ['/maria,', 'maria', ''],
    ['/maria)', 'maria', ''],
    ['/maria%20', 'maria', ''],
    ['/maria%E2%80%9D.', 'maria', ''],
    ['/maria?', 'maria', ''],
    ['/maria?sub1=x&utm_source=y', 'maria', 'sub1=x&utm_source=y'],
    ['/maria/?sub1=x', 'maria', 'sub1=x'],
    ['/maria&fbclid=x', 'maria', 'fbclid=x'],
    ['/maria&amp;sub1=x&amp;sub2=y', 'maria', 'sub1=x&sub2=y'],
  ])('%s', (url, name, query) => {
    expect(findShortLink(url)).toEqual({ name, query })
  })

  test.each([
    ['/'],
    ['/api'],
    ['/app'],
    ['/app/home'],
    ['/login'],
    ['/L0gin?next=x'],
    ['/assets/index-abc.js'],
    ['/icon.svg'],
    ['/icon-192.png'],
    ['/sw.js'],
    ['/robots.txt'],
    ['/maria/shop'],
    ['/maria.php'],
    ['/.env'],
    ['/wp-login.php'],
    ['/maria-'],
    ['/%6Daria'],
    [`/${'x'.repeat(33)}`],
    ['*'],
    [''],
  ])('%j is none', (url) => {
    expect(findShortLink(url)).toBeUndefined()
  })

  test('whatever is asked for, its name is one that can be given', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'maria',
        '0il',
        '-',
        '/',
        '?',
        '&',
        '%20',
        '%',
        '.',
        'login',
        'api',
        '\\',
        '#',
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const found = findShortLink(`/${parts.join('')}`)
        if (!found) return
        expect(readShortName(found.name)).toBe(found.name)
        expect(isReservedName(found.name)).toBe(false)
      }),
    )
  })
})

test.each([
  ['https://go.example.com/Maria-Shop', ['maria-shop']],
  ['go.example.com/maria-shop?sub1=x', ['maria-shop']],
  ['Why is “https://go.example.com:8443/maria-shop”, sent today, so slow?', ['maria-shop']],
  ['see (http://go.example.com/maria-shop).', ['maria-shop']],
  ['https://go.example.com/api/links/s/maria-shop', ['maria-shop']],
  ['localhost:3000/maria-shop', ['maria-shop']],
  ['/maria-shop', ['maria-shop']],
  [' Maria-Shop ', ['maria-shop']],
  ['his/hers or their', []],
  ['https://go.example.com/', []],
  ['https://go.example.com/two/words', []],
  ['https://go.example.com/login', []],
  ['login', []],
  ['', []],
  ['See https://facebook.com/maria and https://go.example.com/maria-shop', ['maria', 'maria-shop']],
  ['costs 1.5/month: https://go.example.com/maria-shop', ['month', 'maria-shop']],
  [
    'a.b/one1 a.b/two2 a.b/one1 a.b/three a.b/four a.b/five a.b/seven',
    ['one1', 'two2', 'three', 'four', 'five'],
  ],
])('in %j are the names %j', (text, names) => {
  expect(shortNamesIn(text)).toEqual(names)
})
