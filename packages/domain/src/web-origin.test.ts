import { expect, test } from 'vitest'
import { parseWebAddress, toOrigin } from './web-origin.ts'

test.each([
  ['https://go.example.com', 'https://go.example.com'],
  [' HTTPS://Go.Example.com:443/ ', 'https://go.example.com'],
  ['http://go.example.com:80', 'http://go.example.com'],
  ['http://localhost:4600', 'http://localhost:4600'],
  ['http://192.0.2.7:8080', 'http://192.0.2.7:8080'],
  ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
  ['https://go.example.com.', 'https://go.example.com'],
  ['https://go.example.com.:8443', 'https://go.example.com:8443'],
  ['https://пример.рф', 'https://xn--e1afmkfd.xn--p1ai'],
])('%j is the origin %s', (typed, origin) => {
  expect(toOrigin(typed)).toBe(origin)
})

test.each([
  [''],
  ['https://'],
  ['https:///'],
  ['go.example.com'],
  ['//go.example.com'],
  ['https:go.example.com'],
  ['ftp://go.example.com'],
  ['javascript:alert(1)'],
  ['https://go.example.com/path'],
  ['https://go.example.com//'],
  ['https://go.example.com?a=1'],
  ['https://go.example.com#top'],
  ['https://go.example.com\\@evil.example'],
  ['https://user:secret@go.example.com'],
  ['https://go example.com'],
  ['https://go.example.com:99999'],
  ['https://go.exam\nple.com'],
  ['https://1'],
  ['https://0x7f.1'],
  ['https://3221225985'],
  ['https://go'],
  ['https://go.'],
])('%j is not one', (typed) => {
  expect(toOrigin(typed)).toBeUndefined()
})

test('a web address has a scheme, two slashes and a host, as it is written', () => {
  expect(parseWebAddress('HTTPS://WWW.Example.com/a')?.href).toBe('https://www.example.com/a')
  const others = [
    'https:www.example.com',
    'https:/www.example.com',
    'https:///www.example.com',
    String.raw`https:\\www.example.com`,
    String.raw`https://www.example.com\@other.example`,
    'https://www.exa\tmple.com/',
    ' https://www.example.com/',
    'https://www.example.com/a b',
    'ftp://www.example.com/',
    'javascript://www.example.com/',
    '//www.example.com/',
    'https://',
    '',
  ]
  expect(others.filter((text) => parseWebAddress(text) !== undefined)).toEqual([])
})
