import { fc, test as property } from '@fast-check/vitest'
import { TOP_ROWS, topAgentsEndpoints, type Top10Row } from '@tallyroom/contract/figures/top-agents'
import { addDays } from '@tallyroom/domain/new-york'
import { expect, test } from 'vitest'
import { addToTotals } from '../../../test/add-to-totals.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { foldTotals, LEVELS } from '../../totals/index.ts'
import { topAgentsRoutes } from './top-agents.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
services.clock.set('2026-03-18T15:00:00Z') // a Wednesday: the week is the 16th to the 22nd
const call = await callRoutes(topAgentsRoutes(services))
const { top10, top10Computed } = topAgentsEndpoints

const manila = await buildOffice(db, { name: 'Manila' })
const cebu = await buildOffice(db, { name: 'Cebu' })
const shadow = await buildOffice(db, { name: 'Shadow', hidden: true })
const named = (first_name: string, last_name: string) => ({ first_name, last_name })
const maria = await buildAgent(db, {
  office_id: manila,
  username: 'maria',
  ...named('Maria', 'Cruz'),
})
const noel = await buildAgent(db, {
  office_id: manila,
  username: 'Noel',
  ...named('Noel', ''),
  active: false,
})
const carlo = await buildAgent(db, { office_id: cebu, username: 'carlo', ...named('Carlo', 'Uy') })
const ghost = await buildAgent(db, { office_id: manila, username: 'ghost', hidden: true })
const shade = await buildAgent(db, { office_id: shadow, username: 'shade' })
const alpha = await buildSite(db, { sitename: 'Alpha' })
const beta = await buildSite(db, { sitename: 'Beta' })
const free = await buildLinkType(db, { site_id: alpha })
const paid = await buildLinkType(db, { site_id: beta })
await db
  .deleteFrom('office_sites')
  .where('office_id', '=', cebu)
  .where('site_id', '=', alpha)
  .execute()

const people = { maria, noel, carlo, ghost, shade }
const offices = { manila, cebu, shadow }
const sold = (
  day: string,
  agent: keyof typeof people,
  office: keyof typeof offices,
  sales: number,
  site: 'alpha' | 'beta' = 'beta',
) => ({
  day,
  agent_id: people[agent],
  office_id: offices[office],
  site_id: site === 'alpha' ? alpha : beta,
  type_id: site === 'alpha' ? free : paid,
  sales,
})

await addToTotals(db, [
  sold('2026-03-16', 'maria', 'manila', 3),
  sold('2026-03-17', 'maria', 'manila', 1, 'alpha'),
  sold('2026-03-18', 'noel', 'manila', 4),
  sold('2026-03-16', 'carlo', 'cebu', 7),
  sold('2026-03-17', 'carlo', 'cebu', -1), // a reversal
  sold('2026-03-16', 'ghost', 'manila', 50),
  sold('2026-03-16', 'shade', 'shadow', 60),
  // The Sunday before, when carlo still worked for Manila.
  sold('2026-03-15', 'carlo', 'manila', 10),
])

const week = { start: '2026-03-16', end: '2026-03-22' }
const eightDays = { start: '2026-03-15', end: '2026-03-22' }

const nobody = { officeId: undefined, agentId: undefined }
const superadmin = viewer(undefined, ['SHOW_SUSPEND'])
const admin = viewer({ role: 'admin', ...nobody })
const manilaOffice = viewer({ role: 'company', officeId: manila, agentId: undefined })
const mariaHerself = viewer({ role: 'agent', officeId: manila, agentId: maria })

const top = async (who: typeof superadmin, body: object): Promise<Top10Row[]> =>
  (await call(who, top10, { body })).body as Top10Row[] // parsed by the same schema

