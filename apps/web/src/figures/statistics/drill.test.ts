import { criteriaOf, type StatsCriteria } from '@tallyroom/contract/figures/stats-table'
import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { expect, test } from 'vitest'
import { backSearch, drillInto, drillSearch, readTrail } from './drill.tsx'
import { payrollAvpReport, sitesReport, statsSearchSchema } from './stats-search.ts'

const admin: AbilityHolder = { role: 'admin', permissions: [] }
const office: AbilityHolder = { role: 'company', permissions: [] }
const agent: AbilityHolder = { role: 'agent', permissions: [] }

const november: StatsCriteria = {
  groupBy: 'date',
  siteId: 3,
  start: '2026-11-01',
  end: '2026-11-21',
}

test('a date leads to the offices of that single day, and keeps the other filters', () => {
  expect(drillInto(november, 'date', { date: '2026-11-20' }, sitesReport, admin)).toEqual({
    groupBy: 'company',
    siteId: 3,
    start: '2026-11-20',
    end: '2026-11-20',
  })
})

test('a date leads to the nearest view that the viewer has', () => {
  expect(drillInto(november, 'date', { date: '2026-11-20' }, sitesReport, office)?.groupBy).toBe(
    'agent',
  )
  expect(drillInto(november, 'date', { date: '2026-11-20' }, sitesReport, agent)?.groupBy).toBe(
    'detail',
  )
})

test('an office leads to its agents, an agent to its detail', () => {
  const offices: StatsCriteria = { ...november, groupBy: 'company' }
  const agents = drillInto(offices, 'officeName', { companyId: 7 }, sitesReport, admin)
  expect(agents).toEqual({ ...november, groupBy: 'agent', companyId: 7 })
  expect(agents && drillInto(agents, 'agent', { agentId: 40 }, sitesReport, admin)).toEqual({
    ...november,
    groupBy: 'detail',
    companyId: 7,
    agentId: 40,
  })
})

test('a cell that leads to the view on screen is not a link', () => {
  const detail: StatsCriteria = { ...november, groupBy: 'detail', agentId: 40 }
  expect(drillInto(detail, 'agent', { agentId: 40 }, sitesReport, admin)).toBeUndefined()
})

test('the path drilled can be read back from the URL', () => {
  const offices: StatsCriteria = { ...november, groupBy: 'company' }
  const agents: StatsCriteria = { ...offices, groupBy: 'agent', companyId: 7 }
  const url = drillSearch(
    { ...agents, groupBy: 'detail', agentId: 40 },
    agents,
    [offices],
    sitesReport,
  )
  const search = statsSearchSchema.parse(url)
  const criteria = criteriaOf(search, sitesReport, admin)
  expect(readTrail(search.trail, criteria)).toEqual([offices, agents])
})

test('drilling into a view that was passed goes back to it', () => {
  const offices: StatsCriteria = { ...november, groupBy: 'company' }
  const agents: StatsCriteria = { ...offices, groupBy: 'agent', companyId: 7 }
  const detail: StatsCriteria = { ...agents, groupBy: 'detail' }
  expect(drillSearch(agents, detail, [offices, agents], sitesReport)).toEqual(
    backSearch(agents, [offices], sitesReport),
  )
})

test('invalid steps are dropped', () => {
  expect(readTrail('', november)).toEqual([])
  expect(readTrail('nonsense_date.2026-02-30.2026-03-01.._date..', november)).toEqual([])
  expect(readTrail('agent.2026-11-01.2026-11-02.7x.40', november)).toEqual([
    { ...november, groupBy: 'agent', start: '2026-11-01', end: '2026-11-02', agentId: 40 },
  ])
})

test('in AVP reports a date leads nowhere; an office and an agent lead where they always do', () => {
  const week: StatsCriteria = { groupBy: 'detail', start: '2026-11-09', end: '2026-11-15', avp: 2 }
  expect(drillInto(week, 'date', { date: '2026-11-10' }, payrollAvpReport, admin)).toBeUndefined()
  expect(drillInto(week, 'officeName', { companyId: 7 }, payrollAvpReport, admin)).toEqual({
    ...week,
    groupBy: 'agent',
    companyId: 7,
  })
})

