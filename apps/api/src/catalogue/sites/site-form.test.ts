import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { findTracker } from '@tallyroom/domain/trackers'
import { expect, test } from 'vitest'
import { countChanges } from '../../../test/count-changes.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { sitesRoutes } from './sites.routes.ts'

const database = await testDatabase()
const services = testServices(database)
const { db } = services
const call = await callRoutes(sitesRoutes(services))
const superadmin = viewer()
const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })

const {
  createSite,
  updateSite,
  site: getSite,
  searchSites,
  sitesStatus,
  siteAgents,
  enableSiteForAllOffices,
} = sitesEndpoints

const form = {
  sitename: 'Lantern Live',
  shortname: 'lantern',
  abbr: 'LNT',
  url: 'https://lantern.example',
  type: 'WEBCAMS',
}

const rest = {
  clickParam: 'cid',
  contactName: 'Nora',
  phoneNum: '+1 555 0120',
  email: 'nora@lantern.example',
  note: 'Pays on Fridays.\nAsk twice.',
  specialReport: true,
  useApproveSale: true,
  avp: true,
  active: false,
  hidden: true,
  transactionIdIsClick: true,
  alwaysOkText: 'OK',
  eventWords: [
    { word: 'deposit', event: 'sale' },
    { word: '__proto__', event: 'void' },
  ],
  statusWords: [
    { word: '3', standing: 'rejected' },
    { word: 'hold', standing: 'pending' },
  ],
  deepHosts: ['shop.example', 'm.shop.example:8443'],
  couponWins: true,
  couponPattern: '*-TR10',
  wordReadings: [
    { parameter: 'outcome', value: 'sent_back', event: 'sale', reading: 'takes-back' },
    { parameter: 'outcome', value: 'sent_back', event: 'bonus', reading: 'nothing' },
  ],
}

const create = async (more: object = {}) => {
  const { status, body } = await call(superadmin, createSite, {
    body: { ...form, sitename: `Site ${++named}`, ...more },
  })
  expect([status, body]).toEqual([200, { id: expect.any(Number) }])
  return Number(body.id)
}
let named = 0

const read = async (id: number) => (await call(admin, getSite, { params: { id } })).body

const topicCounter = () => countChanges(db, 'destinations')

test('a new site is active and no office may sell it yet', async () => {
  await buildOffice(db)
  const { body } = await call(superadmin, createSite, {
    body: { ...form, sitename: '  Lantern Live ', email: ' ' },
  })
  const offices = await db.selectFrom('offices').select('id').execute()
  expect(await read(body.id)).toEqual({
    id: body.id,
    ...form,
    clickParam: '',
    contactName: '',
    phoneNum: '',
    email: '',
    note: '',
    specialReport: false,
    useApproveSale: false,
    avp: false,
    active: true,
    hidden: false,
    transactionIdIsClick: false,
    alwaysOkText: '',
    eventWords: [],
    statusWords: [],
    wordReadings: [],
    tracker: '',
    severalProducts: false,
    countsForDays: 0,
    partRule: 'ask',
    deepHosts: [],
    couponWins: false,
    couponPattern: '',
    insteadTypeId: null,
    insteadSiteId: null,
    typeCount: 0,
    officesAllowed: 0,
    officesTotal: offices.length,
    version: 1,
  })
})

test('every field is stored and updated, words in lower case; omitted fields stay', async () => {
  const id = await create(rest)
  expect(await read(id)).toMatchObject({ ...rest, version: 1 })

  const change = {
    ...form,
    sitename: 'Changed',
    active: true,
    alwaysOkText: '',
    eventWords: [{ word: ' FTD ', event: 'approval' }],
    statusWords: [{ word: ' On Hold ', standing: 'pending' }],
  }
  expect((await call(superadmin, updateSite, { params: { id }, body: change })).status).toBe(200)
  expect(await read(id)).toMatchObject({
    ...rest,
    ...change,
    eventWords: [{ word: 'ftd', event: 'approval' }],
    statusWords: [{ word: 'on hold', standing: 'pending' }],
    version: 2,
  })
  const { always_ok_text } = await db
    .selectFrom('sites')
    .select('always_ok_text')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(always_ok_text).toBeNull()
})

