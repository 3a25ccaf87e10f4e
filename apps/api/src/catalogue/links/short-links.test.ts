import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  MOST_SHORT_NAMES,
  type ShortLink,
  shortLinksEndpoints as endpoints,
} from '@tallyroom/contract/catalogue/short-links'
import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { notFoundText } from '@tallyroom/contract/errors'
import { lookOf, MADE_UP_LETTERS } from '@tallyroom/domain/short-link'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { buildApp } from '../../app.ts'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { makeClickIds } from '../../tracking/clicks/click-id-signer.ts'
import { readKeptLinks } from '../../tracking/destinations/kept-links.ts'
import { linkTypesRoutes } from '../link-types/link-types.routes.ts'
import { linksRoutes } from './links.routes.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-short-'))
const services = testServices(await testDatabase(), {
  environment: { PUBLIC_URL: 'https://office.example', DATA_DIR: dataDir },
})
const { db } = services
const call = await callRoutes([...linksRoutes(services), ...linkTypesRoutes(services)])
const app = await buildApp(services)
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})
beforeAll(() =>
  vi.waitFor(async () => expect((await app.inject('/api/health')).statusCode).toBe(200), 60_000),
)

const superadmin = viewer()
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

/** An office with two agents, and a site with a link type that they sell. */
async function newWorld() {
  const siteId = await buildSite(db, { click_param: 'cid', deep_hosts: ['m.example'] })
  const officeId = await buildOffice(db)
  const agentId = await buildAgent(db, { office_id: officeId })
  const colleague = await buildAgent(db, { office_id: officeId })
  const typeId = await buildLinkType(db, {
    site_id: siteId,
    url: 'https://shop.example/join?from={sub1}',
    forward_params: true,
  })
  await changed(async () => {})
  return {
    siteId,
    officeId,
    agentId,
    colleague,
    typeId,
    admin: viewer({ role: 'admin', officeId: undefined, agentId: undefined }),
    office: viewer({ role: 'company', officeId, agentId: undefined }),
    agent: viewer({ role: 'agent', officeId, agentId }),
  }
}

let world: Awaited<ReturnType<typeof newWorld>>
beforeEach(async () => {
  world = await newWorld()
})

const changed = (work: (tx: Tx) => Promise<unknown>) =>
  inTransaction(db, async (tx) => {
    await work(tx)
    await announceChange(tx, 'destinations')
  })

const create = (who: Viewer, body: object = {}) =>
  call(who, endpoints.createShortLink, {
    body: { typeId: world.typeId, agentId: world.agentId, ...body },
  })
const rename = (who: Viewer, id: number, name: string) =>
  call(who, endpoints.renameShortLink, { params: { id }, body: { name } })
const remove = (who: Viewer, id: number) => call(who, endpoints.deleteShortLink, { params: { id } })
const list = async (who: Viewer, body: object = {}): Promise<ShortLink[]> =>
  (await call(who, endpoints.shortLinks, { body: { agentId: world.agentId, ...body } })).body.items

let names = 0
const newName = (): string => `name-${++names}-x`

/** Status, and where it leads with `ID` for the click id. */
async function leads(url: string, method: 'GET' | 'HEAD' = 'HEAD') {
  const { statusCode, headers } = await app.inject({
    method,
    url,
    headers: { 'user-agent': BROWSER, host: 'go.example' },
  })
  return `${statusCode} ${(headers.location ?? '').replace(/(?<==)[0-9a-v]{32}/, 'ID')}`.trim()
}
const untilLeads = (url: string, expected: string) =>
  vi.waitFor(async () => expect(await leads(url)).toBe(expected), 5_000)

