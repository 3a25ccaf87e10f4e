import { expect, test } from 'vitest'
import { toOrigin } from './web-origin.ts'

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
