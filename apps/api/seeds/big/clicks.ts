import { NEW_YORK, type Day } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import { fraction, hash } from './hash.ts'
import { VISITOR_MARK } from '../../src/tracking/clicks/recall-visitors.queries.ts'
import { type Scale, typesPerAgent, typesPerDay, typesPerOffice } from './scale.ts'

/** One visitor in this many clicks twice. */
const secondVisitOneIn = 4
const clicksPerVisitor = 1 + 1 / secondVisitOneIn

/**
 * Inserts the clicks of some days, both inclusive. Uniqueness is known without look-ups: the visitors of an
 * agent's link type on a day have distinct addresses, and a second click follows the first on the same day.
 *
 * @returns the number of clicks.
 */
export async function insertClicks(
  tx: Tx,
  { scale, from, to, now }: { scale: Scale; from: Day; to: Day; now: Date },
): Promise<number> {
  const types = scale.sites * scale.typesPerSite
  const ofOffice = Math.min(types, typesPerOffice)
  const visitors = scale.clicks / clicksPerVisitor / (scale.agents * scale.days * typesPerDay)
  const groupKey = sql`agent_id::bigint * 1000000 + day_number * 10 + place`
  const visitorKey = sql`group_key * 100000 + visitor`
  const visitKey = sql`group_key * 100000 + visitor * 10 + visit`
  const result = await sql`
    insert into clicks (
      clicked_at, agent_id, type_id, office_id, nonce, is_unique, ip
    )
    with days as (
      select
        day::date - '2000-01-01'::date as day_number,
        day at time zone ${sql.lit(NEW_YORK)} as day_start,
        (array[0.94, 0.9, 0.92, 0.98, 1.0, 1.16, 1.1])[extract(isodow from day)::integer] as weight
      from generate_series(${from}::timestamp, ${to}::timestamp, '1 day') as day
    ),
    agent_days as (
      select
        agents.id::integer as agent_id, agents.office_id::integer as office_id, day_number, day_start,
        ${visitors}::float8 * weight * (0.2 + 1.6 * ${fraction(sql`agents.id`, 10)}) as expected,
        ${hash(sql`agents.office_id`, 11)} % 1000000007 as office_choice,
        ${hash(sql`agents.id`, 12)} % 1000000007 as agent_choice
      from agents
      cross join days
    ),
    groups as (
      select
        agent_id, office_id, day_start, ${groupKey} as group_key,
        floor(2 * expected * ${fraction(groupKey, 13)} + ${fraction(groupKey, 14)})::integer as visitors,
        -- Chooses the office's link types; another pair every week.
        (agent_choice + (day_number / 7 + place) % ${typesPerAgent}::integer * ${Math.floor(ofOffice / typesPerAgent)}::bigint)
          % ${ofOffice}::bigint as choice,
        office_choice
      from agent_days
      cross join generate_series(0, ${typesPerDay - 1}::integer) as place
    ),
    visits as (
      select
        agent_id, office_id, group_key,
        (1 + (office_choice + choice * ${Math.floor(types / ofOffice)}::bigint) % ${types}::bigint)::integer as type_id, visitor, visit,
        day_start + interval '1 millisecond' * (
          ${hash(visitorKey, 15)} % 72000000
          + case when visit = 2 then 1000 + ${hash(visitorKey, 16)} % 7200000 else 0 end
        ) as clicked_at
      from groups
      cross join generate_series(1, visitors) as visitor
      cross join generate_series(
        1, case when ${hash(visitorKey, 17)} % ${secondVisitOneIn}::integer = 0 then 2 else 1 end
      ) as visit
    )
    select
      clicked_at, agent_id, type_id, office_id, ${hash(visitKey, 18)} % 33554432, visit = 1,
      '10.0.0.0'::inet + (${hash(sql`group_key`, 19)} % 16777216 + visitor * 7919) % 16777216
    from visits
    where clicked_at <= ${now}
  `.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

/** Stores the visitors of the last days, with which new clicks are compared. */
export async function insertSeenVisitors(tx: Tx, since: Day): Promise<void> {
  await sql`
    insert into seen_visitors (day, agent_id, visitor)
    select (clicked_at at time zone ${sql.lit(NEW_YORK)})::date, agent_id, ${sql.raw(VISITOR_MARK)}
    from clicks
    where is_unique and clicked_at >= ${since}::timestamp at time zone ${sql.lit(NEW_YORK)}
  `.execute(tx)
}
