import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  buildTrackedLink,
  compileDestination,
  isDestination,
  MAX_ID,
  parseId,
  parseTrackedLink,
  type DestinationValues,
} from './tracked-link.ts'

/** The destination of one visitor. */
const destinationUrl = (template: string, values: DestinationValues & { clickParam?: string }) =>
  compileDestination(template, values.clickParam)(values)

const link = { siteId: 12, typeId: 34, agentId: 56 }
const values: DestinationValues = { ...link, clickId: '0abc', officeId: 78, subs: { sub1: 'a b' } }

describe('reading a tracked link', () => {
  test.each([
    ['https://go.example.com/api/links/go/12/34/56'],
    ['http://localhost:3000/api/links/go/12/34/56/'],
    ['/api/links/go/12/34/56'],
    ['api/links/go/12/34/56'],
    ['See https://go.example.com/api/links/go/12/34/56, please.'],
    ['"https://go.example.com/api/links/go/12/34/56"'],
    ['https://go.example.com/api/links/go/12/34/56#top'],
    ['https://go.example.com/api/links/go/12/34/56?utm_source=x'],
    ['https://go.example.com/api/links/go/12/34/56.'],
    ['https://go.example.com/api/links/go/12/34/56,'],
    ['(https://go.example.com/api/links/go/12/34/56)'],
    ['https://go.example.com/api/links/go/12/34/56%20'],
    ['https://go.example.com/api/links/go/12/34/56%E2%80%8B'],
    ['https://go.example.com/api/links/go/12/34/56\u200b'],
    ['https://go.example.com/api/links/go/12/34/56abc'],
    ['https://go.example.com/api/links/go/12/34/56/78'],
    ['https://go.example.com/api/links/go/12/34/56&fbclid=x'],
    ['https://go.example.com//api/links//go/12/34/56'],
    ['https://go.example.com/API/Links/GO/12/34/56'],
    ['https://go.example.com/api/links/go/12%2F34%2f56'],
    ['https://go.example.com/api/links/go/ 12/\n34/56'],
    ['https:\\\\go.example.com\\api\\links\\go\\12\\34\\56'],
  ])('%s', (text) => {
    expect(parseTrackedLink(text)).toEqual({ ...link, subs: {} })
  })

  test.each([
    [''],
    ['https://go.example.com/links/go/12/34/56'],
    ['https://go.example.com/api/links/go/12/34'],
    ['https://go.example.com/api/links/go/12/34/'],
    ['https://go.example.com/api/links/go/0/34/56'],
    ['https://go.example.com/api/links/go/12/-34/56'],
    ['https://go.example.com/api/links/go/12/34 56'],
    ['https://go.example.com/api/links/go/12/34/2147483648'],
    ['https://go.example.com/api/links/go/12/34/99999999999999999999'],
    ['https://go.example.com/my-api/links/go/12/34/56'],
    ['https://go.example.com/api/links/go/1e3/34/56'],
  ])('%j is not one', (text) => {
    expect(parseTrackedLink(text)).toBeUndefined()
  })

  test('keeps only the sub ids of the query', () => {
    expect(
      parseTrackedLink('x.example/api/links/go/12/34/56?sub1=a%20b&x=1&sub5=%C3%A9&sub2=#sub3=no'),
    ).toEqual({ ...link, subs: { sub1: 'a b', sub5: 'é' } })
  })

  test.each([
    ['?sub1=fb'],
    ['/?sub1=fb'],
    ['&sub1=fb'],
    ['&amp;sub1=fb'],
    ['&#038;sub1=fb'],
    ['?amp;sub1=fb'],
    ['%3Fsub1%3Dfb'],
    ['%20?sub1=fb'],
    ['?a=b&amp;sub1=fb'],
    ['?a=b&#38;sub1=fb&amp;c=d'],
  ])('with the query %s has its sub ids', (rest) => {
    expect(parseTrackedLink(`https://go.example.com/api/links/go/12/34/56${rest}`)).toEqual({
      ...link,
      subs: { sub1: 'fb' },
    })
  })

  test('is the inverse of building it', () => {
    const id = fc.integer({ min: 1, max: MAX_ID })
    const sub = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.toWellFormed())
    fc.assert(
      fc.property(
        fc.record({ siteId: id, typeId: id, agentId: id }),
        fc.record({ sub1: sub, sub4: sub }, { requiredKeys: [] }),
        (ids, subs) => {
          const built = buildTrackedLink('https://go.example.com/', ids, subs)
          expect(new URL(built).host).toBe('go.example.com')
          expect(parseTrackedLink(`<${built}>`)).toEqual({ ...ids, subs })
        },
      ),
    )
  })
})

