import type { Endpoint } from '@tallyroom/contract/endpoint'
import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import { localPartLabel } from '@tallyroom/domain/labels'
import { toMinorUnits } from '@tallyroom/domain/money'
import { isDay } from '@tallyroom/domain/new-york'
import { hasContent, keptAttribute } from '@tallyroom/domain/rich-text'
import { compileDestination, isDestination, parseTrackedLink } from '@tallyroom/domain/tracked-link'
import { toOrigin } from '@tallyroom/domain/web-origin'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { keptParams } from '../src/features/common-logs/kept-params.ts'
import { isCrawler } from '../src/features/clicks/is-crawler.ts'
import { readRange } from '../src/features/ip-blacklist/ip-range.ts'
import { isAuthentic } from '../src/features/postbacks/authenticate.ts'
import { keptFields } from '../src/features/postbacks/kept-fields.ts'
import { parsePostback } from '../src/features/postbacks/parse-postback.ts'
import { readBody, readForm } from '../src/features/postbacks/postback-fields.ts'
import { cleanHtml } from '../src/lib/clean-html.ts'
import { networkOf } from '../src/lib/ip-address.ts'

/** A regular expression with catastrophic backtracking lets one request block all others (ReDoS). */

/** The repeated part of such texts, and endings that prevent a match. */
const units =
  'a|A| |\t|\n|\r\n|0|1|-|_|.|..|@|a@|a.|a.a@|/|//|:|;|,|=|a=|+|%|%7B|%41|{|{click_id|{sub1}|[|(|\\|"|\'|é|😀|\u200b' +
  '|<|<a|<a |<a href="|<a b=|</|<!--|<![CDATA[|<script>|<b>|<p style="|&|&nbsp;|&nbsp|&#|color:rgb(|1,|https://|ftp://' +
  '|links/go/1/|api/links/go/|/api/links/go/1/1/1?|127.|::|ffff:|t=1,|v1=|2026-01-'
const endings = ['', '!', '\u0001', '\ud800']

const texts = units.split('|').flatMap((unit) =>
  endings.map((ending) => ({
    what: JSON.stringify(`${unit}…${ending}`),
    ofLength: (length: number) => unit.repeat(length / unit.length) + ending,
  })),
)

/** Processor time in milliseconds, which does not depend on how busy the machine is. */
function costOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * The texts for which ten times the length takes much more than ten times as long. Begins with
 * short ones, so that even exponential patterns terminate.
 */
const slowTexts = (take: (text: string) => unknown): string[] =>
  texts.flatMap(({ what, ofLength }) => {
    const cost = (length: number) => {
      const text = ofLength(length)
      return costOf(() => take(text))
    }
    if (cost(28) > 500 || cost(400) > 500) return [`${what}: hopeless`]
    const short = cost(3_000)
    if (short > 1_000) return [`${what}: ${short} ms`]
    const long = cost(30_000)
    // Small times are unreliable, and a second measurement distinguishes a slow pattern from an
    // unrelated pause.
    const isSlow = () => long > 100 && Math.min(long, cost(30_000)) > 40 * cost(3_000)
    return isSlow() ? [`${what}: ${short} ms, ten times as long: ${long} ms`] : []
  })

const names = Object.keys(endpoints) as EndpointName[]

test('every field of every endpoint is validated in linear time', () => {
  const fields = new Set(names.flatMap((name) => fieldsOf(endpoints[name])))
  expect(fields.size).toBeGreaterThan(50)
  const slow = [...fields].flatMap((field) => slowTexts((text) => field.safeParse(text)))
  expect(slow).toEqual([])
})

/** All parts of an endpoint's schemas that check a text, at any depth. */
function fieldsOf({ params, query, body }: Endpoint): z.ZodType[] {
  const visited = new Set<z.ZodType>()
  const visit = (schema: z.ZodType) => {
    if (visited.has(schema)) return
    visited.add(schema)
    const fields = schema instanceof z.ZodObject ? Object.values(schema.shape) : []
    for (const held of [...Object.values(schema._zod.def), ...fields].flat()) {
      // A refinement is also a schema, which the refined schema runs.
      if (held instanceof z.ZodType && !(held instanceof z.ZodCustom)) visit(held)
    }
  }
  for (const part of [params, query, body]) if (part) visit(part)
  return [...visited].filter((schema) => looksAtText(schema))
}

const looksAtText = (schema: z.ZodType): boolean =>
  !schema.safeParse('a').error?.issues.some(({ code }) => code === 'invalid_type')

const values = { siteId: 1, typeId: 1, agentId: 1, officeId: 1, clickId: 'x', subs: {} }
const dialect = {
  useApproveSale: false,
  clickParam: 'cid',
  transactionIdIsClick: false,
  eventWords: new Map(),
}
const now = new Date('2026-03-01T15:00:00Z')

test.each<[string, (text: string) => unknown]>([
  ['a day', isDay],
  ['an amount', toMinorUnits],
  ['a label', localPartLabel],
  ['a domain', toOrigin],
  ['a pasted link', parseTrackedLink],
  ['a link type’s URL', isDestination],
  [
    'a visitor’s mark',
    (text) => compileDestination('https://m.example/')({ ...values, subs: { sub1: text } }),
  ],
  [
    'a path of a URL',
    (text) =>
      isDestination(`https://m.example/${text}`) &&
      compileDestination(`https://m.example/${text}`)(values),
  ],
  ['whether a rich text holds anything', hasContent],
  ['a rich text', cleanHtml],
  ['a rich text’s colour', (text) => keptAttribute('span', 'style', `color: ${text}`)],
  ['a rich text’s style', (text) => keptAttribute('p', 'style', text)],
  ['a rich text’s link', (text) => keptAttribute('a', 'href', text)],
  ['an address to search for', networkOf],
  ['an address to black-list', readRange],
  ['a user agent', isCrawler],
  ['a form of a postback', (text) => readForm(text)],
  ['a body of a postback', (text) => readBody('', text)],
  ['a media type', (text) => readBody(text, '{}')],
  [
    'a field of a postback',
    (text) =>
      parsePostback(
        [
          ['click_id', text],
          ['time', text],
          [text, text],
        ],
        dialect,
        now,
      ),
  ],
  ['a postback that is kept', (text) => keptFields([[text, text]], ['secret'])],
  [
    'a signature',
    (signature) => isAuthentic({ key: undefined, signature, signed: Buffer.from('') }, ['s'], now),
  ],
  ['what is kept of a call', (text) => keptParams(endpoints.login, { [text]: text })],
])('%s is read as fast as it is long', (_, take) => {
  expect(slowTexts(take)).toEqual([])
})
