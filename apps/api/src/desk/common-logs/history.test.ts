import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { officeFeesEndpoints } from '@tallyroom/contract/catalogue/office-fees'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { optionsEndpoints } from '@tallyroom/contract/catalogue/options'
import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  buildAccount,
  buildAgent,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../../db/database.ts'
import { verifyAuditLog } from './verify-audit-log.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { CAPTCHA: 'off' } })
const app = await buildApp(services)
const owner = openDatabase(database.connection, { max: 1, applicationName: 'owner', asOwner: true })
afterAll(async () => {
  await app.close()
  await owner.close()
})

const ids = { manila: 0, cebu: 0, maria: 0, carlo: 0, lantern: 0, harbor: 0, pack: 0 }
let root: string

/** Two offices with one agent each, and two sites, one of which has a link type. */
beforeAll(async () => {
  ids.manila = await buildOffice(db, { name: 'Manila', username: 'manila' })
  ids.cebu = await buildOffice(db, { name: 'Cebu', username: 'cebu' })
  ids.maria = await buildAgent(db, {
    office_id: ids.manila,
    username: 'maria',
    first_name: 'Maria',
  })
  ids.carlo = await buildAgent(db, { office_id: ids.cebu, username: 'carlo' })
  ids.lantern = await buildSite(db, { sitename: 'Lantern Live' })
  ids.harbor = await buildSite(db, { sitename: 'Harbor' })
  ids.pack = await buildLinkType(db, {
    site_id: ids.lantern,
    typename: 'Credits Pack',
    payout_centavos: 400_00,
    earning_cents: 20_00,
  })
  await buildAccount(db, { username: 'Root' })
  await buildAccount(db, { role: 5, username: 'ann', show_common_logs: true })
  root = await tokenOf(services, 'Root')
})

const { searchCommonLogs } = commonLogsEndpoints

type Item = {
  sentence: string
  responseCode: number
  changes: { ref: string; name: string; fields: object[] }[]
}

/** Makes a call as somebody, and returns its entry as a viewer sees it. */
async function entryOf(
  endpoint: Endpoint,
  sent: Parameters<typeof send>[2],
  { by = root, seenBy = root }: { by?: string; seenBy?: string } = {},
): Promise<Item> {
  await send(app, endpoint, sent, { token: by })
  const [item] = (await history({ changesOnly: true, pageSize: 1 }, seenBy)).items
  if (!item) throw new Error('nothing was recorded')
  return item
}

const history = async (
  body: Record<string, unknown>,
  token = root,
): Promise<{ items: Item[]; total: number }> =>
  (await send(app, searchCommonLogs, { body }, { token })).json()

const sentencesOf = async (object: string, token = root) =>
  (await history({ object, sortAsc: true, sortField: 'date' }, token)).items.map(
    ({ sentence }) => sentence,
  )

test('a new payout is told with its old and new value', async () => {
  const entry = await entryOf(linkTypesEndpoints.updateLinkType, {
    params: { id: ids.pack },
    body: { payout: 450 },
  })
  expect(entry).toMatchObject({
    sentence: 'Changed the payout of Lantern Live · Credits Pack from ₱400.00 to ₱450.00',
    changes: [
      {
        ref: `linkType:${ids.pack}`,
        name: 'Lantern Live · Credits Pack',
        fields: [{ field: 'payout', from: '₱400.00', to: '₱450.00' }],
      },
    ],
  })
})

