import { statsCriteriaSchema } from '@tallyroom/contract/figures/statistics'
import { expect, test } from 'vitest'
import { addToTotals } from '../../../test/add-to-totals.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { viewer } from '../../../test/call-routes.ts'
import { databasesAt, testDatabase } from '../../../test/database.ts'
import { statsReport } from './report.ts'

const { db } = await testDatabase()
const databases = databasesAt(db, '2026-03-18T12:00:00Z')

const manila = await buildOffice(db, { name: 'Manila' })
const cebu = await buildOffice(db, { name: 'Cebu' })
const maria = await buildAgent(db, { office_id: manila })
const noel = await buildAgent(db, { office_id: cebu })
const site = await buildSite(db)
const deleted_at = new Date('2026-03-01T12:00:00Z')
const type = (typename: string, more = {}) =>
  buildLinkType(db, { site_id: site, typename, ...more })
await type('Active')
const former = await type('Former', { deleted_at })
const never = await type('Never', { deleted_at })

await addToTotals(db, [
  {
    day: '2026-02-10',
    agent_id: maria,
    office_id: manila,
    site_id: site,
    type_id: former,
    raws: 1,
  },
])

const february = { start: '2026-02-01', end: '2026-02-28' }
const superadmin = viewer()
const office = (officeId: number) => viewer({ role: 'company', officeId, agentId: undefined })

test.each([
  ['what was clicked in the period', superadmin, february, ['Active', 'Former']],
  ['to the day', superadmin, { start: '2026-02-10', end: '2026-02-10' }, ['Active', 'Former']],
  ['not the day after', superadmin, { start: '2026-02-11', end: '2026-02-28' }, ['Active']],
  ['in its office', office(manila), february, ['Active', 'Former']],
  ['not in another', office(cebu), february, ['Active']],
  ['its agent', superadmin, { ...february, agentId: maria }, ['Active', 'Former']],
  ['not another agent', superadmin, { ...february, agentId: noel }, ['Active']],
  ['the type that is asked for', superadmin, { ...february, typeId: never }, ['Never']],
  [
    'the column that is sorted by',
    superadmin,
    { ...february, sortField: `${never}` },
    ['Active', 'Former', 'Never'],
  ],
] as const)(
  'a deleted link type has a column where it has a past: %s',
  async (_, who, asked, expected) => {
    const criteria = statsCriteriaSchema.parse({ groupBy: 'detail', siteId: site, ...asked })
    const { types } = await statsReport(databases, who, 'sites', criteria)
    expect(types.map(({ typename }) => typename)).toEqual(expected)
  },
)
