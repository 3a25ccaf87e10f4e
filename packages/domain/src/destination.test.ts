import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compileDestination,
  type DestinationValues,
  isDestination,
  MOST_FORWARDED,
} from './destination.ts'
import { hostsOf, pageOf, pageText } from './merchant-page.ts'
import { parseTrackedLink } from './tracked-link.ts'

/** The destination of one visitor. */
const destinationUrl = (template: string, values: DestinationValues & { clickParam?: string }) =>
  compileDestination(template, values.clickParam)(values)

const values: DestinationValues = {
  siteId: 12,
  typeId: 34,
  agentId: 56,
  clickId: '0abc',
  officeId: 78,
  subs: { sub1: 'a b' },
}

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

const hosts = ['m.example', 'shop.example:8443']

/** Where a visitor of a link type gets with what their URL carries. */
const led = (
  template: string,
  {
    to,
    others = [],
    clickParam,
  }: { to?: string; others?: [string, string][]; clickParam?: string },
) =>
  compileDestination(template, clickParam)(values, {
    page: to === undefined ? undefined : pageOf(to, hostsOf(template, hosts.slice(1))),
    others,
  })

describe('what a visitor’s URL carries is added to the query', () => {
  test.each<[string, string, [string, string][], string]>([
    [
      'before the fragment',
      'https://m.example/p?a=1#top',
      [
        ['utm_source', 'a b'],
        ['gclid', 'x&y=z#'],
      ],
      'https://m.example/p?a=1&click_id=0abc&utm_source=a%20b&gclid=x%26y%3Dz%23#top',
    ],
    [
      'as the first, if the click id is in the path',
      'https://m.example/{click_id}#{sub1}',
      [['utm_source', 'x']],
      'https://m.example/0abc?utm_source=x#a%20b',
    ],
    [
      'as often as it is there',
      'https://m.example/',
      [
        ['tag[]', '1'],
        ['tag[]', '2'],
        ['empty', ''],
      ],
      'https://m.example/?click_id=0abc&tag%5B%5D=1&tag%5B%5D=2&empty=',
    ],
    [
      'never in place of what the template has, however it is written',
      'https://m.example/?aff_id=7&{sub2}=x&c={click_id}',
      [
        ['aff_id', '8'],
        ['AFF-ID', '8'],
        ['aff.id', '8'],
        ['aff_id[]', '8'],
        [' aff_id', '8'],
        ['affid', '8'],
        ['C', '8'],
        ['click_id', '8'],
        ['aff_idx', '9'],
      ],
      'https://m.example/?aff_id=7&=x&c=0abc&aff_idx=9',
    ],
    [
      'nor of the site’s click parameter',
      'https://m.example/{click_id}',
      [['CID', '8']],
      'https://m.example/0abc',
    ],
    [
      'without being searched for macros',
      'https://m.example/',
      [['{agent_id}', '{click_id}']],
      'https://m.example/?click_id=0abc&%7Bagent_id%7D=%7Bclick_id%7D',
    ],
  ])('%s', (_, template, others, url) => {
    const clickParam = template.includes('{click_id}') ? 'cid' : 'click_id'
    expect(led(template, { others, clickParam })).toBe(url)
  })

  test('whole parameters of up to 2 kB: what no longer fits is left out', () => {
    const others: [string, string][] = [
      ['long', 'é'.repeat(338)], // 6 × 338 + `&long=`
      ['gclid', 'x'.repeat(20)],
      ['a', '1'],
      ['b', '2'],
    ]
    const before = led('https://m.example/', {})
    const url = led('https://m.example/', { others })
    expect(url.slice(before.length)).toBe(`&long=${'%C3%A9'.repeat(338)}&a=1&b=2`)
    expect(url.length - before.length).toBeLessThanOrEqual(MOST_FORWARDED)
  })
})

describe('a page of the merchant takes the place of path and fragment', () => {
  test.each([
    ['/product/7', 'https://m.example/product/7?a=1&click_id=0abc'],
    ['/product/7?color=red#size', 'https://m.example/product/7?color=red&a=1&click_id=0abc#size'],
    ['/?A=2&b=3&click-id=9', 'https://m.example/?b=3&a=1&click_id=0abc'],
    ['/?x=1;a=2&y=1;b=3&z&amp;A[]=2', 'https://m.example/?y=1;b=3&z&a=1&click_id=0abc'],
    ['/{sub1}?x={click_id}', 'https://m.example/%7Bsub1%7D?x=%7Bclick_id%7D&a=1&click_id=0abc'],
    ['https://m.example/x', 'https://m.example/x?a=1&click_id=0abc'],
    ['http://M.example./x', 'https://m.example/x?a=1&click_id=0abc'],
    ['https://m.example', 'https://m.example/?a=1&click_id=0abc'],
    ['https://shop.example:8443/y?z', 'https://shop.example:8443/y?z&a=1&click_id=0abc'],
  ])('%s', (to, url) => {
    expect(led('https://m.example/join?a=1#top', { to })).toBe(url)
  })

  test.each([
    ['in the path', 'https://m.example/{click_id}/?a=1', 'https://m.example/p?a=1&cid=0abc'],
    [
      'in the query',
      'https://m.example/?c={click_id}&s={sub1}',
      'https://m.example/p?c=0abc&s=a%20b',
    ],
    ['in the fragment', 'https://m.example/#{click_id}', 'https://m.example/p?cid=0abc'],
    ['in none', 'http://u:p@m.example/?cid=1', 'http://u:p@m.example/p?cid=0abc'],
  ])('and has the click id, although the template has it %s', (_, template, url) => {
    expect(led(template, { to: '/p', clickParam: 'cid' })).toBe(url)
  })

  test('a name behind a semicolon of the template is taken, too', () => {
    expect(led('https://m.example/?c={click_id};aff=7', { to: '/p?aff=8' })).toBe(
      'https://m.example/p?c=0abc;aff=7',
    )
  })

  test('what is forwarded stands behind it, under names that neither has', () => {
    const others: [string, string][] = [
      ['color', 'blue'],
      ['a', '2'],
      ['gclid', 'g'],
    ]
    expect(led('https://m.example/join?a=1', { to: '/p?color=red', others })).toBe(
      'https://m.example/p?color=red&a=1&click_id=0abc&gclid=g',
    )
  })
})