test('choosing a tracker gives a site its words, beside its own', async () => {
  const own = { word: 'purchase', event: 'bonus' }
  const { body: made } = await call(superadmin, createSite, {
    body: { ...form, sitename: 'With a tracker', tracker: 'redtrack' },
  })
  const site = await read(made.id)
  const { eventWords, statusWords, transactionIdIsClick } = findTracker('redtrack')!
  expect(eventWords.length).toBeGreaterThan(0)
  expect(site).toMatchObject({ tracker: 'redtrack', statusWords, transactionIdIsClick })
  expect(new Set(site.eventWords)).toEqual(new Set(eventWords))

  // What the site has keeps its meaning; what is sent beside is what counts.
  const id = await create({ eventWords: [own] })
  const save = async (change: object) => {
    const { version } = await read(id)
    const saved = await call(superadmin, updateSite, {
      params: { id },
      body: { version, ...change },
    })
    expect(saved.status).toBe(200)
    return (await read(id)).eventWords
  }
  expect(new Set(await save({ tracker: 'redtrack' }))).toEqual(
    new Set([own, ...eventWords.filter(({ word }) => word !== own.word)]),
  )
  expect(await save({ tracker: '', eventWords: [own] })).toEqual([own])
  expect(await save({ tracker: 'redtrack', eventWords: [] })).toEqual([])
})

test.each([
  ['sitename', 128],
  ['shortname', 16],
  ['abbr', 10],
  ['url', 128],
  ['clickParam', 16],
  ['contactName', 64],
  ['phoneNum', 64],
])('%s is limited to %i characters', async (field, longest) => {
  const value = (length: number) => `${++named}`.padEnd(length, 'x')
  await create({ [field]: value(longest) })
  const { status, body } = await call(superadmin, createSite, {
    body: { ...form, sitename: 'Never', [field]: value(longest + 1) },
  })
  expect([status, body.data]).toEqual([
    422,
    { [field]: [`must have at most ${longest} characters`] },
  ])
})

test.each<[field: string, value: unknown, message: string]>([
  ['sitename', '  ', 'Enter a site name'],
  ['shortname', '', 'Enter a short name'],
  ['abbr', '', 'Enter an abbreviation'],
  ['url', ' ', 'Enter a web address'],
  ['type', null, 'Choose a type'],
  ['type', 'POKER', 'Choose a type'],
  ['clickParam', 'KEY', 'must not be "key": postbacks use that name for the secret key'],
  ['clickParam', '_Key', 'must not be "key": postbacks use that name for the secret key'],
  ['email', 'nora@', 'must be an email address'],
  ['email', `${'n'.repeat(60)}@a.example`, 'must have at most 64 characters'],
  [
    'eventWords',
    [
      { word: 'FTD', event: 'sale' },
      { word: 'ftd', event: 'bonus' },
    ],
    'must not contain the same name twice',
  ],
  [
    'statusWords',
    [
      { word: 'on hold', standing: 'pending' },
      { word: 'On_Hold', standing: 'rejected' },
    ],
    'must not contain the same word twice',
  ],
  ['tracker', 'nobody', 'is not a tracker that we know'],
  ...[
    'shop.example/p',
    'shop',
    'u@shop.example',
    '{sub1}.example',
    'https://',
    '*.example',
    ' ',
  ].map((host): [string, unknown, string] => [
    'deepHosts',
    [host],
    'must be hosts without a path, such as shop.example.com',
  ]),
  ...['*', '10', '**10', '-*10', '* 10'].map((pattern): [string, unknown, string] => [
    'couponPattern',
    pattern,
    'must have one * with 2 to 16 letters (A–Z), digits, dots, dashes or underscores around it, such as *10',
  ]),
  ['deepHosts', ['shop.example', 'https://Shop.example/'], 'must not contain the same host twice'],
  [
    'deepHosts',
    [new URL(services.config.publicUrl).host],
    `must not contain ${new URL(services.config.publicUrl).host}, which is an address of your own`,
  ],
])('%s may not be %j', async (field, value, message) => {
  const { status, body } = await call(superadmin, createSite, {
    body: { ...form, sitename: 'Never', [field]: value },
  })
  expect([status, body.data]).toEqual([422, { [field]: [message] }])
})