test('for up to seven days, agents are ranked, with office and name for a superadmin; hidden ones are left out', async () => {
  expect(await top(superadmin, week)).toEqual([
    {
      office: 'Cebu',
      companyId: cebu,
      agent: 'carlo',
      agentName: 'Carlo Uy',
      agentId: carlo,
      sales: 6,
    },
    // Equally many: maria joined first.
    {
      office: 'Manila',
      companyId: manila,
      agent: 'maria',
      agentName: 'Maria Cruz',
      agentId: maria,
      sales: 4,
    },
    {
      office: 'Manila',
      companyId: manila,
      agent: 'Noel',
      agentName: 'Noel',
      agentId: noel,
      sales: 4,
    },
  ])
})

test('from eight days on, offices are ranked by sales made for them, including those of hidden agents', async () => {
  expect(await top(superadmin, eightDays)).toEqual([
    { office: 'Manila', companyId: manila, sales: 68 },
    { office: 'Cebu', companyId: cebu, sales: 6 },
  ])
})

test('the grouping can be requested; office means company', async () => {
  expect(
    (await top(superadmin, { ...week, groupBy: 'office' })).map(({ office }) => office),
  ).toEqual(['Manila', 'Cebu'])
  expect(
    (await top(superadmin, { ...eightDays, groupBy: 'agent' })).map(({ office, agent, sales }) => [
      office,
      agent,
      sales,
    ]),
  ).toEqual([
    ['Cebu', 'carlo', 16],
    ['Manila', 'maria', 4],
    ['Manila', 'Noel', 4],
  ])
})

test('an office sees the whole network ranked, but no offices by name, and only its own agents in full', async () => {
  expect(await top(manilaOffice, week)).toEqual([
    { agent: 'carlo', sales: 6 },
    { agent: 'maria', agentName: 'Maria Cruz', agentId: maria, sales: 4 },
    { agent: 'Noel', agentName: 'Noel', agentId: noel, sales: 4 },
  ])
  expect(await top(manilaOffice, eightDays)).toEqual([
    { office: 'Manila', companyId: manila, sales: 68 },
    { sales: 6 },
  ])
})

test('an admin who may not see suspended accounts does not see their full names', async () => {
  expect((await top(admin, week)).map(({ agentName }) => agentName)).toEqual([
    'Carlo Uy',
    'Maria Cruz',
    undefined,
  ])
})

test('one site, or several; none means all', async () => {
  const agents = async (siteIds: number[] | null) =>
    (await top(superadmin, { ...week, siteIds })).map(({ agent, sales }) => [agent, sales])

  expect(await agents([alpha])).toEqual([['maria', 1]])
  expect(await agents([beta])).toEqual([
    ['carlo', 6],
    ['Noel', 4],
    ['maria', 3],
  ])
  expect(await agents([alpha, beta, beta])).toEqual(await agents([]))
  expect(await agents(null)).toHaveLength(3)
})

test.each([
  ['does not exist', () => viewer(), 999_999],
  [
    'the office has never sold',
    () => viewer({ role: 'company', officeId: cebu, agentId: undefined }),
    alpha,
  ],
])('a site that %s is refused', async (_what, who, siteId) => {
  expect(await call(who(), top10, { body: { ...week, siteIds: [siteId] } })).toMatchObject({
    status: 422,
    body: { data: { siteIds: ['This site no longer exists. Choose another one'] } },
  })
})

test.each([
  ['days the wrong way round', { start: '2026-03-22', end: '2026-03-16' }, 'start'],
  ['a day that is none', { start: '2026-02-30', end: '2026-03-16' }, 'start'],
  ['the end of all days', { start: '2026-03-01', end: '9999-12-31' }, 'end'],
  ['another grouping', { ...week, groupBy: 'date' }, 'groupBy'],
  ['a field that is none', { ...week, agentId: 1 }, undefined],
])('%s are refused', async (_what, body, field) => {
  const answer = await call(superadmin, top10, { body })
  expect(answer.status).toBe(422)
  if (field) expect(Object.keys((answer.body as { data: object }).data)).toEqual([field])
})

