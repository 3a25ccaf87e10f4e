import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { dashboardEndpoints } from '@tallyroom/contract/desk/dashboard'
import { ipBlacklistEndpoints } from '@tallyroom/contract/people/blacklist'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { optionsEndpoints } from '@tallyroom/contract/catalogue/options'
import { trackedLinkPath } from '@tallyroom/domain/tracked-link'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { makeSiteKeys } from '../src/tracking/site-keys/site-keys.ts'
import { buildHome, type Caller, type Home, signedIn } from './access-matrix-world.ts'
import { buildLinkType, buildSite } from './build-world.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

/**
 * From a merchant's fraud report to the agent's notice and back, on the whole server without stubs.
 */

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const siteId = await buildSite(db, { click_param: 'cid' })
const typeId = await buildLinkType(db, { site_id: siteId })
const { key } = await makeSiteKeys(services).provide(siteId)
const app = await buildApp(services)
afterAll(() => app.close())

let home: Home
beforeEach(async () => {
  home = await buildHome(db, [siteId])
  // Inserting rows directly announces no change.
  await db
    .updateTable('change_counters')
    .set(({ eb }) => ({ changes: eb('changes', '+', 1) }))
    .where('topic', '=', 'destinations')
    .execute()
  await vi.waitFor(async () => expect((await follow()).statusCode).toBe(302), { timeout: 60_000 })
})

const follow = (ip = '203.0.113.50', headers: Record<string, string> = {}) =>
  app.inject({
    url: trackedLinkPath({ siteId, typeId, agentId: home.agentId }),
    remoteAddress: ip,
    headers: {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...headers,
    },
  })

async function click(ip?: string): Promise<string> {
  const { headers } = await follow(ip)
  return new URL(String(headers.location)).searchParams.get('cid') ?? ''
}

const report = (query: Record<string, string>) =>
  app.inject({ url: `/api/postback/${siteId}`, query: { key, ...query } })

async function as(
  caller: Caller,
  endpoint: Parameters<typeof send>[1],
  sent: Parameters<typeof send>[2] = {},
) {
  const token = await signedIn(services, caller, home)
  const answer = await send(app, endpoint, sent, { token })
  return { status: answer.statusCode, body: answer.json() }
}

const setAutoBlock = (value: 0 | 1) =>
  as('superadmin', optionsEndpoints.saveOptions, { body: [{ name: 'auto_block_account', value }] })

const activate = (caller: Caller) =>
  as(caller, agentsEndpoints.agentsStatus, { body: { ids: [home.agentId], active: true } })

const clear = (caller: Caller) =>
  as(caller, agentsEndpoints.agentsStatus, { body: { ids: [home.agentId], fraudFlagged: false } })

async function standing() {
  const { body } = await as('admin with all flags', agentsEndpoints.agent, {
    params: { id: home.agentId },
  })
  const { active, fraudFlaggedAt } = body as { active: boolean; fraudFlaggedAt: string | null }
  return { active, isFlagged: fraudFlaggedAt !== null }
}

const isNoticeShown = async () =>
  (await as('agent', dashboardEndpoints.dashboard)).body.showAgentFraudNotes as boolean

const soon = { timeout: 60_000, interval: 20 }

async function sellAndReportFraud(transaction: string) {
  const cid = await click()
  expect((await report({ cid, txid: transaction })).json().outcome).toBe('recorded')
  expect((await report({ cid, txid: transaction, event: 'fraud' })).json().outcome).toBe('recorded')
}