test('further hosts are stored as browsers know them, and none may be a domain of our links', async () => {
  const id = await create({
    deepHosts: ['HTTPS://Shop.Example./', 'пример.рф:8443'],
  })
  const { deepHosts, version } = await read(id)
  expect(deepHosts).toEqual(['shop.example', 'xn--e1afmkfd.xn--p1ai:8443'])
  await db
    .insertInto('preferred_domains')
    .values({ domain: 'https://go.example', description: '', created_at: new Date() })
    .execute()
  const save = (hosts: string[]) =>
    call(superadmin, updateSite, { params: { id }, body: { version, deepHosts: hosts } })
  expect(await save([...deepHosts, 'go.example:8443'])).toMatchObject({
    status: 422,
    body: {
      data: { deepHosts: ['must not contain go.example:8443, which is an address of your own'] },
    },
  })
  expect((await save(['shop.example'])).status).toBe(200)
  expect((await read(id)).deepHosts).toEqual(['shop.example'])
})

test('visitors can be sent to a link type that works, and to no other', async () => {
  const site_id = await buildSite(db)
  const live = await buildLinkType(db, { site_id })
  const suspended = await buildLinkType(db, { site_id, active: false })
  const deleted = await buildLinkType(db, { site_id, deleted_at: new Date() })
  const ofSuspended = await buildLinkType(db, { site_id: await buildSite(db, { active: false }) })
  const id = await create({ insteadTypeId: live })
  expect(await read(id)).toMatchObject({ insteadTypeId: live, insteadSiteId: site_id })
  const save = (change: object) => call(superadmin, updateSite, { params: { id }, body: change })
  for (const [insteadTypeId, problem] of [
    [suspended, 'is suspended, or its site is: its links lead nowhere'],
    [ofSuspended, 'is suspended, or its site is: its links lead nowhere'],
    [deleted, 'is no link type that exists'],
    [2_000_000_000, 'is no link type that exists'],
  ] as const) {
    const refusal = { status: 422, body: { data: { insteadTypeId: [problem] } } }
    expect(await save({ insteadTypeId })).toMatchObject(refusal)
    const made = { ...form, sitename: `Site ${++named}`, insteadTypeId }
    expect(await call(superadmin, createSite, { body: made })).toMatchObject(refusal)
  }
  // Suspended since: the rest of the form can be saved.
  await db.updateTable('link_types').set({ active: false }).where('id', '=', live).execute()
  expect((await save({ insteadTypeId: live, note: 'Later' })).status).toBe(200)
  expect((await save({ insteadTypeId: null })).status).toBe(200)
  expect(await read(id)).toMatchObject({ insteadTypeId: null, insteadSiteId: null })
})

test.each(['link_types', 'sites'] as const)(
  'once the link type is deleted, by %s, the form has none, and the rest of it is saved',
  async (table) => {
    const site_id = await buildSite(db)
    const insteadTypeId = await buildLinkType(db, { site_id })
    const id = await create({ insteadTypeId })
    const deleted = table === 'sites' ? site_id : insteadTypeId
    await db.updateTable(table).set({ deleted_at: new Date() }).where('id', '=', deleted).execute()
    const { insteadSiteId } = await read(id)
    expect(insteadSiteId).toBeNull()
    const { isProved: _, ...unproved } = superadmin
    const body = { insteadTypeId, note: 'Later' }
    expect((await call(unproved, updateSite, { params: { id }, body })).status).toBe(200)
    expect((await read(id)).note).toBe('Later')
  },
)

test('a site name is unique among existing sites, regardless of case', async () => {
  await create({ sitename: 'Harbor' })
  const again = { ...form, sitename: 'HARBOR' }
  const answer = await call(superadmin, createSite, { body: again })
  expect(answer).toMatchObject({ status: 422, body: { data: { sitename: ['is already taken'] } } })
  // A double submit creates one site.
  const both = await Promise.all(
    [1, 2].map(() => call(superadmin, createSite, { body: { ...form, sitename: 'Twice' } })),
  )
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 422]))
})

