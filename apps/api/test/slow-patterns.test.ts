import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import { localPartLabel } from '@tallyroom/domain/labels'
import { toMinorUnits } from '@tallyroom/domain/money'
import { isDay } from '@tallyroom/domain/new-york'
import { hasContent, keptAttribute } from '@tallyroom/domain/rich-text'
import { compileDestination, isDestination } from '@tallyroom/domain/destination'
import { pageOf } from '@tallyroom/domain/merchant-page'
import { parseTrackedLink } from '@tallyroom/domain/tracked-link'
import { toOrigin } from '@tallyroom/domain/web-origin'
import { parseSync } from 'oxc-parser'
import { analyse } from 'scslre'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { keptParams } from '../src/desk/common-logs/kept-params.ts'
import { isCrawler } from '../src/tracking/clicks/is-crawler.ts'
import { readRange } from '../src/people/blacklist/ip-range.ts'
import { isAuthentic } from '../src/tracking/site-keys/authenticate.ts'
import { keptFields } from '../src/tracking/reading/kept-fields.ts'
import { parsePostback } from '../src/tracking/postbacks/parse-postback.ts'
import { readBody, readForm } from '../src/tracking/reading/postback-fields.ts'
import { cleanHtml } from '../src/lib/files/clean-html.ts'
import { networkOf } from '../src/lib/net/ip-address.ts'

/**
 * A regular expression that backtracks lets one request block all others (ReDoS). Patterns are analysed, so
 * that nothing depends on how busy the machine is.
 */

const root = join(import.meta.dirname, '../../..')
const sources = globSync(['apps/api/src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts'),
)

/** Why a pattern could take longer than in proportion to its text; undefined if it can't. */
function whySlow(source: string, flags: string): string | undefined {
  const { reports } = analyse({ source, flags }, { maxReports: 1, assumeRejectingSuffix: false })
  const [slow] = reports
  return slow && `/${source}/${flags}: ${slow.exponential ? 'exponential' : slow.type}`
}

test('no pattern in the code backtracks', () => {
  const patterns = new Map<string, string | undefined>()
  for (const file of sources) {
    const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'))
    for (const { pattern, flags } of patternsIn(program))
      patterns.set(`${file} /${pattern}/${flags}`, whySlow(pattern, flags))
  }
  expect(patterns.size).toBeGreaterThan(200)
  expect([...patterns].filter(([, why]) => why !== undefined)).toEqual([])
})

/** The literals of a syntax tree. */
function patternsIn(node: unknown): { pattern: string; flags: string }[] {
  if (typeof node !== 'object' || node === null) return []
  if ('regex' in node && node.regex) return [node.regex as { pattern: string; flags: string }]
  return Object.values(node).flatMap((child) => patternsIn(child))
}

/** The patterns that run meanwhile: also those that are put together, and those of packages. */
function patternsDuring(work: () => unknown): Map<string, RegExp> {
  const patterns = new Map<string, RegExp>()
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    patterns.set(String(this), this)
    return exec.call(this, text)
  })
  try {
    work()
  } finally {
    spy.mockRestore()
  }
  return patterns
}
// oxlint-disable-next-line typescript/unbound-method -- called with its pattern
const { exec } = RegExp.prototype

const texts = [
  '',
  'a',
  '12',
  'a@b.example',
  'https://m.example/?a={click_id}',
  '2026-03-01',
  '<a href="x">b</a>',
  '::1',
]

/** Those that could be slow among the patterns that `take` runs. */
const slowPatterns = (take: (text: string) => unknown): string[] => {
  const patterns = patternsDuring(() => {
    for (const text of texts) take(text)
  })
  return [...patterns.values()].flatMap(({ source, flags }) => whySlow(source, flags) ?? [])
}

const names = Object.keys(endpoints) as EndpointName[]

test('no pattern of a field of an endpoint backtracks', () => {
  const fields = new Set(names.flatMap((name) => fieldsOf(endpoints[name])))
  expect(fields.size).toBeGreaterThan(50)
  const slow = [...fields].flatMap((field) => slowPatterns((text) => field.safeParse(text)))
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
  tracker: undefined,
  eventWords: new Map(),
  statusWords: new Map(),
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
  ['a page of a merchant', (text) => pageOf(text, ['m.example'])],
  ['a page of a merchant on its host', (text) => pageOf(`https://m.example${text}`, ['m.example'])],
  [
    'a parameter for a merchant',
    (text) =>
      compileDestination(`https://m.example/?${encodeURIComponent(text.toWellFormed())}`)(values, {
        page: undefined,
        others: [[text, text]],
      }),
  ],
  ['a rich text’s link', (text) => keptAttribute('a', 'href', text)],
  ['an address to search for', networkOf],
  ['an address to black-list', readRange],
  ['a user agent', isCrawler],
  ['a form of a postback', (text) => readForm(text)],
  ['a body of a postback', (text) => readBody('', Buffer.from(text))],
  ['a media type', (text) => readBody(text, Buffer.from('{}'))],
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
])('%s is read by patterns that do not backtrack', (_, take) => {
  expect(slowPatterns(take)).toEqual([])
})
