import { isReversal } from '@tallyroom/domain/event-types'
import { statusKey } from '@tallyroom/domain/standings'
import { findTracker } from '@tallyroom/domain/trackers'
import { describe, expect, test } from 'vitest'
import { type Corpus, type CorpusRow, rowsOf } from '../../../test/postback-corpus/corpus.ts'
import { networks } from '../../../test/postback-corpus/networks.ts'
import { shops } from '../../../test/postback-corpus/shops.ts'
import { fieldKey, fieldNamesOf, firstGiven, givenFields } from '../reading/field-names.ts'
import { type Dialect, type ParsedPostback, parsePostback } from './parse-postback.ts'
import type { Field } from '../reading/field.ts'
import { readBody } from '../reading/postback-fields.ts'

const CLICK = '38ft458m40000000000354j2jl378rv2'
const now = new Date('2026-03-10T16:00:00Z')
const corpora = [...networks, ...shops]

/** The dialect of a site for which somebody chose the tracker and added the merchant's own goals. */
function dialectOf({ tracker: id, events = {}, statuses = {} }: Corpus): Dialect {
  const tracker = findTracker(id)
  const words = (tracker?.eventWords ?? []).map(({ word, event }) => [word, event] as const)
  const standings = (tracker?.statusWords ?? []).map(
    ({ word, standing }) => [statusKey(word), standing] as const,
  )
  return {
    useApproveSale: false,
    clickParam: '',
    transactionIdIsClick: tracker?.transactionIdIsClick ?? false,
    tracker,
    eventWords: new Map([...words, ...Object.entries(events)]),
    statusWords: new Map([...standings, ...Object.entries(statuses)]),
  }
}

function fieldsIn(request: string): Field[] {
  const body = readBody('', Buffer.from(request.replaceAll('$C', CLICK)))
  if (body.kind !== 'one') throw new Error(`${request} is ${body.kind}`)
  return body.fields
}

/** In the words of the corpus. */
function meaningOf({
  problems,
  takesBack,
  standing,
  event,
  transactionId,
  needsKnownOrder,
}: ParsedPostback): string {
  const [problem] = Object.keys(problems)
  if (problem !== undefined) return `refused ${problem}`
  if (takesBack) return 'held'
  const order = transactionId ?? '-'
  return standing === 'pending' || standing === 'rejected'
    ? `${standing} ${event} ${order}`
    : `${event} ${order}${needsKnownOrder ? ' if known' : ''}`
}

describe.each(corpora)('$tracker', (corpus) => {
  test.each(rowsOf(corpus))('$request', ({ meaning, request }) => {
    const parsed = parsePostback(fieldsIn(request), dialectOf(corpus), now)
    expect(meaningOf(parsed)).toBe(meaning)
    if (!meaning.startsWith('refused') && parsed.clickId !== undefined) {
      expect(parsed.clickId).toBe(CLICK)
    }
  })
})

test('there are at least three hundred of at least fifteen trackers and shops, each once', () => {
  const requests = corpora.flatMap((corpus) => rowsOf(corpus).map(({ request }) => request))
  expect(requests.length).toBeGreaterThanOrEqual(300)
  expect(new Set(requests).size).toBe(requests.length)
  expect(corpora.length).toBeGreaterThanOrEqual(15)
})

/** What a postback counts at once: its event and link type. Empty if it counts nothing. */
function countedBy(parsed: ParsedPostback): string {
  const { event, standing, problems, takesBack, typeAlias = '', needsKnownOrder } = parsed
  if (needsKnownOrder) return ''
  const isCounted =
    Object.keys(problems).length === 0 &&
    !takesBack &&
    standing === 'counts' &&
    event !== undefined &&
    !isReversal(event)
  return isCounted ? `${event} ${typeAlias}` : ''
}

type Mutation = { what: string; fields: Field[] }