test('whatever a visitor’s URL says, it never leaves the hosts, and the header is one line', () => {
  const scheme = fc.constantFrom('', 'https:', 'HTTP:', 'javascript:', 'data:', 'ftp:', 'http', ':')
  const slashes = fc.constantFrom(
    '',
    '/',
    '//',
    '///',
    '\\',
    '/\\',
    '\\/',
    '/\t/',
    '%2F%2F',
    '/%2F',
    '%5C',
  )
  const host = fc.constantFrom(
    'm.example',
    'M.EXAMPLE.',
    'm.example:443',
    'm.example:8443',
    'shop.example:8443',
    'evil.example',
    'm.example@evil.example',
    'm.example:x@evil.example',
    'm.example%40evil.example',
    'evil.example#@m.example',
    'm.example.evil.example',
    'ｍ.example',
    'm。example',
    'm%2eexample',
    'evil\u3002example',
    'xn--m-0ga.example',
    'm.example%00.evil.example',
    '[::1]',
    '127.1',
    'пример.рф',
    'm.example%2F@evil.example',
    '',
  )
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '..',
      '/../',
      '%2e%2e/',
      '\\',
      '%5C',
      '%255C',
      '\r\nLocation: https://evil.example',
      '%0d%0a',
      '%250d%250a',
      '\u2028',
      '\ud800',
      '\0',
      '?',
      '#',
      '@',
      ':',
      '&',
      '=',
      '{click_id}',
      '%',
      '%2',
      '"',
      "'",
      '<',
      '?to=//evil.example',
      '/api/links/go/1/2/3',
      '/%61pi/links%2fgo/1/2/%33',
      'https://evil.example',
    ),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  const rest = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  const start = fc.oneof(
    fc.tuple(scheme, slashes, host).map((parts) => parts.join('')),
    fc.constantFrom('/', 'https://m.example/', 'https://m.example', 'https://shop.example:8443/'),
  )
  const text = fc.tuple(start, rest).map((parts) => parts.join(''))
  const template = fc.constantFrom(
    'https://m.example/join?a=1#top',
    'https://m.example',
    'https://m.example/{sub1}?c={click_id}',
  )
  let pages = 0
  fc.assert(
    fc.property(
      template,
      text,
      fc.array(fc.tuple(text, text), { maxLength: 3 }),
      (of, to, others) => {
        const page = pageOf(to, hosts)
        const url = compileDestination(of)(values, { page, others })
        expect(url).toMatch(/^https:\/\/(?:m\.example|shop\.example:8443)(?:[/?#][\x21-\x7e]*)?$/)
        const { host: left, username, hash, search } = new URL(url)
        expect(hosts).toContain(left)
        expect(username).toBe('')
        expect(search + hash + url).toContain('0abc')
        if (!page) return
        pages++
        const { pathname } = new URL(url)
        expect(parseTrackedLink(pathname)).toBeUndefined()
        if (/^(?:[^%]|%[0-7][\da-f])*$/i.test(pathname))
          expect(parseTrackedLink(decodeURIComponent(pathname))).toBeUndefined()
        // The link that is made of it leads to the same page.
        expect(pageOf(pageText(page), hosts)).toEqual(page)
      },
    ),
    { numRuns: 3000 },
  )
  expect(pages).toBeGreaterThan(100)
})

describe('no page of the merchant:', () => {
  test.each([
    '',
    'product/7',
    '?a=1',
    '#top',
    '//evil.example/x',
    '/\\evil.example',
    '\\\\evil.example',
    'https:/m.example/x',
    'https:m.example',
    'javascript:alert(1)',
    'https://evil.example/',
    'https://m.example@evil.example/',
    'https://u:p@m.example/',
    'https://m.example:8443/',
    'https://m.example.evil.example/',
    'https://evil.example\\@m.example/',
    '/a\r\nb',
    '%2Fproduct',
    'https%3A%2F%2Fm.example%2F',
    '/api/links/go/1/2/3',
    '/x/../api/%2e/links//go/1/2/3',
    '/%61pi/links/go/1/2/3',
    '/ap%69/l%49nks%2Fgo%2f1/2/%33/%zz%C3%A9',
    'https://m.example//evil.example',
  ])('%j', (to) => {
    expect(pageOf(to, hosts)).toBeUndefined()
  })

  test('more than 2048 characters as they are sent', () => {
    expect(pageOf(`/${'é'.repeat(341)}`, hosts)).toBeDefined()
    expect(pageOf(`/${'é'.repeat(342)}`, hosts)).toBeUndefined()
    // A link has it without its host.
    expect(pageOf(`https://m.example/${'x'.repeat(2047)}`, hosts)).toBeDefined()
    expect(pageOf(`https://shop.example:8443/${'x'.repeat(2030)}`, hosts)).toBeUndefined()
    expect(pageOf(`/${'x'.repeat(2047)}`, hosts)).toBeDefined()
    expect(pageOf(`/${'x'.repeat(2048)}`, hosts)).toBeUndefined()
  })
})