describe('a short link', () => {
  test('leads where its link leads, with what it carries, and its click is one of the link', async () => {
    const { agent, agentId, typeId, siteId } = world
    const { status, body } = await create(agent, { sub1: ' flyer ', sub2: '', to: '/p/7?a=b' })
    expect(status).toBe(200)
    expect(body.name).toMatch(new RegExp(`^[${MADE_UP_LETTERS}]{7}$`))
    expect(body.link).toBe(`https://office.example/${body.name}`)
    const page = 'https://shop.example/p/7?a=b&from=flyer&cid=ID'
    await untilLeads(`/${body.name}`, `302 ${page}`)
    // What its visitor brings goes on as with the long link; what it carries wins.
    const brought = 'sub1=mine&sub3=seen&utm_source=fb&to=/elsewhere'
    expect(await leads(`/${body.name.toUpperCase()}/?${brought}`)).toBe(`302 ${page}&utm_source=fb`)
    expect(await leads(`/api/links/s/${body.name}`)).toBe(`302 ${page}`)

    const answer = await app.inject({
      url: `/${body.name}?${brought}`,
      headers: { 'user-agent': BROWSER },
    })
    const id = new URL(String(answer.headers.location)).searchParams.get('cid') ?? ''
    expect(makeClickIds(services.secret).read(id)).toMatchObject({ agentId, typeId })
    const stored = await db
      .selectFrom('clicks')
      .select(['agent_id', 'type_id', 'subs', 'uncounted'])
      .where('agent_id', '=', agentId)
      .execute()
    expect(stored).toEqual([
      { agent_id: agentId, type_id: typeId, subs: ['flyer', null, 'seen'], uncounted: null },
    ])
    const [listed] = await list(agent)
    expect(listed).toMatchObject({
      name: body.name,
      link: body.link,
      formerNames: [],
      siteId,
      typeId,
      agentId,
      sub1: 'flyer',
      to: '/p/7?a=b',
    })
    expect(listed).not.toHaveProperty('sub2')
  })

  test('stops and works with its link', async () => {
    expect.hasAssertions()
    const { agent, agentId } = world
    const { body } = await create(agent)
    await untilLeads(`/${body.name}`, '302 https://shop.example/join?from=&cid=ID')
    await changed((tx) =>
      tx.updateTable('agents').set({ active: false }).where('id', '=', agentId).execute(),
    )
    await untilLeads(`/${body.name}`, '410')
    await changed((tx) =>
      tx.updateTable('agents').set({ active: true }).where('id', '=', agentId).execute(),
    )
    await untilLeads(`/${body.name}`, '302 https://shop.example/join?from=&cid=ID')
  })

  test('of a deleted agent has the page of links that do not exist, and its name stays taken', async () => {
    const { agent, agentId, typeId, colleague } = world
    const name = newName()
    await create(agent, { name })
    await untilLeads(`/${name}`, '302 https://shop.example/join?from=&cid=ID')
    await changed(async (tx) => {
      await tx.deleteFrom('accounts').where('agent_id', '=', agentId).execute()
      await tx.deleteFrom('agents').where('id', '=', agentId).execute()
    })
    await untilLeads(`/${name}`, '404')
    expect(
      await db.selectFrom('short_links').selectAll().where('agent_id', '=', agentId).execute(),
    ).toEqual([])
    const again = await create(superadmin, { name, agentId: colleague, typeId })
    expect([again.status, again.body.data]).toEqual([422, TAKEN])
  })

  test('whose name nobody has is answered like a link that does not exist', async () => {
    const get = async (url: string) => {
      const { statusCode, body, headers } = await app.inject({
        url,
        headers: { host: 'go.example' },
      })
      return [statusCode, body, headers['cache-control'], headers['content-security-policy']]
    }
    const unknown = await get('/api/links/go/2000000000/1/1')
    expect(unknown[0]).toBe(404)
    for (const path of [
      '/nobody-has-it',
      '/bcdfghj',
      '/api/links/s/bcdfghj',
      '/api/links/s/x',
      '/api/links/s/login',
    ])
      expect([path, await get(path)]).toEqual([path, unknown])
  })

  test('is on disk for the next start, with the links', async () => {
    const name = newName()
    await create(world.agent, { name, sub5: 'kept' })
    const fact = {
      look: lookOf(name),
      site_id: world.siteId,
      type_id: world.typeId,
      agent_id: world.agentId,
      carries: { sub5: 'kept' },
    }
    await vi.waitFor(async () => {
      const kept = await readKeptLinks(dataDir)
      expect(kept?.shortLinks).toContainEqual(fact)
    }, 10_000)
  })
})

const TAKEN = { name: ['is already taken, or looks like one that is'] }