/** All names that a field of this dialect is read from. */
const readKeys = (dialect: Dialect) =>
  new Set(Object.values(fieldNamesOf(dialect)).flat().map(fieldKey))

const changed = (fields: Field[], index: number, name: string, value: string): Field[] =>
  fields.map((field, other) => (other === index ? [name, value] : field))

/** A letter lost, doubled, wrong, or exchanged with the next one, at every place of the name. */
function misspellings(name: string): string[] {
  const places = Array.from(name, (_, at) => [name.slice(0, at), name.slice(at)] as const)
  const wrong = places.flatMap(([before, after]) => [
    before + after.slice(1),
    before + after.slice(0, 1) + after,
    `${before}x${after.slice(1)}`,
    before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2),
  ])
  return [...new Set(wrong)].filter((other) => fieldKey(other) !== fieldKey(name) && other !== '')
}

function mutationsOf(fields: Field[], dialect: Dialect): Mutation[] {
  const keys = readKeys(dialect)
  const names = fieldNamesOf(dialect)
  const [statuses, events] = [names.status.map(fieldKey), names.event.map(fieldKey)]
  return fields.flatMap(([name, value], index): Mutation[] => {
    const key = fieldKey(name)
    if (!keys.has(key)) return []
    const isWord = statuses.includes(key) || events.includes(key)
    return [
      ...(key.length < 4
        ? []
        : misspellings(name).map((other) => ({
            what: `${name} is ${other}`,
            fields: changed(fields, index, other, value),
          }))),
      { what: `${name} is a template`, fields: changed(fields, index, name, `{${key}}`) },
      ...(isWord
        ? [{ what: `${name} is unknown`, fields: changed(fields, index, name, 'zzz') }]
        : []),
    ]
  })
}

const MONEY = /^(amount|sum|payout|revenue|total|price|saleamount|totalcost|totalprice)$/

describe('a slip never makes a sale that the original is not', () => {
  test.each(corpora)('of $tracker', (corpus) => {
    const dialect = dialectOf(corpus)
    const wrong = rowsOf(corpus).flatMap(({ request }: CorpusRow) => {
      const fields = fieldsIn(request)
      const original = countedBy(parsePostback(fields, dialect, now))
      return mutationsOf(fields, dialect).flatMap(({ what, fields: slipped }) => {
        const counted = countedBy(parsePostback(slipped, dialect, now))
        return counted === '' || counted === original ? [] : [`${request}: ${what}: ${counted}`]
      })
    })
    expect(wrong).toEqual([])
  })

  test('a minus sign before an amount takes any sale out of the count', () => {
    let tried = 0
    for (const corpus of corpora) {
      for (const { request } of rowsOf(corpus)) {
        const fields = fieldsIn(request)
        fields.forEach(([name, value], index) => {
          if (!MONEY.test(fieldKey(name)) || !/^[1-9]/.test(value)) return
          tried++
          const slipped = changed(fields, index, name, `-${value}`)
          expect([request, countedBy(parsePostback(slipped, dialectOf(corpus), now))]).toEqual([
            request,
            '',
          ])
        })
      }
    }
    expect(tried).toBeGreaterThan(60)
  })

  test('an unfilled or unknown event or status is always refused', () => {
    for (const corpus of corpora) {
      const dialect = dialectOf(corpus)
      const { status, event } = fieldNamesOf(dialect)
      for (const { request } of rowsOf(corpus)) {
        const fields = fieldsIn(request)
        fields.forEach(([name, value], index) => {
          const key = fieldKey(name)
          // Of several names for the event, only the first counts.
          const isEvent = firstGiven(givenFields(fields), event)?.name === name
          if (value === '' || !(isEvent || status.some((other) => fieldKey(other) === key))) return
          const slipped = parsePostback(changed(fields, index, name, '{x}'), dialect, now)
          expect([request, countedBy(slipped)]).toEqual([request, ''])
        })
      }
    }
  })
})