test.each([
  ['1', 1],
  ['2147483647', MAX_ID],
  ['2147483648', undefined],
  ['9007199254740993', undefined],
  ['0', undefined],
  ['01', undefined],
  ['+1', undefined],
  ['-1', undefined],
  ['1.0', undefined],
  ['1e3', undefined],
  ['0x1', undefined],
  [' 1', undefined],
  ['1\n', undefined],
  ['١', undefined],
  ['', undefined],
])('the id in %j is %s', (text, id) => {
  expect(parseId(text)).toBe(id)
})

describe('where a visitor is redirected', () => {
  test.each([
    ['no path', 'https://m.example', 'https://m.example?click_id=0abc'],
    ['no query', 'https://m.example/p', 'https://m.example/p?click_id=0abc'],
    ['an empty query', 'https://m.example/p?', 'https://m.example/p?click_id=0abc'],
    ['a query', 'https://m.example/p?a=1', 'https://m.example/p?a=1&click_id=0abc'],
    ['a trailing &', 'https://m.example/p?a=1&', 'https://m.example/p?a=1&click_id=0abc'],
    ['a fragment', 'https://m.example/p#top?x', 'https://m.example/p?click_id=0abc#top?x'],
    [
      'one that is there',
      'https://m.example/?a=1&click_id=old&b=2#top',
      'https://m.example/?a=1&click_id=0abc&b=2#top',
    ],
    [
      'one that is there, encoded',
      'https://m.example/?click%5Fid=old',
      'https://m.example/?click_id=0abc',
    ],
    [
      'one that is there without a value',
      'https://m.example/?click_id&b',
      'https://m.example/?click_id=0abc&b',
    ],
    [
      'two that are there',
      'https://m.example/?click_id=1&b=2&click_id=3',
      'https://m.example/?click_id=0abc&b=2',
    ],
    [
      'a longer name',
      'https://m.example/?my_click_id=1',
      'https://m.example/?my_click_id=1&click_id=0abc',
    ],
    [
      'odd but lawful bytes',
      'https://m.example/p%2f;x?a=%zz&&b=+%20&=c',
      'https://m.example/p%2f;x?a=%zz&&b=+%20&=c&click_id=0abc',
    ],
    ['a port and a user', 'HTTP://u:p@m.example:8080/', 'HTTP://u:p@m.example:8080/?click_id=0abc'],
    ['white space around', ' https://m.example/ \n', 'https://m.example/?click_id=0abc'],
  ])('%s', (_, template, url) => {
    expect(destinationUrl(template, values)).toBe(url)
  })

  test.each([
    ['in the query', 'https://m.example/?c={click_id}&a=1', 'https://m.example/?c=0abc&a=1'],
    ['in the path', 'https://m.example/{click_id}/x', 'https://m.example/0abc/x'],
    ['in the fragment', 'https://m.example/#{click_id}', 'https://m.example/#0abc'],
    ['percent-encoded', 'https://m.example/?c=%7Bclick_id%7d', 'https://m.example/?c=0abc'],
    ['twice', 'https://m.example/{click_id}?c={click_id}', 'https://m.example/0abc?c=0abc'],
    [
      'of every kind',
      'https://m.example/{site_id}/{type_id}/{agent_id}/{office_id}/{sub1}/{sub2}?c={click_id}',
      'https://m.example/12/34/56/78/a%20b/?c=0abc',
    ],
    [
      'without the click id',
      'https://m.example/?agent={agent_id}',
      'https://m.example/?agent=56&click_id=0abc',
    ],
    [
      'around its own name',
      'https://m.example/{site_id}click_id{type_id}',
      'https://m.example/12click_id34?click_id=0abc',
    ],
    [
      'unknown or in capitals',
      'https://m.example/{sub6}{CLICK_ID}{}',
      'https://m.example/{sub6}{CLICK_ID}{}?click_id=0abc',
    ],
  ])('a macro %s', (_, template, url) => {
    expect(destinationUrl(template, values)).toBe(url)
  })

  test.each([
    ['cid', 'https://m.example/?cid=1&click_id=2', 'https://m.example/?cid=0abc&click_id=2'],
    ['a b', 'https://m.example/?a+b=1', 'https://m.example/?a%20b=0abc'],
    ['', 'https://m.example/', 'https://m.example/?click_id=0abc'],
  ])('under the site\'s own parameter name "%s"', (clickParam, template, url) => {
    expect(destinationUrl(template, { ...values, clickParam })).toBe(url)
  })

  test('a value cannot leave its place, nor is it searched for macros', () => {
    const subs = { sub1: '&click_id=x#\r\nSet-Cookie: a=1', sub2: '{agent_id}', sub3: '\ud800é' }
    expect(
      destinationUrl('https://m.example/?a={sub1}&b={sub2}&c={sub3}', { ...values, subs }),
    ).toBe(
      'https://m.example/?a=%26click_id%3Dx%23%0D%0ASet-Cookie%3A%20a%3D1&b=%7Bagent_id%7D' +
        '&c=%EF%BF%BD%C3%A9&click_id=0abc',
    )
  })

  test('what a header may not contain is encoded', () => {
    expect(destinationUrl('https://пример.рф/путь?я=😀 x\r\n#é', values)).toBe(
      'https://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C?%D1%8F=%F0%9F%98%80%20x%0D%0A&click_id=0abc#%C3%A9',
    )
  })

  test.each([
    [''],
    ['m.example/p'],
    ['//m.example/p'],
    ['/p'],
    ['ftp://m.example/'],
    ['javascript:alert(1)'],
    ['data:text/html,https://m.example/'],
    ['https://'],
    ['https:///p'],
    ['https:m.example'],
    ['https://m.example\\p'],
    ['https://m.example:99999/'],
    ['https://m example/'],
    ['https://{sub1}.example/'],
    ['https://%7Bsub1%7D.example/'],
    ['https://{sub1}/'],
    ['https://m.example\\@evil.example/'],
    ['https://m.exam\u0000ple/'],
  ])('%j is not a destination', (template) => {
    expect(isDestination(template)).toBe(false)
    expect(() => compileDestination(template)).toThrow(TypeError)
  })

  test('the click id can be read back, and everything else is unchanged', () => {
    const part = fc
      .string({ unit: 'grapheme' })
      .map((text) => encodeURIComponent(text.toWellFormed()))
    const pair = fc
      .tuple(part, part)
      .map(([name, value]) => `${name}=${value}`)
      .filter((text) => !text.startsWith('click_id='))
    const clickId = fc.stringMatching(/^[0-9a-v]{32}$/)
    fc.assert(
      fc.property(part, fc.array(pair), part, clickId, (path, pairs, fragment, id) => {
        const before = new URL(`https://m.example/${path}?${pairs.join('&')}#${fragment}`)
        const after = new URL(compileDestination(before.href)({ ...values, clickId: id }))
        expect(isDestination(before.href)).toBe(true)
        expect(after.searchParams.getAll('click_id')).toEqual([id])
        expect(after.search.startsWith(before.search)).toBe(true)
        expect(after.origin + after.pathname).toBe(before.origin + before.pathname)
        expect(after.hash).toBe(before.hash)
      }),
    )
  })

  test('whatever the link, its site and its visitor, the host stays and the header is one line', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\r\nset-cookie: a=1',
        '{sub1}',
        '{click_id}',
        '@evil.example',
        '\u2028',
        '#',
      ),
    )
    fc.assert(
      fc.property(any, any, any, any, (first, second, clickParam, sub1) => {
        const template = `https://m.example/${first}{sub1}?${second}`
        fc.pre(isDestination(template))
        const url = destinationUrl(template, { ...values, clickParam, subs: { sub1 } })
        expect(url).toMatch(/^https:\/\/m\.example\/[\x21-\x7e]*$/)
      }),
    )
  })
})
