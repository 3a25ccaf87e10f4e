import { fc, test as property } from '@fast-check/vitest'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { VISITOR_MARK } from './recall-visitors.queries.ts'
import { testDatabase } from '../../../test/database.ts'
import { canonicalIp, visitorOf } from '../../lib/net/ip-address.ts'
import { markOf } from './clicks-to-store.ts'

const { db } = await testDatabase()

/**
 * Link types where the number of bytes changes, and addresses whose bytes look like those of
 * another link type or family.
 */
const typeId = fc.oneof(
  fc.constantFrom(1, 10, 255, 256, 2_560, 65_535, 65_536, 16_777_216, 2_147_483_647),
  fc.integer({ min: 1, max: 2_147_483_647 }),
)
const ip = fc
  .oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('0.0.0.0', '10.0.0.1', '0.10.0.1', '::', '::1', '1::', 'a00:1::', '0:0:0:1::'),
  )
  .map((text) => canonicalIp(text) ?? text)

property.prop([fc.array(fc.record({ typeId, ip }), { minLength: 1, maxLength: 40 })])(
  'a mark equals the database’s, and two visitors never share one',
  async (visits) => {
    const marks = visits.map((visit) => markOf({ ...visit, visitor: visitorOf(visit.ip) }))
    const { rows } = await sql<{ mark: Buffer }>`
      select ${sql.raw(VISITOR_MARK)} as mark
      from unnest(
        ${visits.map((visit) => visit.typeId)}::integer[], ${visits.map((visit) => visit.ip)}::inet[]
      ) with ordinality as visits (type_id, ip, place)
      order by place
    `.execute(db)
    expect(marks).toEqual(rows.map(({ mark }) => mark.toString('hex')))

    const visitors = visits.map((visit) => `${visit.typeId} ${visitorOf(visit.ip)}`)
    expect(new Set(marks).size).toBe(new Set(visitors).size)
  },
)
