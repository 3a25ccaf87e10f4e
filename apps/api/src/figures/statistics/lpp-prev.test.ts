import { statsCriteriaSchema } from '@tallyroom/contract/figures/statistics'
import { expect, test } from 'vitest'
import { addToTotals } from '../../../test/add-to-totals.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { viewer } from '../../../test/call-routes.ts'
import { databasesAt, testDatabase } from '../../../test/database.ts'
import { statsReport } from './report.ts'

const { db } = await testDatabase()
const databases = databasesAt(db, '2026-01-15T12:00:00Z')
await db.updateTable('options').set({ value: '1' }).where('name', '=', 'lpp_visible').execute()

const manila = await buildOffice(db, { name: 'Manila' })
const cebu = await buildOffice(db, { name: 'Cebu' })
const offices = { maria: manila, noel: cebu, carlo: cebu }
const agents = {
  maria: await buildAgent(db, { office_id: manila, username: 'maria' }),
  noel: await buildAgent(db, { office_id: cebu, username: 'noel' }),
  carlo: await buildAgent(db, { office_id: cebu, username: 'carlo' }),
}
const site = await buildSite(db)
const type = await buildLinkType(db, { site_id: site })

/** Maria's points are powers of two, so a sum of hers shows which days are in it. */
const points = [
  ['2024-02-29', 'maria', 4096],
  ['2025-01-28', 'maria', 8192],
  ['2025-01-31', 'maria', 1],
  ['2025-02-01', 'maria', 2],
  ['2025-02-28', 'maria', 4],
  ['2025-03-01', 'maria', 8],
  ['2025-03-08', 'maria', 16],
  ['2025-03-09', 'maria', 32], // 23 hours long
  ['2025-03-10', 'maria', 64],
  ['2025-03-31', 'maria', 128],
  ['2025-11-01', 'maria', 256],
  ['2025-11-02', 'maria', 512], // 25 hours long
  ['2025-11-03', 'maria', 1024],
  ['2025-03-08', 'noel', 5],
  ['2025-03-09', 'carlo', 7],
  ['2025-03-15', 'carlo', -3], // reversed
] as const

await addToTotals(
  db,
  points.map(([day, agent, lpp]) => ({
    day,
    agent_id: agents[agent],
    office_id: offices[agent],
    site_id: site,
    type_id: type,
    sales: Math.sign(lpp),
    lpp,
  })),
)

test.each([
  // length and edges: as many days, just before                  rows: points, points before       sum of these
  ['a day: the day before', 'agent', '2025-03-10', '2025-03-10', ['maria 64 32'], 32],
  ['the day of 23 hours', 'agent', '2025-03-09', '2025-03-09', ['carlo 7 0', 'maria 32 16'], 16],
  ['the day of 25 hours', 'agent', '2025-11-02', '2025-11-02', ['maria 512 256'], 256],
  ['the day after it', 'agent', '2025-11-03', '2025-11-03', ['maria 1024 512'], 512],
  ['three days around it', 'agent', '2025-11-01', '2025-11-03', ['maria 1792 0'], 0],
  [
    'a week, with the clock change on its Sunday',
    'agent',
    '2025-03-03',
    '2025-03-09',
    ['carlo 7 0', 'maria 48 12', 'noel 5 0'],
    12,
  ],
  [
    'a first half: the last fifteen days of February',
    'agent',
    '2025-03-01',
    '2025-03-15',
    ['carlo 4 0', 'maria 120 4', 'noel 5 0'],
    4,
  ],
  [
    'a second half of sixteen days: back into February',
    'agent',
    '2025-03-16',
    '2025-03-31',
    ['maria 128 124'],
    124,
  ],
  ['February: 28 days of January', 'agent', '2025-02-01', '2025-02-28', ['maria 6 8193'], 8193],
  [
    'March: 31 days, from 29 January on',
    'agent',
    '2025-03-01',
    '2025-03-31',
    ['carlo 4 0', 'maria 248 7', 'noel 5 0'],
    7,
  ],
  [
    'a year after a leap year: without its first day',
    'agent',
    '2025-01-01',
    '2025-12-31',
    ['carlo 4 0', 'maria 10239 4096', 'noel 5 0'],
    4096,
  ],
  [
    'whoever has no row now is not in the total',
    'agent',
    '2025-03-31',
    '2025-04-30',
    ['maria 128 124'],
    124,
  ],
  ['nobody has a row now', 'agent', '2025-03-17', '2025-03-24', [], 0],
  ['nor had before', 'agent', '2025-04-10', '2025-04-11', [], 0],
  [
    'an office: all of its agents',
    'company',
    '2025-03-09',
    '2025-03-09',
    ['Cebu 7 5', 'Manila 32 16'],
    21,
  ],
  [
    'a day of a detail: the same place before',
    'detail',
    '2025-03-09',
    '2025-03-10',
    ['2025-03-10 maria 64 16', '2025-03-09 maria 32 0', '2025-03-09 carlo 7 0'],
    16,
  ],
  [
    'the same across 25 hours',
    'detail',
    '2025-11-02',
    '2025-11-03',
    ['2025-11-03 maria 1024 256', '2025-11-02 maria 512 0'],
    256,
  ],
  ['days alone are not compared', 'date', '2025-03-09', '2025-03-09', ['2025-03-09 39'], undefined],
] as const)('%s', async (_, groupBy, start, end, rows, overall) => {
  const answer = await statsReport(
    databases,
    viewer(),
    'sites',
    statsCriteriaSchema.parse({ groupBy, start, end }),
  )

  const shown = answer.page.items.map(({ date, agent, officeName, lpp, lppPrev }) =>
    [date, agent ?? officeName, lpp, lppPrev].filter((part) => part !== undefined).join(' '),
  )
  expect(shown).toEqual(rows)
  expect(answer.overall.lpp_prev).toBe(overall)
})
