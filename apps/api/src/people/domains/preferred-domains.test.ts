import { preferredDomainsEndpoints as endpoints } from '@tallyroom/contract/people/domains'
import { beforeEach, expect, test } from 'vitest'
import { buildDomain, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import type { ChangeWatch } from '../../db/changes.ts'
import { keepDomainRoots } from './domain-roots.ts'
import { preferredDomainsRoutes } from './preferred-domains.routes.ts'

const services = testServices(await testDatabase())
const { db } = services
const call = await callRoutes(preferredDomainsRoutes(services))
const superadmin = viewer()
const admin = viewer({ role: 'admin', officeId: undefined, agentId: undefined })

beforeEach(async () => {
  await db.updateTable('offices').set({ preferred_domain_id: null }).execute()
  await db.deleteFrom('preferred_domains').execute()
})

test('the list names the offices of each domain', async () => {
  const a = await buildDomain(db, { domain: 'https://a.example', description: 'Zeta' })
  const b = await buildDomain(db, { domain: 'https://b.example', description: 'eta', hidden: true })
  await buildOffice(db, { name: 'zamboanga', preferred_domain_id: a })
  await buildOffice(db, { name: 'Baguio, North', preferred_domain_id: a })
  const first = { id: a, domain: 'https://a.example', description: 'Zeta', hidden: false }
  const second = { id: b, domain: 'https://b.example', description: 'eta', hidden: true }

  expect((await list()).body).toEqual([
    { ...first, companies: ['Baguio, North', 'zamboanga'] },
    { ...second, companies: [] },
  ])
  expect((await call(superadmin, endpoints.preferredDomains)).body).toEqual([first, second])
  expect((await call(superadmin, endpoints.preferredDomainsWithCompanyName)).body).toEqual([
    { ...first, companyName: 'Baguio, North, zamboanga' },
    { ...second, companyName: '' },
  ])
  const ids = async (query: Record<string, string>) =>
    (await list(query)).body.map(({ id }: { id: number }) => id)
  expect(await ids({ sortAsc: 'false' })).toEqual([b, a])
  expect(await ids({ sortField: 'status' })).toEqual([a, b])
  expect(await ids({ sortField: 'description' })).toEqual([b, a])
})

test('forms offer the active domains, the oldest first', async () => {
  await buildDomain(db, { domain: 'https://hidden.example', hidden: true })
  const z = await buildDomain(db, { domain: 'https://z.example' })
  const a = await buildDomain(db, { domain: 'https://a.example' })
  expect((await call(admin, endpoints.preferredDomainsList)).body).toEqual([
    { id: z, domain: 'https://z.example' },
    { id: a, domain: 'https://a.example' },
  ])
})

test('a domain is stored as an origin and is unique', async () => {
  const { status, body } = await create({ domain: ' HTTPS://Go.Example.com:443/ ' })
  expect(status).toBe(200)
  expect(await form(body.id)).toEqual({
    id: body.id,
    domain: 'https://go.example.com',
    description: '',
    hidden: false,
    rootUrl: '',
    version: 1,
  })
  const again = await create({ domain: 'https://go.example.com' })
  expect([again.status, again.body.data]).toEqual([422, { domain: ['is already listed'] }])
  const other = (await create({ domain: 'https://other.example' })).body.id
  const taken = await update(other, { domain: 'https://GO.example.com/' })
  expect([taken.status, taken.body.data]).toEqual([422, { domain: ['is already listed'] }])
})

test.each([
  [{ domain: '' }, 'domain'],
  [{ domain: 'https://' }, 'domain'],
  [{ domain: 'go.example.com' }, 'domain'],
  [{ domain: 'javascript:alert(1)' }, 'domain'],
  [{ domain: 'https://go.example.com/path' }, 'domain'],
  [{ domain: 'https://user:pw@go.example.com' }, 'domain'],
  [{ domain: 'https://ok.example', description: 'x'.repeat(1001) }, 'description'],
  [{ domain: 'https://ok.example', rootUrl: 'www.example.com' }, 'rootUrl'],
  [{ domain: 'https://ok.example', rootUrl: 'javascript:alert(1)' }, 'rootUrl'],
  [{ domain: 'https://ok.example', rootUrl: 'https:www.example.com' }, 'rootUrl'],
  [{ domain: 'https://ok.example', rootUrl: 'https://me:pw@www.example.com' }, 'rootUrl'],
  [{ domain: 'https://ok.example', rootUrl: 'https://OK.example/loop' }, 'rootUrl'],
  [{ domain: 'https://ok.example', rootUrl: 'https://ok.example./loop' }, 'rootUrl'],
  [{ domain: 'https://ok.example.', rootUrl: 'https://ok.example/loop' }, 'rootUrl'],
])('%o is refused', async (values, field) => {
  const { status, body } = await create(values)
  expect([status, Object.keys(body.data)]).toEqual([422, [field]])
  expect(await db.selectFrom('preferred_domains').selectAll().execute()).toEqual([])
})

test('a domain keeps where its root redirects to, until the form empties it', async () => {
  const rootUrl = 'https://www.example.com/offers?from=links'
  const { id } = (await create({ domain: 'https://go.example.com', rootUrl })).body
  await update(id, { domain: 'https://go.example.com', version: 1, description: 'new' })
  expect(await form(id)).toMatchObject({ rootUrl, description: 'new' })
  const loop = await update(id, { domain: 'https://www.example.com' })
  expect([loop.status, Object.keys(loop.body.data)]).toEqual([422, ['rootUrl']])
  await update(id, { domain: 'https://go.example.com', rootUrl: ' ' })
  expect((await form(id)).rootUrl).toBe('')
})

test('no domain leads back to itself through others, whether it is added, changed or renamed', async () => {
  const root = (of: string) => ({ domain: `https://${of}.example` })
  const add = async (of: string, to: string) =>
    (await create({ ...root(of), rootUrl: `https://${to}/` })).body.id as number
  const a = await add('a', 'b.example')
  const loop = await create({ ...root('b'), rootUrl: 'http://A.example:80' })
  expect([loop.status, loop.body.data]).toEqual([
    422,
    {
      rootUrl: [
        'leads back to this domain: b.example → a.example → b.example. Choose an address elsewhere',
      ],
    },
  ])
  const b = await add('b', 'c.example')
  const c = await add('c', 'www.example.com')
  const to = async (id: number, values: object) => (await update(id, values)).status
  expect(await to(c, { ...root('c'), rootUrl: 'https://a.example?from=c' })).toBe(422)
  expect(await to(c, { domain: 'https://www.example.com', rootUrl: 'https://a.example' })).toBe(200)
  expect(await to(b, { ...root('b'), rootUrl: 'https://www.example.com' })).toBe(422)
  expect(await to(c, { ...root('c'), rootUrl: 'https://a.example' })).toBe(422)
  // A path beyond the root is a page, which ends the way.
  expect(await to(c, { ...root('c'), rootUrl: 'https://a.example/page' })).toBe(200)
  expect((await form(a)).rootUrl).toBe('https://b.example/')
})

test('of two concurrent requests that would make two domains lead to each other, one is refused', async () => {
  const a = await buildDomain(db, { domain: 'https://a.example' })
  const b = await buildDomain(db, { domain: 'https://b.example' })
  const answers = await Promise.all([
    update(a, { domain: 'https://a.example', rootUrl: 'https://b.example' }),
    update(b, { domain: 'https://b.example', rootUrl: 'https://a.example' }),
  ])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
})

test('domains that already lead to each other show the brand’s page; others redirect', async () => {
  for (const [domain, root_url] of [
    ['a', 'https://b.example'],
    ['b', 'https://a.example'],
    ['c', 'https://a.example'],
    // Stored before this was refused: a browser would stay on the domain.
    ['d', 'https:www.example.com/offers'],
  ] as const)
    await buildDomain(db, { domain: `https://${domain}.example`, root_url })
  const loading: Promise<void>[] = []
  const keepFresh: ChangeWatch['keepFresh'] = (_, reload) => {
    loading.push(reload())
  }
  const roots = keepDomainRoots(db, { keepFresh })
  await Promise.all(loading)
  expect(['a', 'b', 'c', 'd'].map((name) => roots.rootOf(`${name}.example`))).toEqual([
    undefined,
    undefined,
    'https://a.example/',
    'https://www.example.com/offers',
  ])
})

test('saving a stale form is refused, even if only the status has changed', async () => {
  await buildDomain(db)
  const id = await buildDomain(db)
  expect((await update(id, { version: 1, description: 'mine' })).status).toBe(200)
  expect((await update(id, { version: 1, description: 'theirs' })).status).toBe(409)
  expect((await setHidden([id], true)).status).toBe(200)
  expect((await update(id, { version: 2, description: 'theirs' })).status).toBe(409)
  expect(await form(id)).toMatchObject({ description: 'mine', hidden: true, version: 3 })
})

test('the last active domain cannot be hidden', async () => {
  const one = await buildDomain(db, { domain: 'https://one.example' })
  const two = await buildDomain(db)
  const all = await setHidden([one, two], true)
  expect([all.status, all.body.message]).toEqual([409, 'Need at least one active domain'])
  expect((await setHidden([two], true)).status).toBe(200)
  expect((await setHidden([one], true)).status).toBe(409)
  const byForm = await update(one, { domain: 'https://one.example', hidden: true })
  expect([byForm.status, byForm.body.data]).toEqual([
    422,
    { hidden: ['Need at least one active domain'] },
  ])
  expect(await active()).toEqual([one])

  await setHidden([two], false)
  expect((await setHidden([one], true)).status).toBe(200)
  expect(await active()).toEqual([two])
})

test('of two concurrent requests that hide the last two domains, one is refused', async () => {
  for (let round = 0; round < 10; round++) {
    await db.deleteFrom('preferred_domains').execute()
    const one = await buildDomain(db, { domain: 'https://one.example' })
    const two = await buildDomain(db)
    const answers = await Promise.all([
      setHidden([one], true),
      round % 2 ? setHidden([two], true) : update(two, { hidden: true }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await active()).toHaveLength(1)
  }
})

test('a request that includes a missing domain changes nothing', async () => {
  const id = await buildDomain(db, { hidden: true })
  expect((await setHidden([id, 2_000_000_000], false)).status).toBe(404)
  expect((await update(2_000_000_000, {})).status).toBe(404)
  expect(await active()).toEqual([])
})

test('admins may choose a domain but not manage domains', async () => {
  const id = await buildDomain(db)
  for (const [endpoint, input] of [
    [endpoints.preferredDomainsWithCompanies, {}],
    [endpoints.preferredDomain, { params: { id } }],
    [endpoints.createPreferredDomain, { body: { domain: 'https://mine.example' } }],
    [endpoints.updatePreferredDomain, { params: { id }, body: { domain: 'https://mine.example' } }],
    [endpoints.preferredDomainsStatus, { body: { ids: [id], hidden: true } }],
  ] as const) {
    expect((await call(admin, endpoint, input)).status).toBe(403)
  }
})

const list = (query?: Record<string, string>) =>
  call(superadmin, endpoints.preferredDomainsWithCompanies, query && { query })

const create = (body: object) => call(superadmin, endpoints.createPreferredDomain, { body })

const update = (id: number, values: object) =>
  call(superadmin, endpoints.updatePreferredDomain, {
    params: { id },
    body: { domain: `https://renamed-${id}.example`, ...values },
  })

const setHidden = (ids: number[], hidden: boolean) =>
  call(superadmin, endpoints.preferredDomainsStatus, { body: { ids, hidden } })

const form = async (id: number) =>
  (await call(superadmin, endpoints.preferredDomain, { params: { id } })).body

const active = async () => {
  const rows = await db
    .selectFrom('preferred_domains')
    .select('id')
    .where('hidden', '=', false)
    .execute()
  return rows.map(({ id }) => id)
}
