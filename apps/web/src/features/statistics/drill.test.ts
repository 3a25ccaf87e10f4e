import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { expect, test } from 'vitest'
import { backSearch, drillInto, drillSearch, readTrail } from './drill.ts'
import { criteriaOf, siteStatsSearchSchema, type SiteStatsCriteria } from './site-stats-search.ts'

const admin: AbilityHolder = { role: 'admin', permissions: [] }
const office: AbilityHolder = { role: 'company', permissions: [] }
const agent: AbilityHolder = { role: 'agent', permissions: [] }

const november: SiteStatsCriteria = {
  groupBy: 'date',
  siteId: 3,
  start: '2026-11-01',
  end: '2026-11-21',
}

test('a date leads to the offices of that single day, and keeps the other filters', () => {
  expect(drillInto(november, { date: '2026-11-20' }, admin)).toEqual({
    groupBy: 'company',
    siteId: 3,
    start: '2026-11-20',
    end: '2026-11-20',
  })
})

test('a date leads to the nearest view that the viewer has', () => {
  expect(drillInto(november, { date: '2026-11-20' }, office)?.groupBy).toBe('agent')
  expect(drillInto(november, { date: '2026-11-20' }, agent)?.groupBy).toBe('detail')
})

test('an office leads to its agents, an agent to its detail', () => {
  const offices: SiteStatsCriteria = { ...november, groupBy: 'company' }
  const agents = drillInto(offices, { companyId: 7 }, admin)
  expect(agents).toEqual({ ...november, groupBy: 'agent', companyId: 7 })
  expect(agents && drillInto(agents, { agentId: 40 }, admin)).toEqual({
    ...november,
    groupBy: 'detail',
    companyId: 7,
    agentId: 40,
  })
})

test('a cell that leads to what is on screen leads nowhere', () => {
  const detail: SiteStatsCriteria = { ...november, groupBy: 'detail', agentId: 40 }
  expect(drillInto(detail, { agentId: 40 }, admin)).toBeUndefined()
})

test('the way drilled can be read back from the URL', () => {
  const offices: SiteStatsCriteria = { ...november, groupBy: 'company' }
  const agents: SiteStatsCriteria = { ...offices, groupBy: 'agent', companyId: 7 }
  const url = drillSearch({ ...agents, groupBy: 'detail', agentId: 40 }, agents, [offices])
  const search = siteStatsSearchSchema.parse(url)
  const criteria = criteriaOf(search, admin)
  expect(readTrail(search.trail, criteria)).toEqual([offices, agents])
})

test('drilling into a view that was passed goes back to it', () => {
  const offices: SiteStatsCriteria = { ...november, groupBy: 'company' }
  const agents: SiteStatsCriteria = { ...offices, groupBy: 'agent', companyId: 7 }
  const detail: SiteStatsCriteria = { ...agents, groupBy: 'detail' }
  expect(drillSearch(agents, detail, [offices, agents])).toEqual(backSearch(agents, [offices]))
})

test('what is no step of a way is left out', () => {
  expect(readTrail('', november)).toEqual([])
  expect(readTrail('nonsense_date.2026-02-30.2026-03-01.._date..', november)).toEqual([])
  expect(readTrail('agent.2026-11-01.2026-11-02.7x.40', november)).toEqual([
    { ...november, groupBy: 'agent', start: '2026-11-01', end: '2026-11-02', agentId: 40 },
  ])
})
