import { fc } from '@fast-check/vitest'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import type { Db } from '../src/db/database.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from './build-world.ts'

/** Two offices with three agents, and two sites, one of them with AVP, with three link types. */
export async function buildTwoOffices(db: Db) {
  const offices = [await buildOffice(db), await buildOffice(db)] as const
  // By name, neither in the order of their ids nor of their offices.
  const agents = [
    await buildAgent(db, { office_id: offices[0], username: 'Milo' }),
    await buildAgent(db, { office_id: offices[1], username: 'zoe' }),
    await buildAgent(db, { office_id: offices[1], username: 'Ada' }),
  ] as const
  const sites = [await buildSite(db, { avp: true }), await buildSite(db)] as const
  const types = [
    { site_id: sites[0], type_id: await buildLinkType(db, { site_id: sites[0] }), avp: true },
    { site_id: sites[0], type_id: await buildLinkType(db, { site_id: sites[0] }), avp: true },
    { site_id: sites[1], type_id: await buildLinkType(db, { site_id: sites[1] }), avp: false },
  ] as const
  return { offices, agents, sites, types }
}

/** A Monday. New York's clocks change in the fifth week. */
export const FIRST: Day = '2026-02-09'
export const WEEKS = 6

/** An event on one of the days; any agent may change offices at any time. */
export const anyDeed = ({
  offices,
  agents,
  types,
}: Awaited<ReturnType<typeof buildTwoOffices>>) => ({
  day: fc.integer({ min: 0, max: 7 * WEEKS - 1 }).map((days) => addDays(FIRST, days)),
  agent_id: fc.constantFrom(...agents),
  office_id: fc.constantFrom(...offices),
  type: fc.constantFrom(...types),
})
