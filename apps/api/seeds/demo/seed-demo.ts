import { addDays, todayNewYork } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { hasAccounts } from '../../src/people/index.ts'
import { ensurePartitions, makeClickIds, makeSiteKeys } from '../../src/tracking/index.ts'
import { recountTotals, totalsStoreOf } from '../../src/totals/index.ts'
import { type Rates, ratesOf } from '../../src/catalogue/index.ts'
import { hashPassword } from '../../src/lib/password.ts'
import { noProgress, type Reach } from '../../src/lib/log/progress.ts'
import { oneAtATime, type SeedServices } from '../seeding.ts'
import { demoDays, makeClicks } from './clicks.ts'
import { insertCodes } from './codes.ts'
import { insertContent } from './content.ts'
import { insertCouponOrders, sellByCode } from './coupon-orders.ts'
import { insertDeeds } from './deeds.ts'
import { insertClicks } from './history.ts'
import { insertNetwork, type Network } from './network.ts'
import { insertEventsAndPay } from './pay.ts'
import { demoPeriods, outageOf } from './pay-steps.ts'
import { demoPassword } from './people.ts'
import { insertPostbacks, makeOthers, namedIn } from './postbacks.ts'
import { makeEvents } from './sales.ts'
import { insertSignIns, sealDemoPasswords } from './sign-ins.ts'

/**
 * Fills an empty database with the demo world, in one transaction: deterministic, relative to today, and up to
 * now. If several processes start at once, one does it.
 */
export async function seedDemo(services: SeedServices): Promise<void> {
  if (await hasAccounts(services.owner)) return
  const { progress = noProgress } = services
  await progress.step('Demo network', (reach) => fillDemo(services, reach))
}

async function fillDemo(
  { owner, ledger, clock, secret, passwords, log }: SeedServices,
  reach: Reach,
): Promise<void> {
  const startedAt = performance.now()
  const passwordHash = await hashPassword(demoPassword)
  const now = clock.now()
  const today = todayNewYork(now)
  await ensurePartitions(owner, clock, { from: addDays(today, -demoDays), to: today })

  const isSeeded = await inTransaction(owner, async (tx) => {
    await oneAtATime(tx)
    if (await hasAccounts(tx)) return false
    reach(0, 100)
    const network = await insertNetwork(tx, { today, passwordHash })
    if (passwords) await sealDemoPasswords(tx, passwords)
    reach(5, 100)
    await insertSignIns(tx, { today, now })
    await insertContent(tx, { ...network, today, now })
    const codes = await insertCodes(tx, { ...network, today })

    reach(8, 100)
    const periods = demoPeriods(today)
    const clicks = makeClicks(network.agents, today, now)
    const signClickId = makeClickIds(secret).sign
    const clicked = makeEvents(clicks, {
      now,
      ratesOf: await ratesOfNetwork(tx, network, now),
      signClickId,
      outage: outageOf(periods),
    })
    const others = makeOthers(clicked, now)
    const events = sellByCode(clicked, { codes, named: namedIn(others), signClickId })
    await insertClicks(tx, clicks)
    reach(50, 100)
    const payDeeds = await insertEventsAndPay(
      { tx, secret, periods, agents: network.agents },
      events,
    )
    reach(66, 100)
    await insertDeeds(tx, { ...network, today, now, payDeeds })
    reach(68, 100)
    await insertCouponOrders(tx, events)
    await insertPostbacks(tx, events, { others, ledger, secret })
    await keepFacts(tx)
    await tx.insertInto('demo_world').values({ filled_at: now }).execute()
    reach(76, 100)
    await recountTotals(tx, await totalsStoreOf(owner))
    await sql`analyze`.execute(tx)
    log.info(
      {
        clicks: clicks.length,
        events: events.length,
        ms: Math.round(performance.now() - startedAt),
      },
      'loaded the demo world',
    )
    return true
  })
  if (isSeeded) await provideSiteKeys({ owner, secret })
}

/**
 * Nobody gets a mail about what happened before the world was filled. The same world has the same ids, of version 8: by functions
 * whose result depends on nothing else, as Citus computes no others here.
 */
async function keepFacts(tx: Tx): Promise<void> {
  await tx.deleteFrom('untold_facts').execute()
  await sql`
    update facts
    set id = overlay(
      overlay(
        md5(kind || extract(epoch from happened_at at time zone 'UTC')::text || subject::text)
        placing '8' from 13
      ) placing '8' from 17
    )::uuid
  `.execute(tx)
}

/** Normally a site gets its key on demand; demo merchants already have theirs. */
async function provideSiteKeys({
  owner,
  secret,
}: Pick<SeedServices, 'owner' | 'secret'>): Promise<void> {
  const keys = makeSiteKeys({ db: owner, secret, formerSecrets: [] })
  const sites = await owner.selectFrom('sites').select('id').orderBy('id').execute()
  for (const { id } of sites) await keys.provide(id)
}

/** The rates of every agent's links, which have not changed since the first sale. */
async function ratesOfNetwork(tx: Tx, { agents }: Network, now: Date) {
  const known = new Map<string, Rates>()
  for (const { office, links } of agents) {
    for (const { type } of links) {
      const key = `${type.row.id} ${office.id}`
      const rates = known.has(key) ? undefined : await ratesOf(tx, type.row.id, office.id, now)
      if (rates) known.set(key, rates)
    }
  }
  return (typeId: number, officeId: number): Rates => {
    const rates = known.get(`${typeId} ${officeId}`)
    if (!rates) throw new RangeError(`Office ${officeId} does not sell link type ${typeId}`)
    return rates
  }
}
