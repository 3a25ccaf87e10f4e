import { fc, test as property } from '@fast-check/vitest'
import { UNCOUNTED } from '@tallyroom/contract/desk/click-logs'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { refuseUnportable } from '../../../test/portability-rules.ts'
import { visitorOf } from '../../lib/net/ip-address.ts'
import { errorCode } from '../../db/transaction.ts'
import type { Click } from '../clicks/click.ts'
import { openClickSession } from '../clicks/click-lanes.ts'
import { type BatchKind, startKnownTexts } from '../clicks/clicks-to-store.ts'
import { storeClicks, warmUp } from '../clicks/clicks.queries.ts'

/** Two databases that get the same clicks, each with its own form of the statements. */
const sides = await Promise.all(
  (['together', 'distributed'] as const).map(async (layout) => {
    const { db, connection, clickStore } = await testDatabase({ layout })
    const session = await openClickSession(connection, 10_000)
    refuseUnportable(session, { citus: layout === 'distributed' })
    afterAll(() => session.end())
    return { db, connection, session, store: { clickStore, known: startKnownTexts() } }
  }),
)

const crowded = await testDatabase({ layout: 'distributed' })
const sessions = await Promise.all(
  [1, 2, 3, 4].map(() => openClickSession(crowded.connection, 10_000)),
)
for (const session of sessions) refuseUnportable(session, { citus: true })
afterAll(() => Promise.all(sessions.map((session) => session.end())))

const tables = ['clicks', 'seen_visitors', 'referrers', 'user_agents', 'totals_pending'] as const

beforeEach(clear)

async function clear() {
  for (const { connection, store } of sides) {
    await emptyTables(connection, tables)
    store.known = startKnownTexts()
  }
}

/** Every row of both databases, as text. */
const contents = () =>
  Promise.all(
    sides.map(async ({ db }) => {
      const content: Record<string, string[]> = {}
      for (const table of tables) {
        const { rows } = await sql<{ line: string }>`
          select line::text as line from ${sql.table(table)} as line order by 1
        `.execute(db)
        content[table] = rows.map(({ line }) => line)
      }
      return content
    }),
  )

async function storeOnBoth(kind: BatchKind, clicks: readonly Click[]) {
  const answers = await Promise.all(
    sides.map(({ session, store }) =>
      storeClicks(session, kind, clicks, store).then(
        () => 'stored',
        (error: unknown) => errorCode(error) ?? error,
      ),
    ),
  )
  expect(answers[1]).toBe(answers[0])
  return answers[0]
}

const start = Date.parse('2026-06-01T12:00:00Z')

const click: fc.Arbitrary<Click> = fc
  .record(
    {
      clickedAtMs: fc.integer({ min: 0, max: 6 }).map((ms) => start + ms),
      nonce: fc.integer({ min: 0, max: 3 }),
      agentId: fc.integer({ min: 1, max: 3 }),
      officeId: fc.integer({ min: 1, max: 2 }),
      siteId: fc.constant(1),
      typeId: fc.integer({ min: 1, max: 2 }),
      ip: fc.constantFrom(
        '10.0.0.1',
        '10.0.0.2',
        '2001:db8::1',
        '2001:db8::ffff:2',
        '2001:db8:0:1::f00',
      ),
      uncounted: fc.constantFrom(...UNCOUNTED),
      userAgent: fc.constantFrom('Firefox/140.0', 'a "quoted\\" one'),
      referrer: fc.constantFrom('https://a.example/', 'https://b.example/?q="x"\\'),
      subs: fc.record({ sub1: fc.string(), sub3: fc.constant('a,"b"\\{}') }, { requiredKeys: [] }),
    },
    {
      requiredKeys: ['clickedAtMs', 'nonce', 'agentId', 'officeId', 'siteId', 'typeId', 'ip'],
    },
  )
  .map((one) => ({ ...one, visitor: visitorOf(one.ip) }))

const numRuns = process.env['TESTS'] === 'thorough' ? 60 : 20

const batches = fc.array(
  fc.tuple(
    fc.constantFrom('new' as const, 'again' as const),
    fc.array(click, { minLength: 1, maxLength: 12 }),
  ),
  { minLength: 1, maxLength: 4 },
)