test('forms of agents, offices and sites: names, notes, lists and states are told', async () => {
  const said = async (endpoint: Endpoint, id: number, body: Record<string, unknown>) =>
    (await entryOf(endpoint, { params: { id }, body })).sentence
  expect(await said(agentsEndpoints.updateAgent, ids.maria, { lastName: 'Santos' })).toBe(
    'Set the last name of maria to Santos',
  )
  expect(
    await said(agentsEndpoints.updateAgent, ids.maria, { lastName: 'Reyes', mustRead: 'Call in' }),
  ).toBe('Changed maria: last name from Santos to Reyes; Must Read set to Call in')
  expect(await said(officesEndpoints.updateOffice, ids.manila, { agentNotes: 'Hi' })).toBe(
    'Set the Must Read of Manila to Hi',
  )
  expect(await said(officesEndpoints.updateOffice, ids.manila, { siteIds: [ids.harbor] })).toBe(
    'Changed the sites of Manila: removed Lantern Live',
  )
  expect(await said(officesEndpoints.updateOffice, ids.manila, { siteIds: [ids.lantern] })).toBe(
    'Changed the sites of Manila: added Lantern Live, removed Harbor',
  )
  expect(await said(sitesEndpoints.updateSite, ids.harbor, { severalProducts: true })).toBe(
    'Changed “Orders hold several products” of Harbor from no to yes',
  )
  expect(await said(sitesEndpoints.updateSite, ids.harbor, { active: false })).toBe(
    'Suspended Harbor',
  )
  expect(await said(sitesEndpoints.updateSite, ids.harbor, { active: false })).toBe(
    'Saved Harbor without a change',
  )
})

test('changes of own rates, options and several states are told', async () => {
  const fee = await entryOf(officeFeesEndpoints.saveOfficeFee, {
    body: { typeId: ids.pack, companyId: ids.cebu, enable: true, payout: 475 },
  })
  expect(fee.sentence).toBe(
    'Changed Lantern Live · Credits Pack for Cebu: own rates from disabled to enabled; payout from ₱450.00 to ₱475.00',
  )
  const options = await entryOf(optionsEndpoints.saveOptions, {
    body: [{ name: 'payout_visible', value: 1 }],
  })
  expect(options.sentence).toBe(
    'Changed the option Payout Visible of the system options from off to on',
  )
  const both = await entryOf(agentsEndpoints.agentsStatus, {
    body: { ids: [ids.maria, ids.carlo], active: false },
  })
  expect(both.sentence).toBe('Suspended maria and carlo')
  expect(both.changes.map(({ name, fields }) => [name, fields])).toEqual([
    ['maria', [{ field: 'state', from: 'Activated', to: 'Suspended' }]],
    ['carlo', [{ field: 'state', from: 'Activated', to: 'Suspended' }]],
  ])
  await send(
    app,
    agentsEndpoints.agentsStatus,
    { body: { ids: [ids.maria, ids.carlo], active: true } },
    { token: root },
  )
})

test('of a secret, only the change itself is told', async () => {
  const password = 'A-Password-0f-Maria'
  const own = await entryOf(agentsEndpoints.updateAgent, {
    params: { id: ids.maria },
    body: { password, passwordConfirm: password },
  })
  expect(own.sentence).toBe('Changed the password of maria')
  expect(own.changes[0]?.fields).toEqual([{ field: 'password' }])
  const rotated = await entryOf(postbacksEndpoints.rotatePostbackKey, {
    params: { siteId: ids.lantern },
  })
  expect(rotated.sentence).toBe('Replaced the postback key of Lantern Live')
  expect(rotated.changes[0]?.fields).toEqual([{ field: 'postback key' }])
  const rows = await db.selectFrom('audit_log').select('changes').execute()
  const hash = await db
    .selectFrom('accounts')
    .select('password_hash')
    .where('username', '=', 'maria')
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(rows)).not.toContain(password)
  expect(JSON.stringify(rows)).not.toContain(hash.password_hash)
})

