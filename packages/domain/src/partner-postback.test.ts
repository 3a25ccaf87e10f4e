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

/** Each is read in two ways by programs of the field. */
const ambiguous = [
  'http:///{sub1}/p',
  'http:////{sub1}/p',
  'http:/{sub1}/p',
  'http:{sub1}/p',
  'HTTP:///{sub1}/p',
  String.raw`http:\\{sub1}\p`,
  String.raw`http://t.example\.{sub1}/p`,
  String.raw`http://t.example\@{sub1}/p`,
  'http://t.example@{sub1}/p',
  'http://t.example:80@{sub1}/p',
  'http://t.example:{sub1}/p',
  'http://t.example#@{sub1}/p',
  'http://t.example?@{sub1}/p',
  'http://t.example/@{sub1}/p',
  'http://t.example;@{sub1}/p',
  'ht\ttp://{sub1}/p',
  'http:/\t/{sub1}/p',
  'http://\t{sub1}/p',
  'http://t.example\t/{sub1}',
  'http://t.example\n.{sub1}/',
  'http://%7Bsub1%7D/p',
  'http://｛sub1｝/p',
  'http://t.example%2F.{sub1}/p',
  'http://t.example%00.evil.example/{sub1}',
  'http://t。example/{sub1}',
  'http://ｔ.example/{sub1}',
  'http://[{sub1}]/p',
  'http://0x7f.1/{sub1}',
  'HTTPS://T.EXAMPLE:443/{sub1}',
  ' http://t.example/{sub1}',
  '//{sub1}/p',
  'javascript://t.example/{sub1}',
]

test.each(ambiguous)('whoever parses %j: no value chooses the host that is asked', (template) => {
  if (postbackUrlProblem(template) !== undefined) return
  const values = Object.fromEntries(POSTBACK_MACROS.map((name) => [name, 'evil.example']))
  const asked = new URL(fillPostbackUrl(template, values))
  expect([asked.host, asked.username]).toEqual([new URL(template).host, ''])
  expect(asked.host).not.toContain('evil')
})

test('of these, only those are taken in which every program finds the same host', () => {
  const hosts = ambiguous
    .filter((template) => postbackUrlProblem(template) === undefined)
    .map((template) => new URL(template).host)
  expect(hosts).toEqual([
    't.example',
    't.example',
    't.example',
    't.example',
    't.example',
    '127.0.0.1',
    't.example',
  ])
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
