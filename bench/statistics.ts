import { deepStrictEqual } from 'node:assert'
import type { SiteStats } from '@tallyroom/contract/figures/statistics'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Db } from '../apps/api/src/db/database.ts'
import type { ReportCriteria } from '../apps/api/src/figures/statistics/report-criteria.ts'
import { statsReport } from '../apps/api/src/figures/statistics/report.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { line, withBigWorld } from './big-world.ts'
import { median, msOf } from './measure.ts'
import { screensOf, superadmin } from './screens.ts'
import { type Question, questionsOf } from './statistics-questions.ts'
import { type Answer, askEvents, readRowsAlone } from './statistics-references.ts'

const rounds = Number(process.env['ROUNDS'] ?? 9)

/** The raw events of a question are not read again once they took this long. */
const longestMs = 15_000

/**
 * Measures the queries of the statistics pages, then those of first screens, explanations and searches. Alternates with the same queries on the raw events and with
 * only reading the needed totals rows, and reports medians. The limit is three times these rows, plus 2 ms for each call.
 * Fails if an answer differs from the events, never because it is slow.
 *
 *     DATABASE_URL   a PostgreSQL server, empty or with the big world; default: a separate embedded engine
 *     SCALE          clicks to create in an empty database, 2000000 or `full` (20 million)
 *     ROUNDS         9
 */
async function compare(db: Db, owner: Db): Promise<void> {
  const { rows } = await sql<{ clicks: number; events: number; last: Date }>`
    select count(*) as clicks, max(clicked_at) as last, (select count(*) from sale_events) as events
    from clicks
  `.execute(db)
  const [world] = rows
  if (!world) throw new Error('a count always has a row')
  console.log(`\n${world.clicks} clicks, ${world.events} events; median ms\n`)
  console.log(
    line(
      '',
      'raw events',
      'ours',
      'limit',
      'rows alone',
      'raw / ours',
      'ours / alone',
      'raw rounds',
    ),
  )

  let wrong = 0
  for (const question of questionsOf(dayOf(world.last))) {
    const difference = await findDifference(db, owner, question)
    if (difference !== undefined) wrong++
    const { raw, ours, alone, rawRounds } = await measure(db, owner, question)
    console.log(
      line(
        question.name,
        raw.toFixed(1),
        ours.toFixed(1),
        (3 * alone + 2 * question.asks.length).toFixed(1),
        alone.toFixed(1),
        `${(raw / ours).toFixed(0)} x`,
        `${(ours / alone).toFixed(1)} x`,
        String(rawRounds),
      ),
    )
    if (difference !== undefined) console.log(difference)
  }
  console.log(wrong === 0 ? '\nAll answers match the events.' : `\n${wrong} answers are WRONG.`)
  if (wrong > 0) process.exitCode = 1
  await compareScreens(db, dayOf(world.last))
}

/** Everything else that a page asks for, beside one plain query of the same sales. */
async function compareScreens(db: Db, today: Day): Promise<void> {
  console.log(`\n${line('', 'ours', 'plain query', 'ours / plain')}`)
  for (const { name, ours, reference } of await screensOf(db, today)) {
    const times = { ours: [] as number[], reference: [] as number[] }
    await ours()
    for (let round = 0; round < rounds; round++) {
      times.reference.push(await msOf(reference))
      times.ours.push(await msOf(ours))
    }
    const [mine, plain] = [median(times.ours), median(times.reference)]
    console.log(line(name, mine.toFixed(1), plain.toFixed(1), `${(mine / plain).toFixed(1)} x`))
  }
}

/** Each runs once per round, so that other load on the machine affects all three equally. */
async function measure(db: Db, owner: Db, question: Question) {
  const { asks, report } = question
  const times = { raw: [] as number[], ours: [] as number[], alone: [] as number[] }
  const startedAt = performance.now()
  for (let round = 0; round < rounds; round++) {
    if (round === 0 || performance.now() - startedAt < longestMs)
      times.raw.push(
        await msOf(() => eachOf(asks, (criteria) => askEvents(owner, report, criteria))),
      )
    times.ours.push(await msOf(() => eachOf(asks, (criteria) => askUs(db, question, criteria))))
    times.alone.push(
      await msOf(() => eachOf(asks, (criteria) => readRowsAlone(db, report, criteria))),
    )
  }
  const [raw, ours, alone] = [median(times.raw), median(times.ours), median(times.alone)]
  return { raw, ours, alone, rawRounds: times.raw.length }
}

const eachOf = async (
  asks: readonly ReportCriteria[],
  ask: (criteria: ReportCriteria) => Promise<unknown>,
): Promise<void> => {
  for (const criteria of asks) await ask(criteria)
}

const askUs = (db: Db, { report }: Question, criteria: ReportCriteria): Promise<SiteStats> =>
  statsReport({ db, reportDb: db, clock: systemClock }, superadmin, report, criteria)

async function findDifference(db: Db, owner: Db, question: Question): Promise<string | undefined> {
  for (const criteria of question.asks) {
    const expected = await askEvents(owner, question.report, criteria)
    const actual = answerOf(await askUs(db, question, criteria))
    try {
      deepStrictEqual(actual, expected)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  return undefined
}

type Shown = SiteStats['page']['items'][number] | SiteStats['overall']

/** Our answer in the format of the reference. */
function answerOf({ page, overall, types }: SiteStats): Answer {
  const sumsOf = (row: Shown, earning: number | undefined, bonusEarning: number | undefined) => ({
    raws: row.raws,
    uniques: row.uniques,
    sales: row.sales,
    bonus_sales: row.bonusSales,
    earning_cents: minorUnits(earning),
    bonus_earning_cents: minorUnits(bonusEarning),
    payout_centavos: minorUnits(row.payout),
    bonus_payout_centavos: minorUnits(row.bonusPayout),
    ...(row.payoutPhp !== undefined && {
      paid_centavos: minorUnits(row.payoutPhp),
      paid_cents: minorUnits(row.payoutDollars),
    }),
    ...Object.fromEntries(types.map(({ id }) => [String(id), row[`${id}`] ?? 0])),
  })
  return {
    rows: page.items.map((row) => ({
      key: [row.date, row.agentId, row.companyId, row.typeId, row.siteId]
        .filter((part) => part !== undefined)
        .join(' '),
      sums: sumsOf(row, row.earn, row.bonusEarn),
    })),
    rowCount: page.total,
    overall: sumsOf(overall, overall.earning, overall.bonusEarning),
  }
}

const minorUnits = (amount: number | undefined) => Math.round((amount ?? Number.NaN) * 100)

await withBigWorld('bench:stats', compare)