test('a history is about one object; a site’s includes its link types and rates, an office’s its agents', async () => {
  expect(await sentencesOf(`agent:${ids.carlo}`)).toEqual([
    'Suspended maria and carlo',
    'Activated maria and carlo',
  ])
  expect(await sentencesOf(`site:${ids.lantern}`)).toEqual([
    'Changed the payout of Lantern Live · Credits Pack from ₱400.00 to ₱450.00',
    expect.stringContaining('for Cebu: own rates'),
    'Replaced the postback key of Lantern Live',
  ])
  expect(await sentencesOf(`office:${ids.cebu}`)).toEqual([
    expect.stringContaining('for Cebu: own rates'),
    'Suspended maria and carlo',
    'Activated maria and carlo',
  ])
  expect((await history({ object: 'agent' })) as object).toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('a refused call has no changes and reveals no name', async () => {
  await db
    .updateTable('accounts')
    .set({ show_common_logs: true })
    .where('username', '=', 'manila')
    .execute()
  const manila = await tokenOf(services, 'manila')
  const entry = await entryOf(
    agentsEndpoints.updateAgent,
    { params: { id: ids.carlo }, body: { lastName: 'Cruz' } },
    { by: manila, seenBy: manila },
  )
  expect(entry).toMatchObject({
    sentence: 'Tried to update an agent, but was refused',
    responseCode: 404,
    changes: [],
  })
})

test('an office with the permission reads what it did itself, and nothing of others', async () => {
  const manila = await tokenOf(services, 'manila')
  await send(
    app,
    agentsEndpoints.updateAgent,
    { params: { id: ids.maria }, body: { lastName: 'Luna' } },
    { token: manila },
  )
  expect(await sentencesOf(`agent:${ids.maria}`, manila)).toEqual([
    'Changed the last name of maria from Reyes to Luna',
  ])
  expect(await sentencesOf(`agent:${ids.carlo}`, manila)).toEqual([])
  expect(await sentencesOf(`site:${ids.lantern}`, manila)).toEqual([])
  expect((await sentencesOf(`agent:${ids.maria}`)).length).toBeGreaterThan(3)
})

test('without access to earnings, nobody learns any from a history', async () => {
  await send(
    app,
    linkTypesEndpoints.updateLinkType,
    { params: { id: ids.pack }, body: { earning: 99, payout: 460 } },
    { token: root },
  )
  const ann = await tokenOf(services, 'ann')
  const last = { object: `linkType:${ids.pack}`, pageSize: 1 }
  const [full, without] = [(await history(last)).items[0], (await history(last, ann)).items[0]]
  expect(full?.sentence).toContain('earning from $20.00 to $99.00')
  expect(without?.sentence).toBe(
    'Changed the payout of Lantern Live · Credits Pack from ₱450.00 to ₱460.00',
  )
  expect(JSON.stringify(without?.changes)).not.toContain('99')
})

test('hostile names are shown as they are, and long ones are cut', async () => {
  const name = `<img src=x onerror=alert(1)> "${'x'.repeat(20)}`
  const own = await tokenOf(services, 'manila')
  const entry = await entryOf(
    profileEndpoints.updateCompanyProfile,
    { body: { manFirstName: name } },
    { by: own },
  )
  expect(entry.changes[0]?.fields).toEqual([
    {
      field: 'manager first name',
      from: expect.any(String),
      to: expect.stringContaining('<img src=x'),
    },
  ])
  const long = await entryOf(agentsEndpoints.updateAgent, {
    params: { id: ids.maria },
    body: { mustRead: '😀'.repeat(1000) },
  })
  expect(JSON.stringify(long.changes).length).toBeLessThan(1200)
})

test('changes are part of the chain: editing one is detected', async () => {
  expect((await verifyAuditLog(db)).broken).toBeUndefined()
  const { id, changes } = await db
    .selectFrom('audit_log')
    .select(['id', 'changes'])
    .where('changes', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const set = (value: string | null) =>
    owner.db.updateTable('audit_log').set({ changes: value }).where('id', '=', id).execute()
  await set(changes?.replace('400.00', '440.00') ?? null)
  expect((await verifyAuditLog(db)).broken).toBe(`Entry ${id} was changed.`)
  await set(null)
  expect((await verifyAuditLog(db)).broken).toBe(`Entry ${id} was changed.`)
  await set(changes)
  expect((await verifyAuditLog(db)).broken).toBeUndefined()
})

test('an older entry says what its parameters tell', async () => {
  await send(
    app,
    agentsEndpoints.agentsStatus,
    { body: { ids: [ids.maria], active: false } },
    { token: root },
  )
  await owner.db.updateTable('audit_log').set({ changes: null, objects: null }).execute()
  const [last] = (await history({ changesOnly: true, pageSize: 1 })).items
  expect(last).toMatchObject({ sentence: `Suspended agents (${ids.maria})`, changes: [] })
})
