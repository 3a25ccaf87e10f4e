import { expect, test } from 'vitest'
import {
  isClosedWithoutFactor,
  FACTOR_ACTS,
  type FactorGroup,
  mustHaveFactor,
  type RulesOfGroups,
} from './sign-in-rules.ts'

const off: RulesOfGroups = {
  superadmins: null,
  admins: null,
  payers: null,
  offices: null,
  agents: null,
}
const from = '2026-03-02'
const holders = {
  superadmin: { role: 'superadmin', permissions: ['PAY'] },
  admin: { role: 'admin', permissions: [] },
  'admin with PAY': { role: 'admin', permissions: ['PAY'] },
  office: { role: 'company', permissions: [] },
  agent: { role: 'agent', permissions: [] },
} as const

test.each<[FactorGroup, string[]]>([
  ['superadmins', ['superadmin']],
  ['admins', ['admin', 'admin with PAY']],
  ['payers', ['superadmin', 'admin with PAY']],
  ['offices', ['office']],
  ['agents', ['agent']],
])('%s are %j, from their day on', (group, who) => {
  const must = (today: string) =>
    Object.entries(holders)
      .filter(([, holder]) => mustHaveFactor({ ...off, [group]: from }, holder, today))
      .map(([name]) => name)
  expect(must('2026-03-01')).toEqual([])
  expect(must('2026-03-02')).toEqual(who)
  expect(must('2027-01-01')).toEqual(who)
})

test('without a day, nobody must', () => {
  for (const holder of Object.values(holders))
    expect(mustHaveFactor(off, holder, '9999-12-31')).toBe(false)
})

test.each([
  [null, [false, false, false]],
  [from, [false, true, true]],
])('with the day %j, approving needs a factor: %j', (secondActs, needed) => {
  const days = ['2026-03-01', '2026-03-02', '2027-01-01']
  expect(days.map((day) => isClosedWithoutFactor('approve', { secondActs }, day))).toEqual(needed)
})

test('from the day on, these acts need a factor, and no others', () => {
  const needing = FACTOR_ACTS.filter((act) =>
    isClosedWithoutFactor(act, { secondActs: from }, from),
  )
  expect(needing).toEqual(['approve', 'take file', 'grant PAY', 'open payer', 'put off factors'])
})
