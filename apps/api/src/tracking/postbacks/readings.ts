import type { PostbackReadings } from '@tallyroom/contract/tracking/postbacks'
import { statusKey } from '@tallyroom/domain/standings'
import { findTracker } from '@tallyroom/domain/trackers'
import { notFound } from '../../errors.ts'
import {
  allGiven,
  fieldKey,
  type FieldName,
  fieldNamesOf,
  firstGiven,
  givenFields,
} from '../reading/field-names.ts'
import { fieldsOfKept } from '../reading/free-parameters.ts'
import type { Inbound } from './inbound.ts'
import { heldWords, type NewWords } from './new-words.ts'
import { type Dialect, type ParsedPostback, parsePostback } from './parse-postback.ts'
import type { Field } from '../reading/field.ts'
import { wordKey } from '../reading/decided-words.ts'
import { unreadAs } from '../reading/read-as.ts'
import { readShop } from '../reading/shop-bodies.ts'
import type { PostbackSite } from './postback-sites.ts'
import { findAsked } from '../words/words.queries.ts'
import { findLastOfSite } from './readings.queries.ts'
import { reasonOf } from './receive-postback.ts'
import {
  attributePostback,
  type Stopped,
  understand,
  withOrderNumber,
} from './understand-postback.ts'

type Reading = PostbackReadings['items'][number]

const MOST = 10

/**
 * How the last postbacks of a site would be read now, parameter by parameter: with its settings, or with those of a
 * tracker that it does not use yet.
 *
 * @throws NOT_FOUND
 */
export async function findReadings(
  { db, clickIds, sites }: Pick<Inbound, 'db' | 'clickIds' | 'sites'>,
  siteId: number,
  trackerId: string | undefined,
): Promise<PostbackReadings> {
  await sites.reload()
  const site = await sites.find(siteId)
  if (!site) throw notFound('site')
  const dialect = trackerId === undefined ? site : withTracker(site, trackerId)
  const asked = new Set((await findAsked(db, siteId)).map(wordKey))
  const items: Reading[] = []
  for (const { params, ...row } of await findLastOfSite(db, siteId, MOST)) {
    const { receivedAt } = row
    const fields = fieldsOfKept(params)
    const read = await withOrderNumber(db, siteId, parsePostback(fields, dialect, receivedAt))
    const { as: parsed, words } = askedOf(read, row.outcome === 'conflict' ? asked : NOTHING)
    const whose = await attributePostback(db, clickIds, dialect, read, parsed)
    const { click, problems, isPassedOver } = whose
    const understood = understand(parsed, {
      postbackId: row.id,
      site: dialect,
      click,
      problems,
      isPassedOver,
      receivedAt,
      kept: params,
      words,
    })
    items.push({
      ...row,
      receivedAt: receivedAt.toISOString(),
      event: parsed.event ?? null,
      standing: parsed.standing,
      problem: understood.kind === 'stop' ? problemOf(understood.outcome) : null,
      parameters: readParameters(fields, dialect),
    })
  }
  return { items }
}

/** What a postback says without its words that are asked about, and these. */
function askedOf(
  read: ParsedPostback,
  asked: ReadonlySet<string>,
): Pick<NewWords, 'as'> & Partial<NewWords> {
  const { unknown } = read
  if (unknown && asked.has(wordKey(unknown.said)))
    return { as: unknown.as, words: heldWords([unknown.said], unknown.as) }
  const words = read.words.filter((word) => asked.has(wordKey(word)))
  return { as: read, ...(words.length > 0 && { words: heldWords(words, read) }) }
}

const NOTHING: ReadonlySet<string> = new Set()

const problemOf = (outcome: Stopped): Reading['problem'] => {
  switch (outcome.outcome) {
    case 'refused':
      return { outcome: 'refused', reason: reasonOf(outcome.data) }
    case 'conflict':
      return { outcome: 'conflict', reason: outcome.reason }
    case 'ignored':
      return null
  }
}

/** A site with the names and words of a tracker. Its own words come first, but choosing another one forgets what was decided. */
function withTracker(site: PostbackSite, trackerId: string): PostbackSite {
  const tracker = findTracker(trackerId)
  const isOther = tracker?.id !== site.tracker?.id
  const decidedWords = isOther ? undefined : site.decidedWords
  if (!tracker) return { ...site, decidedWords, tracker: undefined }
  return {
    ...site,
    decidedWords,
    tracker,
    transactionIdIsClick: tracker.transactionIdIsClick,
    eventWords: new Map([
      ...tracker.eventWords.map(({ word, event }) => [word, event] as const),
      ...site.eventWords,
    ]),
    statusWords: new Map([
      ...tracker.statusWords.map(({ word, standing }) => [statusKey(word), standing] as const),
      ...site.statusWords,
    ]),
  }
}

function readParameters(fields: readonly Field[], dialect: Dialect): Reading['parameters'] {
  const { fields: given } = readShop(givenFields(fields), dialect)
  const names = fieldNamesOf(dialect)
  const read = new Map<string, FieldName>()
  for (const field of Object.keys(names) as FieldName[]) {
    const found =
      field === 'status' || field === 'coupon'
        ? allGiven(given, names[field])
        : [firstGiven(given, names[field])].filter((one) => one !== undefined)
    for (const { name } of found) read.set(fieldKey(name), field)
  }
  return fields.map(([name, value]) => ({
    name,
    value,
    readAs: read.get(fieldKey(name)) ?? unreadAs(name, dialect),
  }))
}