describe('a name', () => {
  test('leads on after another is given, is never given to another link, and can be taken again', async () => {
    const { agent, colleague } = world
    const [first, second] = [newName(), newName()]
    const { id } = (await create(agent, { name: first })).body
    expect((await rename(agent, id, second.toUpperCase())).body).toEqual({
      name: second,
      link: `https://office.example/${second}`,
    })
    expect(await list(agent)).toMatchObject([{ id, name: second, formerNames: [first] }])
    expect(await list(agent, { name: first })).toMatchObject([{ id }])
    for (const name of [first, second])
      await untilLeads(`/${name}`, '302 https://shop.example/join?from=&cid=ID')
    for (const name of [first, second])
      expect((await create(superadmin, { name, agentId: colleague })).body.data).toEqual(TAKEN)
    expect((await rename(agent, id, first)).status).toBe(200)
    expect(await list(agent)).toMatchObject([{ id, name: first, formerNames: [second] }])

    expect((await remove(agent, id)).body).toEqual({ ok: true })
    expect(await list(agent)).toEqual([])
    for (const name of [first, second]) {
      await untilLeads(`/${name}`, '404')
      expect((await create(agent, { name })).body.data).toEqual(TAKEN)
    }
    for (const again of [await rename(agent, id, newName()), await remove(agent, id)])
      expect(again.status).toBe(404)
  })

  test('that reads like another is refused, and leads there', async () => {
    const mark = ++names
    const name = `oil-0${mark}`
    const { id } = (await create(world.agent, { name })).body
    for (const alike of [`0i1-o${mark}`, `OLI-0${mark}`].map((one) => one.toLowerCase())) {
      expect((await create(world.agent, { name: alike })).body.data).toEqual(TAKEN)
      await untilLeads(`/${alike}`, '302 https://shop.example/join?from=&cid=ID')
    }
    const other = (await create(world.agent, { name: newName() })).body.id
    expect((await rename(world.agent, other, name)).body.data).toEqual(TAKEN)
    // Its own, however written, takes no further name.
    const alike = `0il-o${mark}`
    for (const own of [name, alike, alike, name, alike])
      expect((await rename(world.agent, id, own)).body.name).toBe(own)
    expect((await list(world.agent, { name })).map((one) => one.name)).toEqual([alike])
    expect(
      await db.selectFrom('short_names').select('name').where('link_id', '=', id).execute(),
    ).toEqual([{ name }])
  })

  test('is given once, whoever asks at the same moment', async () => {
    const mark = ++names
    const asked = [`1tem-${mark}`, `item-${mark}`, `ltem-${mark}`, `item-${mark}`]
    const answers = await Promise.all(
      asked.map((name, place) =>
        create(superadmin, { name, agentId: place % 2 ? world.colleague : world.agentId }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 422, 422, 422,
    ])
    const rows = await db
      .selectFrom('short_names')
      .select('name')
      .where('look', '=', `ltem-${mark}`.replaceAll(/[1i]/g, 'l').replaceAll('0', 'o'))
      .execute()
    expect(rows).toHaveLength(1)
  })

  test.each([
    ['abc', 'must have 4 to 32 letters a–z, digits and hyphens, without a hyphen at either end'],
    ['maría', 'must have 4 to 32 letters a–z, digits and hyphens, without a hyphen at either end'],
    ['-maria', 'must have 4 to 32 letters a–z, digits and hyphens, without a hyphen at either end'],
    ['login', 'is reserved for pages of the back office'],
    ['l0g1n', 'is reserved for pages of the back office'],
    [' ', 'Enter a name'],
  ])('%j is refused', async (name, message) => {
    const { status, body } = await create(world.agent, { name })
    expect([status, body.data]).toEqual([422, { name: [message] }])
  })

  test('an agent’s links have had 1,000 at most', async () => {
    const { agentId, agent, typeId } = world
    const { id } = (await create(agent)).body
    const { changed_in } = await db
      .selectFrom('short_names')
      .select(({ fn }) => fn.max('changed_in').as('changed_in'))
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: MOST_SHORT_NAMES - 2 }, (_, place) => ({
      look: `full-${place}-${agentId}`,
      name: `full-${place}-${agentId}`,
      link_id: id,
      changed_in: changed_in + 1,
    }))
    await db.insertInto('short_names').values(rows).execute()
    const last = await create(agent)
    expect(last.status).toBe(200)
    const full = {
      _form: [
        'An agent’s short links can have 1,000 names, with those of deleted links and former ones. All are used.',
      ],
    }
    await remove(agent, last.body.id)
    for (const refused of [await create(agent), await rename(agent, id, newName())])
      expect([refused.status, refused.body.data]).toEqual([422, full])
    expect((await create(superadmin, { agentId: world.colleague, typeId })).status).toBe(200)
  })
})

