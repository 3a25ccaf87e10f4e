import { KEY_LEFT_OUT, postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import type { AnswerOf, BodyOf } from '@tallyroom/contract/endpoint'
import { siteWordsEndpoints } from '@tallyroom/contract/tracking/site-words'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import type { Tracker } from '@tallyroom/domain/trackers'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf, refreshOf } from '../../lib/queries.ts'

const { searchPostbacks: search, sitePostback, postbackReadings, testPostback } = postbacksEndpoints

/** The address and keys of a site. Secrets leave the cache as soon as they are off screen. */
export const integrationQuery = (siteId: number) =>
  queryOptions({
    ...queryOf(sitePostback, { params: { siteId: String(siteId) } }),
    gcTime: 0,
  })

/** How the last postbacks of a site are read: with its settings, or with a tracker's. */
export const readingsQuery = (siteId: number, tracker: string | undefined) =>
  queryOf(
    postbackReadings,
    {
      params: { siteId: String(siteId) },
      query: tracker === undefined ? {} : { tracker: tracker || 'none' },
    },
    { keepPrevious: true },
  )

/** What a site has sent so far. */
export const siteWordsQuery = (siteId: number) =>
  queryOf(siteWordsEndpoints.siteWords, { params: { siteId: String(siteId) } })

/** What a site's form holds about its tracker. */
export const siteQuery = (siteId: number) =>
  queryOf(sitesEndpoints.site, { params: { id: String(siteId) } })

/** Gives a site a tracker's names and words. Words that it already has keep their meaning. */
export async function chooseTracker(siteId: number, tracker: Tracker): Promise<void> {
  const params = { id: String(siteId) }
  const { version } = await call(sitesEndpoints.site, { params })
  await call(sitesEndpoints.updateSite, { params, body: { version, tracker: tracker.id } })
}

/** Refetches what depends on a site's words. */
export const refreshReadings = refreshOf(
  postbackReadings,
  siteWordsEndpoints.siteWords,
  sitePostback,
  sitesEndpoints.site,
)

/** The text of a request with the site’s key in place of `…`; as it is without one. */
export const withKey = (request: string, key: string | undefined): string =>
  key === undefined ? request : request.replace(KEY_LEFT_OUT, () => `key=${key}`)

export type TestRequest = BodyOf<typeof testPostback>
export type TestAnswer = AnswerOf<typeof testPostback>

/** Refetches the list, so that new entries show. */
export const refreshPostbacks = refreshOf(search)

export const refreshIntegration = refreshOf(sitePostback)
