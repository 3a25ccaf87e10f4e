import { dayOf, endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import { type PayPeriod, payPeriodFrom, payPeriodsBetween } from '@tallyroom/domain/pay'
import { periodOf } from '@tallyroom/domain/periods'
import { sql } from 'kysely'
import type { Db } from '../apps/api/src/db/database.ts'
import { closePeriod } from '../apps/api/src/pay/closing/close-period.ts'
import { verifyPay } from '../apps/api/src/pay/verify/verify-pay.ts'
import { beginSeals } from '../apps/api/src/seals/begin-seals.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { line, withBigWorld } from './big-world.ts'
import { median, msOf } from './measure.ts'

/** The number of half-months that are closed, one after the other. */
const rounds = 7

/**
 * Closes the last half-months of the big world, each alternating with the raw sums of the same
 * events: by agent, site, link type and rate, like the lines of statements. Then verifies all
 * closed periods.
 *
 *     DATABASE_URL   a PostgreSQL server, empty or with the big world; default: a separate embedded engine
 *     SCALE          clicks to create in an empty database, 2000000 or `full` (20 million)
 */
async function closeAll(db: Db): Promise<void> {
  const periods = await switchPayOn(db)
  console.log(`\n${line('', 'closing', 'raw sums', 'closing / raw', 'events', 'statements')}`)
  const times = { ours: [] as number[], raw: [] as number[] }
  for (const { name, start, end } of periods) {
    const raw = await msOf(() =>
      sql`
        select agent_id, office_id, site_id, type_id, rate_source, payout_centavos, event_type,
          sum(quantity), sum(payout_centavos), sum(earning_cents)
        from sale_events
        where occurred_at >= ${startOfDay(start)} and occurred_at < ${endOfDayExclusive(end)}
        group by 1, 2, 3, 4, 5, 6, 7
      `.execute(db),
    )
    let closed = { events: 0, statements: 0 }
    const ours = await msOf(async () => {
      closed = await closePeriod({ db }, { id: 1, name: 'bench' }, { name, typed: name, seen: [] })
    })
    times.ours.push(ours)
    times.raw.push(raw)
    const cells = [ours.toFixed(0), raw.toFixed(0), `${(ours / raw).toFixed(1)} x`]
    console.log(line(name, ...cells, String(closed.events), String(closed.statements)))
  }
  const [ours, raw] = [median(times.ours), median(times.raw)]
  console.log(line('median', ours.toFixed(0), raw.toFixed(0), `${(ours / raw).toFixed(1)} x`))
  await beginSeals({ db }) // as a start does
  const startedAt = performance.now()
  const faults = await verifyPay(db)
  console.log(`\nVerified in ${(performance.now() - startedAt).toFixed(0)} ms:`, faults)
}

/** From the first of the last half-months on. Earlier sales count as settled outside. */
async function switchPayOn(db: Db): Promise<PayPeriod[]> {
  const today = dayOf(systemClock.now())
  const first = payPeriodFrom(periodOf(today, 'beWeek', rounds).start, 'beWeek')
  const last = periodOf(today, 'beWeek', 1)
  await db
    .insertInto('pay_state')
    .values({ started_at: startOfDay(first.start), first_day: first.start })
    .execute()
  await db
    .insertInto('pay_settings')
    .values({
      from_day: first.start,
      payees: 'offices',
      period_length: 'beWeek',
      avp: 'instead',
      minimum_centavos: 0,
      minimum_cents: 0,
      set_at: startOfDay(first.start),
      set_by: 1,
    })
    .execute()
  return payPeriodsBetween([{ fromDay: first.start, length: 'beWeek' }], first.start, last.end)
}

await withBigWorld('bench:pay', closeAll)