test('with Auto Block Account on, fraud stops the agent’s links and tells them why', async () => {
  await setAutoBlock(1)
  await sellAndReportFraud('a1')
  await vi.waitFor(async () => expect((await follow()).statusCode).toBe(410), soon)
  expect(await standing()).toEqual({ active: false, isFlagged: true })
  expect(await isNoticeShown()).toBe(true)

  // An office can neither clear its own agent nor activate them, in the list or in the form.
  expect((await clear('office')).status).toBe(403)
  expect((await clear('agent')).status).toBe(403)
  expect((await activate('office')).status).toBe(403)
  const { body: form } = await as('office', agentsEndpoints.agent, { params: { id: home.agentId } })
  const { firstName, lastName, mustRead, hidden, loginBlocked, version } = form
  const filled = { firstName: firstName || 'A', lastName: lastName || 'B', mustRead, hidden }
  const save = (caller: Caller) =>
    as(caller, agentsEndpoints.updateAgent, {
      params: { id: home.agentId },
      body: { ...filled, loginBlocked, version, active: true },
    })
  expect((await save('office')).status).toBe(403)
  expect(await standing()).toEqual({ active: false, isFlagged: true })

  // An admin can. The flag stays until they clear it, too.
  expect((await activate('admin with all flags')).status).toBe(200)
  expect(await standing()).toEqual({ active: true, isFlagged: true })
  expect(await isNoticeShown()).toBe(false)
  expect((await clear('admin with all flags')).status).toBe(200)
  expect(await standing()).toEqual({ active: true, isFlagged: false })
  await vi.waitFor(async () => expect((await follow()).statusCode).toBe(302), soon)

  // The merchant's retry changes nothing; a report of another fraud does.
  expect((await report({ txid: 'a1', event: 'fraud' })).json().outcome).toBe('duplicate')
  expect(await standing()).toEqual({ active: true, isFlagged: false })
  await sellAndReportFraud('a2')
  expect(await standing()).toEqual({ active: false, isFlagged: true })

  // With the form, too.
  const again = await as('admin with all flags', agentsEndpoints.agent, {
    params: { id: home.agentId },
  })
  const saved = await as('admin with all flags', agentsEndpoints.updateAgent, {
    params: { id: home.agentId },
    body: { ...filled, loginBlocked, version: again.body.version, active: true },
  })
  expect(saved.status).toBe(200)
  expect(await standing()).toEqual({ active: true, isFlagged: true })
})

test('with it off, the agent is flagged but keeps working; only clearing them removes the flag', async () => {
  await setAutoBlock(0)
  await sellAndReportFraud('b1')
  expect(await standing()).toEqual({ active: true, isFlagged: true })
  expect(await isNoticeShown()).toBe(false)
  expect((await follow()).statusCode).toBe(302)
  expect((await activate('office')).status).toBe(403)
  expect((await activate('admin with all flags')).status).toBe(200)
  expect(await standing()).toEqual({ active: true, isFlagged: true })
  expect((await clear('admin with all flags')).status).toBe(200)
  expect(await standing()).toEqual({ active: true, isFlagged: false })
})

test('suspending and activating an office leaves its agents flagged', async () => {
  await setAutoBlock(0)
  await sellAndReportFraud('c1')
  const setOffice = (active: boolean) =>
    as('admin with all flags', officesEndpoints.officesStatus, {
      body: { ids: [home.officeId], active },
    })
  await setOffice(false)
  expect(await standing()).toEqual({ active: false, isFlagged: true })
  await setOffice(true)
  expect(await standing()).toEqual({ active: true, isFlagged: true })
})

test('a black-listed click is redirected but not counted; its sale is recorded and marked, but flags nobody', async () => {
  await setAutoBlock(1)
  const ip = '198.51.100.77'
  const listed = await as('admin with all flags', ipBlacklistEndpoints.addBlackListIp, {
    body: { ip },
  })
  expect(listed.body).toEqual({ ip, outcome: 'added' })
  const clicksFrom = () =>
    db.selectFrom('clicks').select('uncounted').where('ip', '=', ip).orderBy('clicked_at').execute()
  await vi.waitFor(async () => {
    await follow(ip)
    expect((await clicksFrom()).at(-1)).toEqual({ uncounted: 'blacklisted' })
  }, soon)

  const cid = await click(ip)
  expect((await report({ cid, txid: 'd1' })).json().outcome).toBe('recorded')
  const events = await db
    .selectFrom('sale_events')
    .select(['fraud', 'quantity'])
    .where('agent_id', '=', home.agentId)
    .execute()
  expect(events).toEqual([{ fraud: true, quantity: 1 }])
  expect(await standing()).toEqual({ active: true, isFlagged: false })

  await as('admin with all flags', ipBlacklistEndpoints.deleteBlackListIpsByValue, {
    body: { ips: [ip] },
  })
  await vi.waitFor(async () => {
    await follow(ip)
    expect((await clicksFrom()).at(-1)).toEqual({ uncounted: null })
  }, soon)
})

test('a sale counts if its click was not counted for another reason', async () => {
  const answer = await follow('198.51.100.88', { purpose: 'prefetch' })
  const cid = new URL(String(answer.headers.location)).searchParams.get('cid') ?? ''
  expect((await report({ cid, txid: 'prefetched' })).json().outcome).toBe('recorded')
  const [event] = await db
    .selectFrom('sale_events')
    .select(['fraud'])
    .where('transaction_id', '=', 'prefetched')
    .execute()
  expect(event).toEqual({ fraud: false })
})