test('saving a stale form is refused and changes nothing', async () => {
  const id = await create()
  const change = (sitename: string) =>
    call(superadmin, updateSite, {
      params: { id },
      body: { ...form, sitename, active: true, version: 1 },
    })
  expect((await change('First')).status).toBe(200)
  expect(await change('Second')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Somebody else has changed this site') },
  })
  expect((await read(id)).sitename).toBe('First')
})

test('activating sets approve-sale, suspending unsets it, and only changed rows get a new version', async () => {
  const [first, second] = [await create(), await create({ active: false })]
  const set = (status: number, ids = [first, second]) =>
    call(superadmin, sitesStatus, { body: { ids, status } })
  const flags = async () =>
    Promise.all(
      [first, second].map(async (id) => {
        const { active, useApproveSale, version } = await read(id)
        return [active, useApproveSale, version]
      }),
    )

  expect((await set(1)).status).toBe(200)
  expect(await flags()).toEqual([
    [true, true, 2],
    [true, true, 2],
  ])
  await set(1)
  expect(await flags()).toEqual([
    [true, true, 2],
    [true, true, 2],
  ])
  await set(0, [second])
  expect(await flags()).toEqual([
    [true, true, 2],
    [false, false, 3],
  ])
  expect((await set(0, [first, 2_000_000_000])).status).toBe(404)
  expect((await flags())[0]).toEqual([true, true, 2])

  // The caller may choose differently.
  const choose = (status: number, useApproveSale: unknown) =>
    call(superadmin, sitesStatus, { body: { ids: [second], status, useApproveSale } })
  await choose(1, false)
  expect((await flags())[1]).toEqual([true, false, 4])
  await choose(0, true)
  expect((await flags())[1]).toEqual([false, true, 5])
  expect((await choose(1, 'no')).status).toBe(422)
  expect((await flags())[0]).toEqual([true, true, 2])
})

test('enabling a site for all offices leaves it off for agents who have it switched off', async () => {
  const id = await create()
  const office = await buildOffice(db, { hidden: true })
  const agent = await buildAgent(db, { office_id: office })
  await db.deleteFrom('office_sites').where('site_id', '=', id).execute()
  await db.insertInto('agent_sites_off').values({ agent_id: agent, site_id: id }).execute()
  for (const _ of [1, 2]) {
    const answer = await call(superadmin, enableSiteForAllOffices, { params: { id } })
    expect(answer.status).toBe(200)
  }
  const { officesAllowed, officesTotal } = await read(id)
  expect(officesAllowed).toBe(officesTotal)
  const off = await db.selectFrom('agent_sites_off').selectAll().where('site_id', '=', id).execute()
  expect(off).toHaveLength(1)
})

test('every change is announced to the processes that cache sites', async () => {
  const id = await create()
  const changes = [
    () => create(),
    () =>
      call(superadmin, updateSite, {
        params: { id },
        body: { ...form, sitename: 'Announced', active: true },
      }),
    () => call(superadmin, sitesStatus, { body: { ids: [id], status: 0 } }),
    () => call(superadmin, enableSiteForAllOffices, { params: { id } }),
    () => call(viewer(undefined, ['DELETE_SITES']), sitesEndpoints.deleteSite, { params: { id } }),
  ]
  for (const change of changes) {
    const before = await topicCounter()
    await change()
    expect(await topicCounter()).toBe(before + 1)
  }
})