test('an agent can’t choose periods, but sees the boards of the dashboard: names without offices', async () => {
  expect((await call(mariaHerself, top10, { body: week })).status).toBe(403)
  expect((await call(mariaHerself, top10Computed, { body: {} })).body).toEqual([
    { agent: 'carlo', sales: 6 },
    { agent: 'maria', agentName: 'Maria Cruz', agentId: maria, sales: 4 },
    { agent: 'Noel', sales: 4 },
  ])
  expect((await call(mariaHerself, top10Computed, { body: { period: 'allTime' } })).body).toEqual([
    { agent: 'carlo', sales: 16 },
    { agent: 'maria', agentName: 'Maria Cruz', agentId: maria, sales: 4 },
    { agent: 'Noel', sales: 4 },
  ])
})

// Twelve agents, some of them hidden, make sales for offices that may not be their own.
const crowd = await Promise.all(
  Array.from({ length: 12 }, (_, index) =>
    buildAgent(db, {
      office_id: [manila, cebu, shadow][index % 3]!,
      username: `a${index}`,
      hidden: index % 5 === 4,
    }),
  ),
)
const isOut = (agentId: number) =>
  crowd.indexOf(agentId) % 5 === 4 || crowd.indexOf(agentId) % 3 === 2

const history = fc.array(
  fc.record({
    day: fc.integer({ min: 0, max: 130 }).map((days) => addDays('2030-01-20', days)),
    agent_id: fc.constantFrom(...crowd),
    office_id: fc.constantFrom(manila, cebu, shadow),
    what: fc.constantFrom({ site_id: alpha, type_id: free }, { site_id: beta, type_id: paid }),
    sales: fc.integer({ min: -1, max: 3 }),
  }),
  { minLength: 1, maxLength: 60 },
)
const question = fc.record({
  from: fc.nat(120),
  days: fc.integer({ min: 1, max: 100 }),
  siteIds: fc.constantFrom([], [alpha], [alpha, beta]),
  groupBy: fc.constantFrom('agent' as const, 'company' as const),
})

property.prop([history, fc.array(question, { minLength: 6, maxLength: 6 })], { numRuns: 12 })(
  'the board is the first ten of a naive recount, whichever levels answer it',
  async (events, questions) => {
    services.clock.set('2030-06-25T12:00:00Z') // within some ranges
    await db.deleteFrom('totals_open_day').execute()
    for (const { table } of LEVELS) {
      await db.deleteFrom(table).where('day', '>=', '2030-01-01').execute()
    }
    const deltas = events.map(({ what, ...event }) => ({ ...event, ...what }))
    await addToTotals(db, deltas.slice(0, 20))
    await foldTotals(db)
    await addToTotals(db, deltas.slice(20))

    for (const { from, days, siteIds, groupBy } of questions) {
      const start = addDays('2030-01-20', from)
      const end = addDays(start, days - 1)
      const counts = new Map<number, number>()
      for (const event of deltas) {
        const key = groupBy === 'agent' ? event.agent_id : event.office_id
        const isIn =
          event.day >= start &&
          event.day <= end &&
          (siteIds.length === 0 || siteIds.includes(event.site_id)) &&
          (groupBy === 'agent' ? !isOut(key) : key !== shadow)
        if (isIn) counts.set(key, (counts.get(key) ?? 0) + event.sales)
      }
      const expected = [...counts]
        .filter(([, sales]) => sales > 0)
        .toSorted(([a, salesOfA], [b, salesOfB]) => salesOfB - salesOfA || a - b)
        .slice(0, TOP_ROWS)
        .map(([key, sales]) => [nameOf(groupBy, key), sales])

      const rows = await top(superadmin, { start, end, siteIds, groupBy })
      expect(rows.map(({ agent, office, sales }) => [agent ?? office, sales])).toEqual(expected)
    }
  },
  60_000,
)

const nameOf = (groupBy: 'agent' | 'company', key: number) =>
  groupBy === 'agent' ? `a${crowd.indexOf(key)}` : key === manila ? 'Manila' : 'Cebu'
