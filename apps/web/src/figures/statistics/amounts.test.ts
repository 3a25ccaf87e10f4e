import { expect, test } from 'vitest'
import { amountOf, clicksOf, rowKeyOf } from './amounts.ts'
import { payrollAvpReport, payrollReport, sitesReport } from './stats-search.ts'

const criteria = { groupBy: 'agent' as const, siteId: 3, start: '2026-11-16', end: '2026-11-22' }
const figures = { raws: 1, uniques: 1, sales: 1, bonusSales: 0, bonusRatio: 0 }
const maria = { ...figures, companyId: 7, officeName: 'Manila', agentId: 40, agent: 'maria' }

test('an amount covers its row, within the criteria', () => {
  expect(amountOf(payrollReport, criteria, 'payout', maria)).toEqual({
    report: 'payroll',
    column: 'payout',
    start: '2026-11-16',
    end: '2026-11-22',
    siteId: 3,
    companyId: 7,
    agentId: 40,
  })
})

test('a row about a day covers only that day', () => {
  const row = { ...figures, date: '2026-11-17' }
  expect(amountOf(sitesReport, criteria, '12', row)).toEqual({
    report: 'sites',
    column: '12',
    start: '2026-11-17',
    end: '2026-11-17',
    siteId: 3,
  })
})

test('the overall total covers all criteria, including a chosen tier', () => {
  expect(amountOf(payrollAvpReport, { ...criteria, avp: 2 }, 'payoutPhp')).toMatchObject({
    avp: 2,
    start: '2026-11-16',
    end: '2026-11-22',
  })
})

test('what is not made of sales has no explanation', () => {
  for (const column of ['raws', 'uniques', 'bonusRatio', 'lpp', 'avpPeriod'])
    expect(amountOf(sitesReport, criteria, column, maria)).toBeUndefined()
  expect(amountOf(sitesReport, { ...criteria, end: null }, 'payout', maria)).toBeUndefined()
})

test('a row has the key of its view', () => {
  expect(rowKeyOf({ ...figures, companyId: 7, officeName: 'Manila' })).toEqual({ companyId: 7 })
  expect(rowKeyOf({ ...figures, date: '2026-11-16' })).toEqual({ date: '2026-11-16' })
})

test('clicks lead to the log of the same days, site and agent', () => {
  expect(clicksOf(criteria, 'uniques', { ...maria, date: '2026-11-17' })).toEqual({
    start: '2026-11-17',
    end: '2026-11-17',
    siteId: 3,
    companyId: 7,
    agentId: 40,
  })
})

test('by link type or tier there is no such log, and other columns are not clicks', () => {
  expect(clicksOf(criteria, 'sales', maria)).toBeUndefined()
  expect(clicksOf(criteria, 'raws', { ...figures, typeId: 12 })).toBeUndefined()
  expect(clicksOf({ ...criteria, avp: 0 }, 'raws', maria)).toBeUndefined()
})

test('a row by sub id covers its value, or the clicks without', () => {
  const bySub = { ...criteria, groupBy: 'sub2' as const }
  const value = { ...figures, subRow: 'value' as const, subId: 'post-7' }
  expect(amountOf(sitesReport, bySub, 'sales', value)).toMatchObject({
    sub: 'sub2',
    subId: 'post-7',
  })
  expect(clicksOf(bySub, 'raws', value)).toMatchObject({ siteId: 3, sub: 'sub2', subId: 'post-7' })
  const none = amountOf(sitesReport, bySub, 'sales', { ...figures, subRow: 'none' })
  expect(none).toMatchObject({ sub: 'sub2' })
  expect(none).not.toHaveProperty('subId')
})

test('rows of several sub ids, of unknown ones and within another sub id open nothing', () => {
  const bySub = { ...criteria, groupBy: 'sub2' as const }
  const value = { ...figures, subRow: 'value' as const, subId: 'x' }
  for (const [about, row] of [
    [bySub, { ...figures, subRow: 'others' as const, otherSubIds: 3 }],
    [bySub, { ...figures, subRow: 'unknown' as const }],
    [{ ...bySub, sub: 'sub1' as const, subId: 'campaign' }, value],
  ] as const) {
    expect(amountOf(sitesReport, about, 'sales', row)).toBeUndefined()
    expect(clicksOf(about, 'raws', row)).toBeUndefined()
  }
  expect(
    amountOf(sitesReport, { ...criteria, sub: 'sub1', subId: 'x' }, 'sales', maria),
  ).toMatchObject({ agentId: 40, sub: 'sub1', subId: 'x' })
})
