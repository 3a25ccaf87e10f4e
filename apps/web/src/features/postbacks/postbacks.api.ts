import { postbacksEndpoints } from '@tallyroom/contract/postbacks'
import type { InputOf } from '@tallyroom/contract/endpoint'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'

const {
  searchPostbacks: search,
  deliverPostback,
  settlePostback,
  sitePostback,
  rotatePostbackKey,
  testPostback,
} = postbacksEndpoints

type PostbacksRequest = InputOf<typeof search>['body']

export const searchPostbacks = (body: PostbacksRequest) => call(search, { body })

export const postbacksQuery = (body: PostbacksRequest) =>
  queryOptions({ ...queryOf(search, { body }), placeholderData: keepPreviousData })

/** The address and keys of a site. Secrets leave the cache as soon as they are off screen. */
export const integrationQuery = (siteId: number) =>
  queryOptions({
    ...queryOf(sitePostback, { params: { siteId: String(siteId) } }),
    gcTime: 0,
  })

export const deliverAgain = (id: string) => call(deliverPostback, { params: { id } })

export type DateDecision = InputOf<typeof settlePostback>['body']['decision']

/** Records a postback with the time of its click or sale, or refuses it. */
export const settle = (id: string, decision: DateDecision) =>
  call(settlePostback, { params: { id }, body: { decision } })

export const rotateKey = (siteId: number) =>
  call(rotatePostbackKey, { params: { siteId: String(siteId) } })

export type TestRequest = InputOf<typeof testPostback>['body']
export type TestAnswer = Awaited<ReturnType<typeof sendTest>>

export const sendTest = (siteId: number, body: TestRequest) =>
  call(testPostback, { params: { siteId: String(siteId) }, body })

/** Refetches the list, so that new entries show. */
export const refreshPostbacks = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [search.path] })

export const refreshIntegration = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [sitePostback.path] })
