import {
  type DecidedWord,
  type EventWord,
  type Site,
  type sitesEndpoints,
  type StatusWord,
} from '@tallyroom/contract/catalogue/sites'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { isWordReading, partRuleOf } from '@tallyroom/domain/holds'
import { isEventMeaning, isPostbackEvent } from '@tallyroom/domain/event-types'
import { findTracker } from '@tallyroom/domain/trackers'
import { isStanding } from '@tallyroom/domain/standings'
import { SITE_CATEGORIES } from '@tallyroom/domain/labels'
import { announceChange } from '../../db/changes.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRow, updateRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Sites } from '../../db/types.ts'
import { invalid, notFound } from '../../errors.ts'
import { changedColumns, refuseStale, withChange } from '../../forms.ts'
import { sealRows } from '../../seals/index.ts'
import type { Services } from '../../services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { changeSites } from './former-flags.queries.ts'
import { allowEveryOffice, isOwnAddress } from '../../people/index.ts'
import {
  type SiteRow,
  countAround,
  deleteSiteRows,
  findSite,
  findSitesById,
  findTypeState,
  lockSite,
  lockSites,
  setStatusOfSites,
  updateDecided,
} from './site-form.queries.ts'

type NewSite = RequestOf<typeof sitesEndpoints.createSite>['body']
type SiteChange = RequestOf<typeof sitesEndpoints.updateSite>['body']

/**
 * Creates a site. No office may sell it until enabled, since it has no links yet. What decides money is only written if it
 * differs from what a new site has.
 */
export const createSite = (
  { db, config }: Pick<Services, 'db' | 'config'>,
  site: NewSite,
): Promise<number> =>
  inTransaction(db, async (tx) => {
    await refuseOwnHosts(tx, config, site.deepHosts)
    await refuseDeadEnd(tx, site.insteadTypeId)
    const form = {
      ...site,
      active: site.active ?? site.status ?? true,
      // A new site without words has not been given any.
      ...(site.eventWords.length === 0 && site.statusWords.length === 0 && startOf(site)),
    }
    const id = await insertRow(tx, 'sites', { ...plainColumnsOf(form), created_at: tx.now })
    const made = await getSite({ db: tx }, id)
    const decided = {
      ...changedColumns(decidingColumnsOf(made), decidingColumnsOf(form)),
      ...changedColumns(leadingColumnsOf(made), leadingColumnsOf(form)),
    }
    if (decidesAnything(decided)) await updateDecided(tx, [id], decided)
    await sealRows(tx, 'sites', { id })
    await announceChange(tx, 'destinations')
    return id
  })

/**
 * What a site's tracker starts it with, besides its names: its words, and whether it sends our click id as `transaction_id`. Words
 * that the site has keep their meaning.
 */
function startOf({
  tracker: id,
  ...site
}: Pick<SiteForm, 'tracker' | 'eventWords' | 'statusWords'>) {
  const tracker = findTracker(id)
  if (!tracker) return {}
  const { transactionIdIsClick, eventWords, statusWords } = tracker
  const added = <Word extends { word: string }>(own: readonly Word[], its: readonly Word[]) => [
    ...own,
    ...its.filter(({ word }) => !own.some((one) => one.word === word)),
  ]
  return {
    transactionIdIsClick,
    eventWords: added<EventWord>(site.eventWords, eventWords),
    statusWords: added<StatusWord>(site.statusWords, statusWords),
  }
}

/** A visitor would be sent from our links to our own pages, or to further links, each a click. */
async function refuseOwnHosts(
  tx: Tx,
  config: Services['config'],
  hosts: readonly string[],
): Promise<void> {
  for (const host of hosts) {
    if (await isOwnAddress(tx, config, `https://${host}`))
      throw invalid({ deepHosts: [`must not contain ${host}, which is an address of your own`] })
  }
}

/** Visitors would be sent to a page that says that the offer has ended. */
async function refuseDeadEnd(tx: Tx, typeId: number | null): Promise<void> {
  if (typeId === null) return
  const state = await findTypeState(tx, typeId)
  if (!state) throw invalid({ insteadTypeId: ['is no link type that exists'] })
  if (!state.typeActive || !state.siteActive)
    throw invalid({ insteadTypeId: ['is suspended, or its site is: its links lead nowhere'] })
}

/** A site for the form. @throws NOT_FOUND */
export async function getSite({ db }: { db: DbOrTx }, siteId: number): Promise<Site> {
  const site = await findSite(db, siteId)
  if (!site) throw notFound('site')
  return { ...formOf(site), ...(await countAround(db, siteId)) }
}

