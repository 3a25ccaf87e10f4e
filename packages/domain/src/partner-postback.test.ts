import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { fillPostbackUrl, POSTBACK_MACROS, postbackUrlProblem } from './partner-postback.ts'

test('each macro is filled, and one without a value becomes empty', () => {
  const template = `https://t.example/p?${POSTBACK_MACROS.map((name) => `${name}={${name}}`).join('&')}`
  expect(postbackUrlProblem(template)).toBeUndefined()
  const url = new URL(fillPostbackUrl(template, { sub1: 'a b&c=d', payout: '8.00' }))
  expect(url.searchParams.get('sub1')).toBe('a b&c=d')
  expect(url.searchParams.get('payout')).toBe('8.00')
  expect(url.searchParams.get('sub2')).toBe('')
  expect([...url.searchParams.keys()]).toEqual([...POSTBACK_MACROS])
})

test('braces may be percent-encoded', () => {
  expect(fillPostbackUrl('https://t.example/?c=%7Bsub1%7d', { sub1: 'x' })).toBe(
    'https://t.example/?c=x',
  )
})

test.each([
  [
    'https://t.example/?a={clickid}&b={sub6}&c={sub1}',
    'has {clickid}, {sub6}, which are no macros',
  ],
  ['https://t.example/?a={}', 'has {}, which is no macro'],
  ['https://{sub1}.example/', 'must not have a macro in its host name'],
  ['https://%7Bsub1%7D/', 'must not have a macro in its host name'],
  ['https://u:p@t.example/', 'must not contain a username or password'],
  ['ftp://t.example/', 'must be an http or https address'],
  ['t.example/?a={sub1}', 'must be an http or https address'],
  ['https://t.example/ a', 'must be an http or https address'],
  [String.raw`https://t.example\@inside/`, 'must be an http or https address'],
])('%s is refused by name', (template, problem) => {
  expect(postbackUrlProblem(template)).toMatch(problem)
})

property.prop([fc.string({ unit: 'binary' })])(
  'no value reaches the host, another parameter or a header',
  (value) => {
    const filled = fillPostbackUrl('https://t.example/p?a={sub1}&b=1', { sub1: value })
    const url = new URL(filled)
    expect(url.host).toBe('t.example')
    expect([...url.searchParams.keys()]).toEqual(['a', 'b'])
    expect(url.searchParams.get('a')).toBe(value.toWellFormed())
    expect(filled).toMatch(/^[\x21-\x7e]*$/)
  },
)