test('the list can be searched, sorted and paged; it includes hidden and suspended sites, never deleted ones', async () => {
  await emptyTables(database.connection, [
    'agent_sites_off',
    'office_sites',
    'former_site_flags',
    'rates',
    'link_types',
    'sites',
  ])
  const beta = await buildSite(db, { sitename: 'beta 100%', type: 'CASINO', hidden: true })
  const alpha = await buildSite(db, { sitename: 'Alpha', type: 'WEBCAMS', active: false })
  const gamma = await buildSite(db, { sitename: 'Gamma', type: 'ADULT' })
  await buildSite(db, { sitename: 'Gone', deleted_at: new Date() })
  await buildLinkType(db, { site_id: gamma })
  await buildLinkType(db, { site_id: gamma, active: false })
  await buildLinkType(db, { site_id: gamma, deleted_at: new Date() })

  const ids = async (body: object) => {
    const { items, total } = (await call(admin, searchSites, { body })).body
    return [total, items.map(({ id }: { id: number }) => id)]
  }
  expect(await ids({})).toEqual([3, [alpha, beta, gamma]])
  expect(await ids({ sortAsc: false })).toEqual([3, [gamma, beta, alpha]])
  expect(await ids({ sortField: 'type' })).toEqual([3, [gamma, beta, alpha]])
  expect(await ids({ sortField: 'status' })).toEqual([3, [gamma, beta, alpha]])
  expect(await ids({ page: 2, pageSize: 2 })).toEqual([3, [gamma]])
  const having = (field: string, value: unknown) => ids({ criteria: [{ field, value }] })
  expect(await having('sitename', '%0%%')).toEqual([1, [beta]])
  expect(await having('sitename', '_')).toEqual([0, []])
  expect(await having('type', 'ADULT')).toEqual([1, [gamma]])
  expect(await having('active', false)).toEqual([1, [alpha]])

  const { body } = await call(admin, searchSites, { body: { page: 3, pageSize: 1 } })
  expect(body.items).toEqual([
    {
      id: gamma,
      sitename: 'Gamma',
      shortname: expect.any(String),
      abbr: expect.any(String),
      url: expect.any(String),
      type: 'ADULT',
      useApproveSale: false,
      active: true,
      hidden: false,
      typeCount: 2,
    },
  ])
})

test('the agents of a site are those who may sell it; an office sees only its own', async () => {
  await db.updateTable('agents').set({ hidden: true }).execute()
  const id = await buildSite(db)
  const [office, other, without] = [
    await buildOffice(db),
    await buildOffice(db),
    await buildOffice(db),
  ]
  await db.deleteFrom('office_sites').where('office_id', '=', without).execute()
  const seller = await buildAgent(db, { office_id: office, username: 'Zoe' })
  const suspended = await buildAgent(db, { office_id: office, username: 'adam', active: false })
  const off = await buildAgent(db, { office_id: office })
  await db.insertInto('agent_sites_off').values({ agent_id: off, site_id: id }).execute()
  await buildAgent(db, { office_id: office, hidden: true })
  await buildAgent(db, { office_id: office, approved_at: null })
  await buildAgent(db, { office_id: without })
  const foreign = await buildAgent(db, { office_id: other, username: 'Ben' })

  const agents = async (who: typeof admin) => {
    const { body } = await call(who, siteAgents, { params: { id } })
    return body.map((agent: { id: number }) => agent.id)
  }
  const ofOffice = viewer({ role: 'company', officeId: office, agentId: undefined })
  expect(await agents(admin)).toEqual([foreign, seller])
  expect(await agents(superadmin)).toEqual([suspended, foreign, seller])
  expect(await agents(ofOffice)).toEqual([suspended, seller])
})

test('the specification’s status is accepted next to active, as a number, too; both have to agree', async () => {
  const id = await create({ status: 0 })
  expect(await read(id)).toMatchObject({ active: false })
  const change = (body: object) => call(superadmin, updateSite, { params: { id }, body })
  expect((await change({ status: 1 })).status).toBe(200)
  expect(await read(id)).toMatchObject({ active: true })
  expect((await change({ active: 0, status: false })).status).toBe(200)
  expect(await read(id)).toMatchObject({ active: false })
  const torn = await change({ active: true, status: 0 })
  expect([torn.status, torn.body.data]).toEqual([422, { status: ['must match active'] }])
  expect((await change({ status: 2 })).body.data).toEqual({ status: ['must be true or false'] })
  expect(await read(id)).toMatchObject({ active: false })
})