property.prop([batches], { numRuns })(
  'a statement for each table leaves the same rows, and fails for the same batches, as one statement',
  async (all) => {
    await clear()
    for (const [kind, clicks] of all) await storeOnBoth(kind, clicks.map(withoutNul))
    const [together, distributed] = await contents()
    expect(distributed).toEqual(together)
  },
)

property.prop([batches], { numRuns })(
  'late batches leave the same clicks and totals after their visitors were forgotten',
  async (all) => {
    const acrossMidnight = all
      .flatMap(([, clicks]) => clicks.map(withoutNul))
      .map((one) => ({ ...one, clickedAtMs: one.clickedAtMs - start + midnight - 3 }))
    // Two visitors never have the same key: a click that comes again is the same one.
    const firsts = Map.groupBy(acrossMidnight, keyOf)
    const clicksAgain = acrossMidnight.map((one) => firsts.get(keyOf(one))?.[0] ?? one)
    const ofOneDay = [...Map.groupBy(clicksAgain, dayAndSome).values()]

    await clear()
    for (const clicks of ofOneDay) await storeOnBoth('again', clicks)
    const remembered = (await contents()).map(withoutVisitors)

    await clear()
    for (const clicks of ofOneDay) {
      for (const { connection } of sides) await emptyTables(connection, ['seen_visitors'])
      expect(await storeOnBoth('late', clicks)).toBe('stored')
    }
    expect((await contents()).map(withoutVisitors)).toEqual(remembered)
  },
)

const midnight = Date.parse('2026-06-02T00:00:00-04:00')

const keyOf = ({ clickedAtMs, agentId, nonce }: Click) => `${clickedAtMs} ${agentId} ${nonce}`

/** Three batches for each day. */
const dayAndSome = (one: Click) => `${one.clickedAtMs < midnight} ${one.nonce % 3}`

const withoutVisitors = (content: Record<string, string[]>) => ({ ...content, seen_visitors: [] })

/** PostgreSQL cannot store this character, and the redirect removes it. */
const withoutNul = (one: Click): Click =>
  one.subs?.sub1 === undefined
    ? one
    : { ...one, subs: { ...one.subs, sub1: one.subs.sub1.replaceAll('\0', '') } }

const clicks = (count: number): Click[] =>
  Array.from({ length: count }, (_, number) => ({
    clickedAtMs: start + number,
    nonce: number,
    agentId: 1 + (number % 50),
    officeId: 1,
    siteId: 1,
    typeId: 1,
    ip: `10.1.${number >> 8}.${number & 255}`,
    visitor: `10.1.${number >> 8}.${number & 255}`,
    referrer: `https://r.example/${number % 7}`,
  }))

test('warming a session up stores nothing, however often', async () => {
  for (const { session, store } of sides) {
    for (const nonce of [1, 1, 2]) await warmUp(session, nonce, store)
  }
  for (const content of await contents()) {
    expect(Object.values(content).flat()).toEqual([])
  }
})

test('a batch of the maximum size is stored', async () => {
  expect(await storeOnBoth('new', clicks(500))).toBe('stored')
  expect(await storeOnBoth('again', clicks(500))).toBe('stored')
  const [together, distributed] = await contents()
  expect(distributed).toEqual(together)
  expect(distributed?.['clicks']).toHaveLength(500)
})

test('a batch with a taken key leaves nothing, and the session accepts the next one', async () => {
  const [taken, ...others] = clicks(4)
  if (!taken) throw new Error('no clicks')
  await storeOnBoth('new', [taken])
  expect(
    await storeOnBoth('new', [{ ...taken, ip: '10.9.9.9', visitor: '10.9.9.9' }, ...others]),
  ).toBe('23505')
  expect((await contents())[1]?.['seen_visitors']).toHaveLength(1)
  expect(await storeOnBoth('new', others)).toBe('stored')
})

test('of concurrent batches with the same clicks, each click is stored once', async () => {
  const all = clicks(200)
  await Promise.all(
    sessions.map((session, place) =>
      storeClicks(session, 'again', place % 2 ? all : all.toReversed(), {
        ...crowded,
        known: startKnownTexts(),
      }),
    ),
  )
  const { rows } = await sql<{ clicks: number; raws: number; uniques: number }>`
    select (select count(*) from clicks) as clicks, (select sum(raws) from totals_pending) as raws,
      (select sum(uniques) from totals_pending) as uniques
  `.execute(crowded.db)
  expect(rows).toEqual([{ clicks: 200, raws: 200, uniques: 200 }])
})
