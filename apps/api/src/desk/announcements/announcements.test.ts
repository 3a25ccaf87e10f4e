import { announcementsEndpoints } from '@tallyroom/contract/desk/announcements'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { announcementsRoutes } from './announcements.routes.ts'
import { lastNews } from './news.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes(announcementsRoutes(services))

const superadmin = { ...viewer(), accountId: await buildAccount(db) }
const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })
const officeId = await buildOffice(db)
const agentId = await buildAgent(db, { office_id: officeId })
const office = viewer({ role: 'company', officeId, agentId: undefined })
const agent = viewer({ role: 'agent', officeId, agentId })

beforeEach(async () => {
  await db.deleteFrom('news').execute()
  await db.deleteFrom('alerts').execute()
})

describe('news', () => {
  test('is empty at first', async () => {
    const { body } = await call(agent, announcementsEndpoints.lastNews)
    expect(body).toEqual({ html: '', createdAt: null, version: 0 })
  })

  test('is the newest, sanitized, for everybody', async () => {
    await publish({ html: '<p>old</p>' })
    await publish({ html: '<p>new<img src=x onerror=alert(1)></p>' })
    const { body } = await call(agent, announcementsEndpoints.lastNews)
    expect(body).toMatchObject({ html: '<p>new</p>', createdAt: about('2026-03-01T15:00:00Z') })
    expect(await lastNews(services)).toEqual(body)
  })

  test('can be emptied', async () => {
    await publish({ html: '<p>old</p>' })
    expect((await publish({ html: '<p></p>' })).status).toBe(200)
    expect((await lastNews(services)).html).toBe('')
  })

  test('is published by one of two people at once, and the other is told', async () => {
    await publish({ html: '<p>old</p>' })
    const { version } = await lastNews(services)
    const both = await Promise.all([
      publish({ html: '<p>a</p>', version }),
      publish({ html: '<p>b</p>', version }),
    ])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect((await publish({ html: '<p>c</p>', version })).body.code).toBe('CONFLICT')
  })
})

describe('the common alert', () => {
  test('is shown to everybody while it is enabled', async () => {
    const html = '<p>Beware<script>alert(1)</script></p>'
    await publishAlert({ enable: true, html })
    for (const who of [superadmin, admin, office, agent]) {
      expect((await alertsOf(who)).commonAlert).toBe('<p>Beware</p>')
    }
    await publishAlert({ enable: false, html })
    expect((await alertsOf(agent)).commonAlert).toBeNull()
  })

  test('keeps its text for the form while it is disabled', async () => {
    await publishAlert({ enable: true, html: '<p>Beware</p>' })
    await publishAlert({ enable: false, html: '<p>Beware</p>' })
    const { body } = await call(superadmin, announcementsEndpoints.lastAlert)
    expect(body).toMatchObject({ enable: false, html: '<p>Beware</p>' })
  })

  test('needs a text to be enabled', async () => {
    for (const html of ['', '<p></p>', '<script>alert(1)</script>']) {
      const { status, body } = await publishAlert({ enable: true, html })
      expect([status, body.data]).toEqual([422, { html: ['Enter a text'] }])
    }
    expect((await publishAlert({ enable: false, html: '' })).status).toBe(200)
  })

  test('is refused from the second person to save', async () => {
    await publishAlert({ enable: true, html: '<p>a</p>', version: 0 })
    const second = await publishAlert({ enable: false, html: '', version: 0 })
    expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
  })
})

describe('an account’s own alert', () => {
  test('is what an agent must read, as typed', async () => {
    const values = { office_id: officeId, must_read: ' Call me <b>now</b> ' }
    const who = viewer({ role: 'agent', officeId, agentId: await buildAgent(db, values) })
    expect(await alertsOf(who)).toEqual({
      accountAlert: 'Call me <b>now</b>',
      payeeAccount: null,
      commonAlert: null,
    })
    expect((await alertsOf(agent)).accountAlert).toBeNull()
  })

  test.each([
    [{ active: false }, /^Your account is suspended\. .* contact your office\.\n\nRead me$/],
    [{ active: false, fraud_flagged_at: new Date() }, /stolen credit cards.*\n\nRead me$/],
    [{ active: true, fraud_flagged_at: new Date() }, /^Read me$/],
  ])('says why an agent is suspended: %o', async (columns, expected) => {
    const values = { office_id: officeId, must_read: 'Read me', ...columns }
    const who = viewer({ role: 'agent', officeId, agentId: await buildAgent(db, values) })
    expect((await alertsOf(who)).accountAlert).toMatch(expected)
  })

  test('is shown to a suspended office, and never to staff', async () => {
    const suspended = await buildOffice(db, { active: false })
    const who = viewer({ role: 'company', officeId: suspended, agentId: undefined })
    expect((await alertsOf(who)).accountAlert).toMatch(/^Your office is suspended/)
    for (const other of [office, admin, superadmin])
      expect((await alertsOf(other)).accountAlert).toBeNull()
  })
})

test('only superadmins publish', async () => {
  for (const who of [admin, office, agent]) {
    for (const [endpoint, input] of [
      [announcementsEndpoints.publishNews, { body: { html: '' } }],
      [announcementsEndpoints.lastAlert, {}],
      [announcementsEndpoints.publishAlert, { body: { enable: false, html: '' } }],
    ] as const) {
      expect((await call(who, endpoint, input)).status).toBe(403)
    }
  }
})

const publish = (body: object) => call(superadmin, announcementsEndpoints.publishNews, { body })

const publishAlert = (body: object) =>
  call(superadmin, announcementsEndpoints.publishAlert, { body })

const alertsOf = async (who: typeof agent) =>
  (await call(who, announcementsEndpoints.loginAlerts)).body
