import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { expect } from './test.ts'
import { callsOf, merchantOf, pathOf } from './selling.ts'

const SITE = 'Lantern Live'

/** A visitor follows the agent's link and buys. `token` is a superadmin's. */
export async function sellOne(request: APIRequestContext, token: string, username: string) {
  const api = callsOf(request, token)
  const sites = await api<{ id: number; sitename: string }[]>('/api/sites')
  const agents = await api<{ id: number; username: string }[]>('/api/companies/agents?companyId=1')
  const siteId = sites.find(({ sitename }) => sitename === SITE)?.id ?? 0
  const agentId = agents.find((one) => one.username === username)?.id ?? 0
  const types = await api<{ id: number; active: boolean }[]>(`/api/types/${siteId}/by-site`)
  const typeId = types.find(({ active }) => active)?.id ?? 0
  const { clickIdOf, report } = await merchantOf(api, request, siteId)
  const sub = `e2e-${randomUUID().slice(0, 8)}`
  const click = await request.get(`${pathOf({ siteId, typeId, agentId })}?sub1=${sub}`, {
    maxRedirects: 0,
  })
  const order = `e2e-${randomUUID()}`
  const sale = await report({
    clickId: clickIdOf(click.headers()['location']),
    txid: order,
    event: 'sale',
  })
  expect(sale.status()).toBe(201)
  return { order, sub }
}
