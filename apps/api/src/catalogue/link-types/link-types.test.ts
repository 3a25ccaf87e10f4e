import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { expect, test } from 'vitest'
import { buildLinkType, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { linkTypesRoutes } from './link-types.routes.ts'

const services = testServices(await testDatabase(), {
  environment: {
    PUBLIC_URL: 'https://office.example',
    BACK_OFFICE_HOSTS: 'inside.example',
  },
})
const { db } = services
const call = await callRoutes(linkTypesRoutes(services))
const superadmin = viewer()
const staff = { role: 'admin', officeId: undefined, agentId: undefined } as const
const siteId = await buildSite(db)

const { createLinkType, updateLinkType, deleteLinkType, linkType, typesBySite } = linkTypesEndpoints

const form = {
  typename: 'Premium',
  typealias: 'premium',
  url: 'https://shop.example/join?a={sub1}#x',
  payout: 900,
  earning: 45.07,
}

const save = (more: object) =>
  call(superadmin, createLinkType, { body: { siteId, ...form, typealias: `t${++made}`, ...more } })
let made = 0

const read = async (id: number) => (await call(superadmin, linkType, { params: { id } })).body

test('a new link type is activated, forwards parameters, is worth one point, and has no bonus', async () => {
  const { body } = await save({ bonusPayout: 300, bonusLpp: 4 })
  expect(await read(body.id)).toEqual({
    id: body.id,
    siteId,
    ...form,
    typealias: 't1',
    bbrCh: '',
    forwardParams: true,
    lpp: 1,
    bonus: false,
    bonusPayout: 0,
    bonusEarning: 0,
    bonusLpp: 0,
    active: true,
    version: 1,
  })
})

test.each([
  'https://office.example/api/links/go/1/2/3',
  'https://OFFICE.example/api/links/go/1/2/3?sub1=a',
  'https://inside.example:8443/api/links/go/1/2/3',
  'https://go.example/api/links/go/1/2/3',
  'http://go.example./api/links/go/1/2/3/',
  'https://go.example//API/links/go/{site_id}/{type_id}/{agent_id}',
  'https://go.example/api/links/go/1/2/3&sub1=x',
  'https://hidden.example/api/links/go%2F1%2F2%2F3',
])('%s is one of our own links, to which none may lead', async (url) => {
  for (const [domain, hidden] of [
    ['https://go.example', false],
    ['https://hidden.example', true],
  ] as const) {
    await db
      .insertInto('preferred_domains')
      .values({ domain, description: '', hidden, created_at: new Date() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const refusal = {
    status: 422,
    body: {
      data: { url: ['is one of your own tracked links. Enter the page that it leads to'] },
    },
  }
  expect(await save({ url })).toMatchObject(refusal)
  const { body } = await save({})
  const change = { version: 1, url }
  expect(
    await call(superadmin, updateLinkType, { params: { id: body.id }, body: change }),
  ).toMatchObject(refusal)
})

test('a link type may lead to no other page of a domain of our links', async () => {
  await db
    .insertInto('preferred_domains')
    .values({ domain: 'https://links.example', description: '', created_at: new Date() })
    .execute()
  expect(await save({ url: 'https://Links.example/an/offer?a={sub1}' })).toMatchObject({
    status: 422,
    body: { data: { url: ['is on a domain of your links. Enter the page of the merchant'] } },
  })
})

test('a link type may lead to another page of ours, and to a link of another network', async () => {
  for (const url of [
    'https://office.example/offer/api',
    'https://other.example/api/links/go/1/2/3',
    'https://shop.example/?to=https://office.example/api/links/go/1/2/3',
  ]) {
    expect((await save({ url })).status).toBe(200)
  }
})

test('a link type forwards parameters or not, and omitted it stays as it is', async () => {
  const { body } = await save({ forwardParams: false })
  const { id } = body
  const change = (more: object) =>
    call(superadmin, updateLinkType, {
      params: { id },
      body: { ...form, typealias: `f${id}`, ...more },
    })
  expect(await read(id)).toMatchObject({ forwardParams: false })
  await change({})
  expect(await read(id)).toMatchObject({ forwardParams: false })
  await change({ forwardParams: 1 })
  expect(await read(id)).toMatchObject({ forwardParams: true })
})

test('amounts are stored to the cent, whatever their binary fraction', async () => {
  const amounts = { payout: 0.07, earning: 1_000_000, bonusPayout: 1.1, bonusEarning: 0.29 }
  const { body } = await save({ ...amounts, bonus: true, lpp: 0, bonusLpp: 10_000 })
  expect(await read(body.id)).toMatchObject({ ...amounts, lpp: 0, bonusLpp: 10_000 })
  const row = await db
    .selectFrom('rates')
    .select(['payout_centavos', 'earning_cents', 'bonus_payout_centavos', 'bonus_earning_cents'])
    .where('type_id', '=', body.id)
    .executeTakeFirst()
  expect(Object.values(row ?? {})).toEqual([7, 100_000_000, 110, 29])
})

test.each([
  ['typename', ' ', 'Enter a link name'],
  ['typealias', '', 'Enter an alias'],
  [
    'typealias',
    '{product}',
    'is the unfilled placeholder {product}, and postbacks could not name it',
  ],
  ['typealias', 'N/A', 'is N/A, which is no value, and postbacks could not name it'],
  ['url', '', 'Enter a web address'],
  [
    'url',
    'javascript:alert(1)',
    'must be a complete http or https address without a macro in its host',
  ],
  [
    'url',
    'https://{sub1}.example',
    'must be a complete http or https address without a macro in its host',
  ],
  ['url', `https://a.example/${'x'.repeat(2048)}`, 'must have at most 2048 characters'],
  ['payout', -0.01, 'must not be negative'],
  ['payout', '5', 'must be an amount'],
  ['earning', 1.005, 'must have at most 2 decimal places'],
  ['earning', 1_000_000.01, 'must be at most 1,000,000'],
  ['lpp', 1.5, 'must be a whole number'],
  ['lpp', -1, 'must not be negative'],
  ['bonusPayout', -1, 'must not be negative'],
  ['bonusEarning', 1e-7, 'must have at most 2 decimal places'],
  ['bonusLpp', 10_001, 'must be at most 10,000'],
])('%s may not be %j', async (field, value, message) => {
  const { status, body } = await save({ bonus: true, [field]: value })
  expect([status, body.data]).toEqual([422, { [field]: [message] }])
})

test('an alias is unique among a site’s existing link types, regardless of case', async () => {
  const { body } = await save({ typealias: 'Gold' })
  const taken = { typealias: ['is already used by another link type of this site'] }
  expect(await save({ typealias: 'GOLD' })).toMatchObject({ status: 422, body: { data: taken } })
  expect((await save({ typealias: 'gold', siteId: await buildSite(db) })).status).toBe(200)

  await call(superadmin, deleteLinkType, { params: { id: body.id } })
  expect((await save({ typealias: 'gold' })).status).toBe(200)

  const both = await Promise.all([1, 2].map(() => save({ typealias: 'twice' })))
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 422]))
})

test('the second person to save is told, and nothing is changed', async () => {
  const { body } = await save({})
  const change = (typename: string) =>
    call(superadmin, updateLinkType, {
      params: { id: body.id },
      body: { ...form, typealias: 'stale', typename, active: true, version: 1 },
    })
  expect((await change('First')).status).toBe(200)
  expect(await change('Second')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Somebody else has changed this link type') },
  })
  expect(await read(body.id)).toMatchObject({ typename: 'First', version: 2 })
})