test.each([
  ['date', { date: '2026-11-02' }, admin, 'company'],
  ['date', { date: '2026-11-02' }, office, 'agent'],
  ['date', { date: '2026-11-02' }, agent, 'detail'],
  ['officeName', { companyId: 7 }, admin, 'agent'],
  ['agent', { agentId: 40 }, admin, 'detail'],
  ['agent', { agentId: 40 }, office, 'detail'],
] as const)('the %s cell of %o leads %o to the view by %s', (column, row, viewer, view) => {
  expect(drillInto(november, column, row, sitesReport, viewer)?.groupBy).toBe(view)
})

test('a path keeps its last eight steps, in order, and survives the URL', () => {
  const steps = Array.from({ length: 12 }, (_, n): StatsCriteria => ({
    ...november,
    groupBy: 'agent',
    companyId: n + 1,
    agentId: undefined,
  }))
  const [target, from, ...trail] = steps.toReversed()
  const url = drillSearch(target!, from!, trail.toReversed(), sitesReport)
  const search = statsSearchSchema.parse(url)
  const read = readTrail(search.trail, criteriaOf(search, sitesReport, admin))
  expect(read.map(({ companyId }) => companyId)).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
})

test.each([
  ['agent.2026-11-01.2026-11-02.7.0', undefined],
  ['agent.2026-11-01.2026-11-02.7.-1', undefined],
  ['agent.2026-11-01.2026-11-02.7.12345678901', undefined],
  ['agent.2026-11-01.2026-11-02.7.40.and.more', 40],
])('an id in a path is a positive whole number: %s', (text, agentId) => {
  expect(readTrail(text, november)).toMatchObject([{ companyId: 7, agentId }])
})

test('a link type leads to its agents, or to detail for viewers who see no others; a site to its link types', () => {
  const types: StatsCriteria = { groupBy: 'type', start: '2026-11-01', end: '2026-11-21' }
  const chosen = { siteId: 3, typeId: 12 }
  expect(drillInto(types, 'typename', chosen, sitesReport, admin)).toEqual({
    ...types,
    ...chosen,
    groupBy: 'agent',
  })
  expect(drillInto(types, 'typename', chosen, sitesReport, agent)?.groupBy).toBe('detail')
  expect(drillInto(types, 'sitename', { siteId: 3 }, sitesReport, admin)).toEqual({
    ...types,
    siteId: 3,
  })
  expect(
    drillInto({ ...types, siteId: 3 }, 'sitename', { siteId: 3 }, sitesReport, admin),
  ).toBeUndefined()
})

test('a path that begins at all sites leads back to all sites', () => {
  const types: StatsCriteria = { groupBy: 'type', start: '2026-11-01', end: '2026-11-21' }
  const agents: StatsCriteria = { ...types, groupBy: 'agent', siteId: 3, typeId: 12 }
  const search = statsSearchSchema.parse(drillSearch(agents, types, [], sitesReport))
  expect(readTrail(search.trail, criteriaOf(search, sitesReport, admin))).toEqual([types])
})

test('a sub id leads to its detail, and the way there and back keeps any text', () => {
  const from = { groupBy: 'sub1' as const, start: '2026-11-16', end: '2026-11-22', agentId: 40 }
  const row = { subRow: 'value' as const, subId: 'a.b_c %2E é' }
  const target = drillInto(from, 'subId', row, sitesReport, admin)
  expect(target).toEqual({ ...from, groupBy: 'detail', sub: 'sub1', subId: row.subId })
  const way = [from, { ...target!, groupBy: 'agent' as const }]
  const { trail } = drillSearch({ ...target!, agentId: 41 }, way[1]!, [from], sitesReport)
  expect(readTrail(trail, from)).toMatchObject(way)
  expect(drillInto(from, 'subId', { subRow: 'others' }, sitesReport, admin)).toBeUndefined()
})