/** What the forms of these sites have. Sites that do not exist are left out. */
export const findSiteForms = async (db: DbOrTx, siteIds: readonly number[]): Promise<SiteForm[]> =>
  (await findSitesById(db, siteIds)).map(formOf)

type SiteForm = Omit<Site, 'typeCount' | 'officesAllowed' | 'officesTotal' | 'insteadSiteId'>

const formOf = (site: SiteRow): SiteForm => ({
  id: site.id,
  sitename: site.sitename,
  shortname: site.shortname,
  abbr: site.abbr,
  url: site.url,
  clickParam: site.click_param,
  contactName: site.contact_name,
  phoneNum: site.phone_num,
  email: site.email,
  type: categoryOf(site.type),
  note: site.note,
  specialReport: site.special_report,
  useApproveSale: site.use_approve_sale,
  avp: site.avp,
  active: site.active,
  hidden: site.hidden,
  transactionIdIsClick: site.transaction_id_is_click,
  alwaysOkText: site.always_ok_text ?? '',
  eventWords: readEventWords(site.event_words),
  statusWords: readStatusWords(site.status_words),
  wordReadings: readWordReadings(site.word_readings),
  tracker: site.tracker,
  severalProducts: site.several_products,
  countsForDays: site.counts_for_days,
  partRule: partRuleOf(site.part_rule),
  deepHosts: site.deep_hosts,
  insteadTypeId: site.instead_type_id,
  couponWins: site.coupon_wins,
  couponPattern: site.coupon_pattern,
  version: site.version,
})

/**
 * Updates a site. Omitted fields are unchanged. Approve-sale follows the form, not the status.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR, or CONFLICT if it has changed since the form was loaded.
 */
export async function updateSite(
  { db, config }: Pick<Services, 'db' | 'config'>,
  viewer: Viewer,
  siteId: number,
  change: SiteChange,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const site = await lockSite(tx, siteId)
    if (!site) throw notFound('site')
    refuseStale('site', site.version, change.version)
    const { active = change.status } = change
    const present = formOf(site)
    const { tracker = present.tracker } = change
    // Another program's words may be the same and mean something else.
    const start =
      tracker === present.tracker ? {} : { wordReadings: [], ...startOf({ ...present, tracker }) }
    const next = withChange(present, { ...start, ...change, active }, { fixed: ['id'] })
    await refuseOwnHosts(
      tx,
      config,
      next.deepHosts.filter((host) => !present.deepHosts.includes(host)),
    )
    if (next.insteadTypeId !== present.insteadTypeId) await refuseDeadEnd(tx, next.insteadTypeId)
    const changed = {
      ...changedColumns(plainColumnsOf(present), plainColumnsOf(next)),
      ...changedColumns(leadingColumnsOf(present), leadingColumnsOf(next)),
    }
    const decided = changedColumns(decidingColumnsOf(present), decidingColumnsOf(next))
    await updateRow(tx, 'sites', siteId, changed)
    if (decidesAnything(decided))
      await changeSites(tx, [site], { at: tx.now, by: viewer }, () =>
        updateDecided(tx, [siteId], decided),
      )
    await announceChange(tx, 'destinations')
  })
}

/**
 * Activates or suspends sites and sets or unsets their approve-sale flag: all of them or none. The flag follows
 * the status unless the caller chose otherwise (specification 2, section 4).
 *
 * @throws NOT_FOUND if one of them does not exist.
 */
export async function setSitesStatus(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { ids, ...status }: { ids: readonly number[]; active: boolean; useApproveSale: boolean },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const found = await lockSites(tx, ids)
    if (found.length !== new Set(ids).size) throw notFound('site')
    await setStatusOfSites(tx, ids, status)
    const others = found.filter((site) => site.use_approve_sale !== status.useApproveSale)
    if (others.length > 0)
      await changeSites(tx, others, { at: tx.now, by: viewer }, () =>
        updateDecided(
          tx,
          others.map(({ id }) => id),
          { use_approve_sale: status.useApproveSale },
        ),
      )
    await announceChange(tx, 'destinations')
  })
}

/** Allows every office to sell a site. If it is off for an agent, it stays off. @throws NOT_FOUND */
export async function enableForAllOffices(
  { db }: Pick<Services, 'db'>,
  siteId: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await lockSite(tx, siteId))) throw notFound('site')
    await allowEveryOffice(tx, siteId)
    await announceChange(tx, 'destinations')
  })
}

type DecidingColumn =
  | 'use_approve_sale'
  | 'avp'
  | 'click_param'
  | 'transaction_id_is_click'
  | 'always_ok_text'
  | 'event_words'
  | 'status_words'
  | 'word_readings'
  | 'tracker'
  | 'several_products'
  | 'counts_for_days'
  | 'part_rule'