test('a deleted link type is gone, and so is one of a deleted site', async () => {
  const { body } = await save({})
  const remove = () => call(superadmin, deleteLinkType, { params: { id: body.id } })
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404])
  expect((await call(superadmin, linkType, { params: { id: body.id } })).body.message).toBe(
    'This link type was not found. It may have been deleted, or you may not see it.',
  )
  const gone = await buildSite(db, { deleted_at: new Date() })
  expect((await save({ siteId: gone })).status).toBe(404)
})

test('payouts and earnings are shown to those who may see them', async () => {
  const site = await buildSite(db)
  const cheap = await buildLinkType(db, { site_id: site, payout_centavos: 1, earning_cents: 9 })
  const dear = await buildLinkType(db, { site_id: site, payout_centavos: 5, earning_cents: 1 })
  const ask = (who: typeof superadmin, sortField?: string) =>
    call(who, typesBySite, { params: { siteId: site }, query: sortField ? { sortField } : {} })
  const keysFor = async (who: typeof superadmin) => Object.keys((await ask(who)).body[0])

  const basics = ['id', 'siteId', 'typename', 'typealias', 'bonus', 'active']
  const rates = ['url', 'forwardParams', 'bbrCh', 'payout', 'lpp', 'bonusPayout', 'bonusLpp']
  const earnings = ['earning', 'bonusEarning']
  const seeing = viewer(staff, ['EARNING_VISIBLE'])
  expect((await keysFor(superadmin)).toSorted()).toEqual(
    [...basics, ...rates, ...earnings].toSorted(),
  )
  expect((await keysFor(seeing)).toSorted()).toEqual([...basics, ...rates, ...earnings].toSorted())
  expect((await keysFor(viewer(staff))).toSorted()).toEqual([...basics, ...rates].toSorted())

  const order = async (who: typeof superadmin, sortField: string) =>
    (await ask(who, sortField)).body.map(({ id }: { id: number }) => id)
  expect(await order(viewer(staff), 'payout')).toEqual([cheap, dear])
  expect(await order(seeing, 'earning')).toEqual([dear, cheap])
  expect((await ask(viewer(staff), 'earning')).status).toBe(403)
})
