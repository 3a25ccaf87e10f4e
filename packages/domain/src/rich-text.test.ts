import { expect, test } from 'vitest'
import { hasContent, isSafeLink, keptAttribute } from './rich-text.ts'

test.each([
  ['https://example.com/a?b=c#d', true],
  ['HTTP://EXAMPLE.COM', true],
  ['mailto:a@example.com', true],
  ['tel:+15550100', true],
  ['/app/links', true],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['/\t/evil.example', false],
  ['javascript:alert(1)', false],
  [' javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['data:text/html,x', false],
  ['vbscript:x', false],
  ['file:///etc/passwd', false],
  ['example.com', false],
  ['#content', false],
  ['', false],
])('a link to %j is safe: %s', (url, isSafe) => {
  expect(isSafeLink(url)).toBe(isSafe)
})

test.each([
  ['', false],
  ['<p></p><p> &nbsp;</p>', false],
  ['<p>a</p>', true],
  ['0', true],
  ['<hr>', true],
  ['<p><img src="a"></p>', true],
  ['a < b', true],
])('%j has content: %s', (html, expected) => {
  expect(hasContent(html)).toBe(expected)
})

test('inherited object properties are not attributes', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    expect(keptAttribute('p', name, 'x')).toBeUndefined()
    expect(keptAttribute(name, 'style', 'x')).toBeUndefined()
  }
})

test('a style keeps allowed declarations, formatted as browsers do', () => {
  expect(keptAttribute('span', 'style', 'COLOR:#C92A2A; font: x')).toBe('color: rgb(201, 42, 42);')
  expect(keptAttribute('p', 'style', 'text-align:right;color:#c92a2a')).toBe('text-align: right;')
  expect(keptAttribute('p', 'style', 'text-align: url(x)')).toBeUndefined()
})
