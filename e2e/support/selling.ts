import type { APIRequestContext } from '@playwright/test'
import { expect } from './test.ts'

/** Reads an answer of the API as the signed-in account. */
export type Api = <Answer>(path: string) => Promise<Answer>

export const callsOf =
  (request: APIRequestContext, token = ''): Api =>
  async <Answer>(path: string) => {
    const response = await request.get(path, { headers: { authorization: `Bearer ${token}` } })
    expect(response.ok(), path).toBe(true)
    return (await response.json()) as Answer // the contract's own tests check its shape
  }

export type Link = { siteId: number; typeId: number; agentId: number }

export const pathOf = ({ siteId, typeId, agentId }: Link) =>
  `/api/links/go/${siteId}/${typeId}/${agentId}`

/**
 * What a site's merchant does: reads the click id in the URL that a visitor arrives with, and
 * reports events.
 */
export async function merchantOf(api: Api, request: APIRequestContext, siteId: number) {
  const { url, key, clickParam } = await api<{ url: string; key: string; clickParam: string }>(
    `/api/sites/${siteId}/postback`,
  )
  return {
    key,
    clickParam,
    clickIdOf: (location = '') =>
      new URL(location, 'http://localhost').searchParams.get(clickParam) ?? '',
    report: ({ clickId, ...fields }: { clickId: string; [field: string]: string }) =>
      request.get(new URL(url).pathname, {
        params: { key, [clickParam]: clickId, ...fields },
      }),
  }
}
