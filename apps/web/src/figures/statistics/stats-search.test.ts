import { criteriaOf } from '@tallyroom/contract/figures/stats-table'
import type { AbilityHolder } from '@tallyroom/domain/abilities'
import { expect, test } from 'vitest'
import {
  payrollAvpReport,
  payrollReport,
  searchOf,
  sitesAvpReport,
  sitesReport,
  sortOf,
  statsSearchSchema,
} from './stats-search.ts'

const admin: AbilityHolder = { role: 'admin', permissions: [] }
const office: AbilityHolder = { role: 'company', permissions: [] }
const agent: AbilityHolder = { role: 'agent', permissions: [] }

const parse = (raw: Record<string, unknown>) => statsSearchSchema.parse(raw)

test('text from the address bar and values from links mean the same', () => {
  const text = { groupBy: 'agent', siteId: '3', start: '2026-11-01', end: '2026-11-02', page: '2' }
  const values = { groupBy: 'agent', siteId: 3, start: '2026-11-01', end: '2026-11-02', page: 2 }
  expect(parse(text)).toEqual(parse(values))
})

test('unreadable values count as absent', () => {
  const raw = { groupBy: 'month', siteId: '-1', start: '2026-02-30', sortField: 'id;--', page: '0' }
  expect(Object.values(parse(raw)).filter((value) => value !== undefined)).toEqual([])
})

test('nobody gets a view or a filter that their role lacks', () => {
  const search = parse({ groupBy: 'company', companyId: 7, agentId: 40 })
  expect(criteriaOf(search, sitesReport, admin)).toMatchObject({
    groupBy: 'company',
    companyId: 7,
    agentId: 40,
  })
  expect(criteriaOf(search, sitesReport, office)).toMatchObject({
    groupBy: 'detail',
    companyId: undefined,
    agentId: 40,
  })
  expect(criteriaOf(search, sitesReport, agent)).toMatchObject({
    groupBy: 'detail',
    companyId: undefined,
    agentId: undefined,
  })
})

test('a link type without its site is no filter', () => {
  expect(criteriaOf(parse({ typeId: 12 }), sitesReport, admin).typeId).toBeUndefined()
  expect(criteriaOf(parse({ siteId: 1, typeId: 12 }), sitesReport, admin).typeId).toBe(12)
})

test('criteria survive the URL', () => {
  const criteria = criteriaOf(
    parse({ groupBy: 'agent', siteId: 1, typeId: 12, start: '2026-11-01', end: '2026-11-02' }),
    sitesReport,
    admin,
  )
  expect(criteriaOf(parse({ ...searchOf(criteria, sitesReport) }), sitesReport, admin)).toEqual(
    criteria,
  )
})

test.each([
  ['date', 'detail', admin, true],
  ['date', 'agent', admin, false],
  ['officeName', 'agent', admin, true],
  ['officeName', 'agent', office, false],
  ['lpp', 'date', admin, false],
  ['lpp', 'agent', admin, true],
  ['12', 'date', agent, true],
  ['raws', 'date', agent, true],
] as const)('sorting by %s in the view %s is offered only where the column is', (...row) => {
  const [sortField, groupBy, viewer, isOffered] = row
  const sort = sortOf(
    parse({ sortField, sortAsc: 'false', siteId: '3' }),
    groupBy,
    sitesReport,
    viewer,
  )
  expect(sort).toEqual(
    isOffered ? { sortField, sortAsc: false } : { sortField: undefined, sortAsc: undefined },
  )
})

test.each([
  [{ start: '2026-11-11' }, { start: '2026-11-09', end: '2026-11-15' }],
  [
    { start: '2026-11-11', end: '2026-11-12' },
    { start: '2026-11-09', end: '2026-11-15' },
  ],
  [
    { start: '2026-11-11', end: '2026-11-30' },
    { start: '2026-11-09', end: '2026-12-06' },
  ],
])('in AVP reports, days stand for their weeks: %o', (days, weeks) => {
  expect(criteriaOf(parse(days), payrollAvpReport, admin)).toMatchObject(weeks)
  expect(criteriaOf(parse(days), sitesReport, admin)).toMatchObject(days)
})

test('staff choose a tier, in the AVP reports', () => {
  const search = parse({ avp: '0' })
  expect(criteriaOf(search, sitesAvpReport, admin).avp).toBe(0)
  expect(criteriaOf(search, sitesAvpReport, office).avp).toBeUndefined()
  expect(criteriaOf(search, sitesReport, admin).avp).toBeUndefined()
})

test.each([
  [sitesReport, admin, 'detail'],
  [sitesAvpReport, admin, 'detail'],
  [sitesAvpReport, agent, 'detail'],
  [payrollReport, admin, 'detail'],
  [payrollAvpReport, admin, 'company'],
] as const)('$title opens by its own view', (report, viewer, view) => {
  expect(criteriaOf(parse({}), report, viewer).groupBy).toBe(view)
})

test('a view that the report does not have is not shown', () => {
  expect(criteriaOf(parse({ groupBy: 'date' }), sitesAvpReport, admin).groupBy).toBe('detail')
})

test.each([
  ['12_payout', sitesReport, false],
  ['12_payout', payrollReport, true],
  ['avpPeriod', payrollReport, false],
  ['avpPeriod', sitesAvpReport, true],
  ['payoutPhp', sitesAvpReport, false],
  ['payoutPhp', payrollAvpReport, true],
] as const)(
  'a sort by %s is for the reports that have the column',
  (sortField, report, isOffered) => {
    const sort = sortOf(parse({ sortField, siteId: '3' }), 'agent', report, admin)
    expect(sort.sortField).toBe(isOffered ? sortField : undefined)
  },
)

test.each([
  [{ siteId: '3' }, true],
  [{ siteId: '3', typeId: '12' }, true],
  [{ siteId: '3', typeId: '13' }, false],
  [{}, false],
])('a sort by a link type disappears with its column: %o', (chosen, isKept) => {
  for (const sortField of ['12', '12_payout']) {
    const sort = sortOf(parse({ sortField, ...chosen }), 'agent', payrollReport, admin)
    expect(sort.sortField).toBe(isKept ? sortField : undefined)
  }
})
