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
import { type Dialect, parsePostback } from './parse-postback.ts'
import type { Field } from '../reading/field.ts'
import { unreadAs } from '../reading/read-as.ts'
import { readShop } from '../reading/shop-bodies.ts'
import type { PostbackSite } from './postback-sites.ts'
import { findLastOfSite } from './readings.queries.ts'
import { reasonOf } from './receive-postback.ts'
import { findClickOf, type Stopped, understand, withOrderNumber } from './understand-postback.ts'

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
  const items: Reading[] = []
  for (const { params, ...row } of await findLastOfSite(db, siteId, MOST)) {
    const { receivedAt } = row
    const fields = fieldsOfKept(params)
    const parsed = await withOrderNumber(db, siteId, parsePostback(fields, dialect, receivedAt))
    const click = await findClickOf(db, clickIds, siteId, parsed)
    const understood = understand(parsed, {
      postbackId: row.id,
      site: dialect,
      click,
      receivedAt,
      kept: params,
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

/** A site with the names and words of a tracker. Its own words come first. */
function withTracker(site: PostbackSite, trackerId: string): PostbackSite {
  const tracker = findTracker(trackerId)
  if (!tracker) return { ...site, tracker: undefined }
  return {
    ...site,
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
      field === 'status'
        ? allGiven(given, names.status)
        : [firstGiven(given, names[field])].filter((one) => one !== undefined)
    for (const { name } of found) read.set(fieldKey(name), field)
  }
  return fields.map(([name, value]) => ({
    name,
    value,
    readAs: read.get(fieldKey(name)) ?? unreadAs(name, dialect),
  }))
}
