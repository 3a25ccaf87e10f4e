import {
  addDays,
  addMonths,
  type Day,
  lastDayOfMonth,
  monthOf,
  startOfDay,
  todayNewYork,
} from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { hasAccounts } from '../../src/people/index.ts'
import { ensurePartitions, makeClickIds } from '../../src/tracking/index.ts'
import { LEVELS, recountTotals, totalsStoreOf } from '../../src/totals/index.ts'
import { hashPassword } from '../../src/lib/password.ts'
import { noProgress, type Reach } from '../../src/lib/log/progress.ts'
import { demoPassword } from '../demo/people.ts'
import { oneAtATime, type SeedServices } from '../seeding.ts'
import { insertClicks, insertSeenVisitors } from './clicks.ts'
import { insertNetwork } from './network.ts'
import { insertSales } from './sales.ts'
import { checkScale, fullScale, type Scale } from './scale.ts'
import { withoutIndexes } from './without-indexes.ts'

/**
 * Fills an empty database with a network of the size used for performance measurements, in one transaction.
 * Deterministic for a given day. See {@link insertNetwork} for the sign-ins.
 */
export async function seedBig(
  services: Omit<SeedServices, 'ledger'>,
  scale: Scale = fullScale,
): Promise<void> {
  checkScale(scale)
  if (await hasAccounts(services.owner)) return
  const { progress = noProgress } = services
  await progress.step('Big network', (reach) => fillBig(services, scale, reach))
}

async function fillBig(
  { owner, clock, secret, log }: Omit<SeedServices, 'ledger'>,
  scale: Scale,
  reach: Reach,
): Promise<void> {
  const passwordHash = await hashPassword(demoPassword)
  const now = clock.now()
  const today = todayNewYork(now)
  const firstDay = addDays(today, 1 - scale.days)

  await ensurePartitions(owner, clock, { from: addDays(firstDay, -1), to: today })

  const filled = await inTransaction(owner, async (tx) => {
    await oneAtATime(tx)
    if (await hasAccounts(tx)) return false
    await useMemory(tx)
    await insertNetwork(tx, { scale, firstDay, passwordHash })

    await withoutIndexes(tx, ['clicks', 'seen_visitors', 'sale_events', 'sale_keys'], async () => {
      const months = monthsOf(firstDay, today)
      for (const [place, { from, to }] of months.entries()) {
        reach(place, months.length, 'months')
        const clicks = await insertClicks(tx, { scale, from, to, now })
        const sales = await insertSales(tx, {
          from: startOfDay(from),
          before: startOfDay(addDays(to, 1)),
          now,
          share: scale.sales / scale.clicks,
          signClickId: makeClickIds(secret).sign,
        })
        log.info({ from, to, clicks, sales }, 'big world: clicks and sales')
      }
      await insertSeenVisitors(tx, addDays(today, 1 - scale.seenDays))
      log.info('big world: building indexes')
    })
    log.info('big world: counting totals')
    await withoutIndexes(
      tx,
      LEVELS.map(({ table }) => table),
      async () => recountTotals(tx, await totalsStoreOf(owner)),
    )
    return true
  })
  if (!filled) return
  // Also marks pages as all-visible, which enables index-only scans.
  for (const table of bigTables) await sql`vacuum (analyze) ${sql.table(table)}`.execute(owner)
  await sql`analyze`.execute(owner)
  log.info('big world: done')
}

const bigTables = ['clicks', 'sale_events', ...LEVELS.map(({ table }) => table)]

/** More memory for sorting and index builds, only in this transaction. */
async function useMemory(tx: Tx): Promise<void> {
  await sql`set local work_mem = '256MB'`.execute(tx)
  await sql`set local maintenance_work_mem = '512MB'`.execute(tx)
}

function monthsOf(firstDay: Day, lastDay: Day): { from: Day; to: Day }[] {
  const months: { from: Day; to: Day }[] = []
  for (let from = firstDay; from <= lastDay; from = addMonths(monthOf(from), 1)) {
    const end = lastDayOfMonth(from)
    months.push({ from, to: end < lastDay ? end : lastDay })
  }
  return months
}
