import type { Viewer } from '../../src/access/viewer.ts'
import type { Db, Tx } from '../../src/db/database.ts'
import { endpoints } from '@tallyroom/contract/endpoints'
import { type Clock, fixedClock } from '../../src/lib/clock.ts'
import type { Deed } from './deeds.ts'
import { found } from './found.ts'
import { insertEvents } from './history.ts'
import type { NetworkAgent } from './network.ts'
import { type DemoPeriods, payStepsOf } from './pay-steps.ts'
import type { DemoEvent } from './sales.ts'

type Pay = { tx: Tx; agents: readonly NetworkAgent[]; secret: Buffer; periods: DemoPeriods }

/**
 * Inserts the events in the order in which they were recorded and, in between, closes, pays and
 * corrects as people would, with the product's own code. Returns these steps for the common logs.
 */
export async function insertEventsAndPay(pay: Pay, events: readonly DemoEvent[]): Promise<Deed[]> {
  const { tx } = pay
  const viewers = await findViewers(tx)
  let inserted = 0
  const insertUntil = async (at: Date | undefined) => {
    const next = at ? events.findIndex(({ row }) => new Date(row.recorded_at) > at) : -1
    const end = next === -1 ? events.length : next
    await insertEvents(tx, events.slice(inserted, end))
    inserted = end
  }
  const steps = payStepsOf(pay.agents, pay.periods).toSorted(
    (one, other) => one.at.getTime() - other.at.getTime(),
  )
  for (const step of steps) {
    if (step.endpoint === endpoints.closePayPeriod) await insertUntil(step.at)
    await step.perform(servicesAt(pay, step.at), found(viewers.get(step.by)))
  }
  await insertUntil(undefined)
  return steps
}

function servicesAt({ tx, secret }: Pay, at: Date) {
  const clock = fixedClock(at.toISOString())
  return { tx, db: insideOf(tx, clock), clock, secret, formerSecrets: [] }
}

/** The transaction in the form of a database, whose transactions become parts of it, each with an instant of its own. */
function insideOf(tx: Tx, clock: Clock): Db {
  const builder = {
    setIsolationLevel: () => builder,
    setAccessMode: () => builder,
    execute: <T>(fn: (inner: Tx) => Promise<T>) => fn(tx),
  }
  return new Proxy<Db>(Object.assign(tx, { clock, beside: tx }), {
    get(target, key) {
      if (key === 'transaction') return () => builder
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function findViewers(tx: Tx): Promise<Map<string, Viewer>> {
  const rows = await tx.selectFrom('accounts').select(['id', 'username']).execute()
  return new Map(
    rows.map(({ id, username }) => [
      username,
      {
        accountId: id,
        sessionId: '',
        username,
        permissions: ['PAY'],
        signedInBy: undefined,
        role: 'admin',
        officeId: undefined,
        agentId: undefined,
      },
    ]),
  )
}