/** Those that decide where visitors are led, and whom codes lead to. They hold from now on, so that no former value is kept. */
type LeadingColumn = 'deep_hosts' | 'instead_type_id' | 'coupon_wins' | 'coupon_pattern'

/** What else the form prefills. */
type PlainColumn = Exclude<
  keyof Sites,
  'id' | 'version' | 'created_at' | 'deleted_at' | DecidingColumn | LeadingColumn
>

const plainColumnsOf = (site: (NewSite & { active: boolean }) | SiteForm) =>
  ({
    sitename: site.sitename,
    shortname: site.shortname,
    abbr: site.abbr,
    url: site.url,
    contact_name: site.contactName,
    phone_num: site.phoneNum,
    email: site.email,
    type: site.type,
    note: site.note,
    special_report: site.specialReport,
    active: site.active,
    hidden: site.hidden,
  }) satisfies Record<PlainColumn, unknown>

/** What of the form decides money. */
const decidingColumnsOf = (site: NewSite | SiteForm) =>
  ({
    use_approve_sale: site.useApproveSale,
    avp: site.avp,
    click_param: site.clickParam,
    transaction_id_is_click: site.transactionIdIsClick,
    always_ok_text: site.alwaysOkText === '' ? null : site.alwaysOkText,
    several_products: site.severalProducts,
    counts_for_days: site.countsForDays,
    part_rule: site.partRule,
    event_words: JSON.stringify(
      Object.fromEntries(site.eventWords.map(({ word, event }) => [word, event])),
    ),
    status_words: JSON.stringify(
      Object.fromEntries(site.statusWords.map(({ word, standing }) => [word, standing])),
    ),
    word_readings: storedReadings(site.wordReadings),
    tracker: site.tracker,
  }) satisfies Record<DecidingColumn, unknown>

const leadingColumnsOf = (site: NewSite | SiteForm) =>
  ({
    deep_hosts: site.deepHosts,
    instead_type_id: site.insteadTypeId,
    coupon_wins: site.couponWins,
    coupon_pattern: site.couponPattern,
  }) satisfies Record<LeadingColumn, unknown>

/** A form that decides nothing may be saved by anybody who may save forms. */
const decidesAnything = (decided: object): boolean => Object.keys(decided).length > 0

/** What a site's merchant calls events, as stored. */
export const readEventWords = (stored: unknown): EventWord[] =>
  wordsIn(stored).flatMap(([word, event]) => (isEventMeaning(event) ? [{ word, event }] : []))

/** What a site's new words were decided to mean, as stored. */
export const readWordReadings = (stored: unknown): DecidedWord[] =>
  (Array.isArray(stored) ? stored : []).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const { parameter, value, event, reading } = one as Record<string, unknown> // checked below
    return typeof parameter === 'string' &&
      typeof value === 'string' &&
      typeof event === 'string' &&
      isPostbackEvent(event) &&
      typeof reading === 'string' &&
      isWordReading(reading)
      ? [{ parameter, value, event, reading }]
      : []
  })

export const storedReadings = (words: readonly DecidedWord[]): string =>
  JSON.stringify(
    words.map(({ parameter, value, event, reading }) => ({ parameter, value, event, reading })),
  )

/** What a site's merchant calls standings, as stored. */
export const readStatusWords = (stored: unknown): StatusWord[] =>
  wordsIn(stored).flatMap(([word, standing]) => (isStanding(standing) ? [{ word, standing }] : []))

const wordsIn = (stored: unknown): [word: string, meaning: string][] =>
  Object.entries(typeof stored === 'object' && stored !== null ? stored : {}).flatMap(
    ([word, meaning]: [string, unknown]) => (typeof meaning === 'string' ? [[word, meaning]] : []),
  )

/** The constraint `sites__type` allows nothing else. */
function categoryOf(stored: string): Site['type'] {
  const category = SITE_CATEGORIES.find((name) => name === stored)
  if (!category) throw new RangeError(`${stored} is not a site category`)
  return category
}

/**
 * Deletes a site with all of its link types in one transaction. Its tracked links stop working, and its
 * merchant's postbacks are rejected like those of an unknown site. Clicks, sales and totals are kept, because
 * they were paid for. So it takes no longer with millions of clicks, and blocks neither clicks nor sales.
 *
 * @throws NOT_FOUND, also if it was already deleted.
 */
export function deleteSite({ db }: Pick<Services, 'db'>, siteId: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (!(await lockSite(tx, siteId))) throw notFound('site')
    await deleteSiteRows(tx, siteId, tx.now)
    await announceChange(tx, 'destinations')
  })
}
