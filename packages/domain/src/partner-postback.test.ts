import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import {
  fillPostbackUrl,
  POSTBACK_MACROS,
  postbackUrlProblem,
  webhookUrlProblem,
} from './partner-postback.ts'

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
    'has {clickid}, {sub6}, which are no macros: for {clickid} write {sub1} (your tracker’s click id) or {click_id} (ours)',
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

const MEANT = '{sub1} (your tracker’s click id) or {click_id} (ours)'

test.each([
  ['{{sub1}}', '{{sub1}}', '{sub1}'],
  ['{{{sub1}}}', '{{{sub1}}}', '{sub1}'],
  ['{{ sub1 }}'.replaceAll(' ', '%20'), '{{ sub1 }}', '{sub1}'],
  ['%7B%7Bsub1%7D%7D', '{{sub1}}', '{sub1}'],
  ['{{sub1}', '{{sub1}', '{sub1}'],
  ['[sub1]', '[sub1]', '{sub1}'],
  ['%5Bsub1%5D', '[sub1]', '{sub1}'],
  ['[[sub1]]', '[[sub1]]', '{sub1}'],
  ['[*sub1*]'.replace('*]', ']'), '[*sub1]', '{sub1}'],
  ['${sub1}', '${sub1}', '{sub1}'],
  ['%24%7Bsub1%7D', '${sub1}', '{sub1}'],
  ['#{sub1}', '#{sub1}', '{sub1}'],
  ['%{sub1}', '%{sub1}', '{sub1}'],
  ['{$sub1}', '{$sub1}', '{sub1}'],
  ['{%20sub1%20}', '{ sub1 }', '{sub1}'],
  ['%sub1%', '%sub1%', '{sub1}'],
  ['%affid%', '%affid%', '{agent_id}'],
  ['%25sub1%25', '%25sub1%25', '{sub1}'],
  ['<sub1>', '<sub1>', '{sub1}'],
  ['%3Csub1%3E', '<sub1>', '{sub1}'],
  ['<%=sub1%>', '<%=sub1%>', '{sub1}'],
  ['#sub1#', '#sub1#', '{sub1}'],
  ['%23sub1%23', '#sub1#', '{sub1}'],
  ['#PAYOUT#', '#PAYOUT#', '{payout}'],
  ['{SUB1}', '{SUB1}', '{sub1}'],
  ['{Sub_1}', '{Sub_1}', '{sub1}'],
  ['a-[sub1]-b', '[sub1]', '{sub1}'],
  ['__SUB1__', '__SUB1__', '{sub1}'],
  ['$sub1', '$sub1', '{sub1}'],
  [':sub1', ':sub1', '{sub1}'],
  ['(sub1)', '(sub1)', '{sub1}'],
  ['|sub1|', '|sub1|', '{sub1}'],
  ['｛sub1｝', '｛sub1｝', '{sub1}'],
  ['％sub1％', '％sub1％', '{sub1}'],
  ['{{click_id}}', '{{click_id}}', MEANT],
  ['[clickid]', '[clickid]', MEANT],
  ['{{amount}}', '{{amount}}', '{payout}'],
  ['[OrderID]', '[OrderID]', '{transaction_id}'],
  ['[anything]', '[anything]', undefined],
  ['%anything%', '%anything%', undefined],
])('%s is no macro of ours, and the one to write is named', (value, text, ours) => {
  const problem = `has ${text}, which is no macro${ours === undefined ? '' : `: write ${ours}`}`
  for (const url of [
    `https://t.example/p?c=${value}`,
    `https://t.example/p?a=1&c=${value}&st={status}`,
    `https://t.example/p/${value}/{event_id}`,
  ]) {
    expect([url, postbackUrlProblem(url)]).toEqual([url, problem])
    expect(webhookUrlProblem(url)).toMatch('must not have macros')
  }
})

test('each of several is named once, with what to write for it', () => {
  expect(
    postbackUrlProblem('https://t.example/?c={{sub1}}&d={{sub1}}&p=[sum]&x=%other%&e={event}'),
  ).toBe(
    'has {{sub1}}, [sum], %other%, which are no macros: for {{sub1}} write {sub1}, for [sum] write {payout}',
  )
})

test.each([
  'https://t.example/p?filter[site]=3&ids[]={event_id}&a[type][0]=1',
  'https://t.example/p?filter%5Bsite%5D=3&c={sub1}',
  'https://t.example/p?data={"id":"{sub1}","paid":{payout}}',
  'https://t.example/p?data=%7B%22id%22:%22%7Bsub1%7D%22%7D',
  'https://t.example/p?ids=[1,2]&names=["sub1"]&c={sub1}',
  'https://t.example/%E4%B8%AD%E6%96%87?q=%E4%20%C3%A4%25&c={sub1}',
  'https://t.example/p?back=https%253A%252F%252Ft.example%252F%25E4%25B8%25AD&c={sub1}',
  'https://t.example/p?off=100%25&more=5%25to%2010%25&c={sub1}',
  'https://t.example/$p/~agent/:443?status=(none)&type=sale&event=event&c={sub1}#part',
  'https://t.example/p?c={sub1}-{sub2}&t=pre_{time}_post',
  'https://t.example/_/p?sort=-time&c={sub1}',
])('%s has no macros but ours', (template) => {
  expect(postbackUrlProblem(template)).toBeUndefined()
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