describe('who may', () => {
  test('agents for themselves, offices for their agents, staff for all', async () => {
    const { admin, office, agent, colleague } = world
    const stranger = await buildAgent(db, { office_id: await buildOffice(db) })
    const missing = await create(agent, { agentId: 2_000_000_000 })
    expect([missing.status, missing.body.message]).toEqual([404, notFoundText('agent')])
    expect(await create(agent, { agentId: colleague })).toEqual(missing)
    expect(await create(office, { agentId: stranger })).toEqual(missing)
    expect((await create(agent, { agentId: undefined })).status).toBe(200)
    for (const who of [office, admin, superadmin])
      expect((await create(who, { agentId: colleague })).status).toBe(200)
    const nobody = await create(admin, { agentId: undefined })
    expect(nobody.body.data).toEqual({ agentId: ['Choose an agent'] })

    const theirs = (await create(admin, { agentId: stranger })).body.id
    const ofColleague = (await create(admin, { agentId: colleague })).body.id
    const none = await rename(agent, 2_000_000_000, newName())
    expect([none.status, none.body.message]).toEqual([404, notFoundText('short link')])
    for (const [who, id] of [
      [agent, ofColleague],
      [agent, theirs],
      [office, theirs],
    ] as const) {
      expect(await rename(who, id, newName())).toEqual(none)
      expect(await remove(who, id)).toEqual(none)
    }
    const foreign = await call(agent, endpoints.shortLinks, { body: { agentId: colleague } })
    expect([foreign.status, foreign.body.message]).toEqual([404, notFoundText('agent')])
    expect((await rename(office, ofColleague, newName())).status).toBe(200)
    expect((await remove(admin, theirs)).status).toBe(200)
  })

  test('nobody makes one of a link that does not work, or that they cannot see', async () => {
    const { agent, office, siteId, typeId } = world
    const missing = await create(agent, { typeId: 2_000_000_000 })
    expect([missing.status, missing.body.message]).toEqual([404, notFoundText('link type')])
    const unsold = await buildSite(db)
    const foreign = await buildLinkType(db, { site_id: unsold })
    await db.deleteFrom('office_sites').where('site_id', '=', unsold).execute()
    for (const who of [agent, office])
      expect(await create(who, { typeId: foreign })).toEqual(missing)
    expect((await create(superadmin, { typeId: foreign })).body.data).toEqual({
      siteId: ['is not enabled for this agent’s office'],
    })
    await db.updateTable('link_types').set({ active: false }).where('id', '=', typeId).execute()
    expect((await create(agent)).body.data).toEqual({
      typeId: ['is suspended: its links do not work'],
    })
    await db.updateTable('sites').set({ active: false }).where('id', '=', siteId).execute()
    expect((await create(agent)).body.data).toEqual({
      siteId: ['is suspended: its links do not work'],
    })
  })
})

describe('what it carries', () => {
  test('a page is one of the link’s hosts, as the redirect judges it', async () => {
    for (const to of ['https://evil.example/', '//evil.example/p', String.raw`/\evil.example`])
      expect((await create(world.agent, { to })).body.data).toEqual({
        to: ['is no page of shop.example or m.example'],
      })
    const { name } = (await create(world.agent, { to: 'https://M.example/p' })).body
    await untilLeads(`/${name}`, '302 https://m.example/p?from=&cid=ID')
  })

  test('no page and no link type of ours is a short link: its visitors would go in a circle', async () => {
    const { siteId } = world
    const own = await buildLinkType(db, { site_id: siteId, url: 'https://office.example/' })
    expect((await create(superadmin, { typeId: own, to: '/any-name' })).body.data).toEqual({
      to: ['is one of your own links. Enter the page that it leads to'],
    })
    const made = await call(superadmin, linkTypesEndpoints.createLinkType, {
      body: {
        siteId,
        typename: 'Round',
        typealias: 'round',
        url: 'https://office.example/any-name?a={sub1}',
        payout: 1,
        earning: 1,
        active: true,
      },
    })
    expect(made.body.data).toEqual({
      url: ['is one of your own tracked links. Enter the page that it leads to'],
    })
  })

  test('lists find what carries exactly the same', async () => {
    const { agent } = world
    const plain = (await create(agent)).body.id
    const flyer = (await create(agent, { sub1: 'flyer', to: '/p' })).body.id
    const ids = async (body: object) => (await list(agent, body)).map(({ id }) => id)
    expect(await ids({})).toEqual([flyer, plain])
    expect(await ids({ carries: { to: '/p', sub1: 'flyer' } })).toEqual([flyer])
    expect(await ids({ carries: { sub1: 'flyer' } })).toEqual([])
    expect(await ids({ carries: {} })).toEqual([plain])
    expect(await ids({ typeId: 2_000_000_000 })).toEqual([])
    expect(await ids({ page: 2, pageSize: 1 })).toEqual([plain])
  })
})

test('staff find the link of a name in any spelling, also a former one and that of a deleted link', async () => {
  const name = `found-${world.agentId}`
  const { id } = (await create(world.agent, { name, sub1: 'flyer' })).body
  await rename(world.agent, id, `later-${world.agentId}`)
  const named = (who: Viewer, asked: string) =>
    call(who, endpoints.namedShortLink, { params: { name: asked } })
  const found = {
    id,
    name: `later-${world.agentId}`,
    agentId: world.agentId,
    siteId: world.siteId,
    typeId: world.typeId,
    typename: expect.any(String),
    sub1: 'flyer',
    deletedAt: null,
  }
  for (const asked of [name, name.toUpperCase().replace('O', '0'), found.name])
    expect((await named(world.admin, asked)).body).toEqual(found)
  await remove(world.agent, id)
  expect((await named(world.admin, name)).body).toEqual({ ...found, deletedAt: expect.any(String) })
  const none = await named(world.admin, 'nobody-has-it')
  expect([none.status, none.body.message]).toEqual([404, notFoundText('short link')])
  expect((await named(world.office, name)).status).toBe(403)
})
