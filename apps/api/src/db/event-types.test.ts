import { EVENT_KINDS, EVENT_TYPE } from '@tallyroom/domain/event-types'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'

const { db } = await testDatabase()

test('the database takes the event types of the table of kinds, and no others', async () => {
  const { rows } = await sql<{ check: string }>`
    select pg_get_constraintdef(oid) as check
    from pg_constraint
    where conname = 'sale_events__event_type' and conrelid = 'sale_events'::regclass
  `.execute(db)
  const taken = rows.flatMap(({ check }) => check.match(/\d+/g) ?? []).map(Number)
  expect(new Set(taken)).toEqual(new Set(EVENT_KINDS.map((kind) => EVENT_TYPE[kind])))
})
