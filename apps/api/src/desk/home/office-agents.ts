import type { Home } from '@tallyroom/contract/desk/home'
import { addDays, type Day, dayOf } from '@tallyroom/domain/new-york'
import { previousRange } from '@tallyroom/domain/periods'
import type { Scope } from '../../access/scope.ts'
import type { HomeReader } from './home-reader.ts'
import { findOfficeAgents, type OfficeAgent } from './office-agents.queries.ts'

const quietShown = 6
const sellersShown = 3
/** How many days to search for an agent's last sale. */
const daysRead = 30
/** An agent is quiet after this many days without a sale, today included. */
const quietDays = 3

/** How the agents of an office are doing. */
export async function readAgents(
  { tx, today }: HomeReader,
  scope: Scope & { sees: 'office' },
): Promise<NonNullable<Home['agents']>> {
  const week = { start: addDays(today, -7), end: addDays(today, -1) }
  const before = previousRange(week)
  const days = { start: addDays(today, 1 - daysRead), end: today }
  const all = await findOfficeAgents(tx, scope, { days, now: week, before })

  const approved = all.filter(({ approvedAt }) => approvedAt !== null)
  const quietFrom = addDays(today, 1 - quietDays)
  const quiet = approved
    // A new agent is given the same three days.
    .filter(({ approvedAt }) => approvedAt !== null && isBefore(approvedAt, quietFrom))
    .filter(({ lastSaleDay }) => lastSaleDay === null || lastSaleDay < quietFrom)
    .toSorted((a, b) => (b.lastSaleDay ?? '').localeCompare(a.lastSaleDay ?? ''))
  const best = approved.filter(({ sales }) => sales > 0).toSorted((a, b) => b.sales - a.sales)
  const fallen = all
    .filter((agent) => agent.sales < agent.salesBefore && !best.includes(agent))
    .toSorted((a, b) => lossOf(b) - lossOf(a))
    .slice(0, sellersShown)
  const waiting = all.filter(({ approvedAt }) => approvedAt === null)
  const since = waiting.map(({ createdAt }) => createdAt.toISOString()).toSorted()[0]
  return {
    quiet: {
      total: quiet.length,
      items: quiet.slice(0, quietShown).map(({ id, username, lastSaleDay }) => ({
        agentId: id,
        username,
        lastSaleDay,
      })),
    },
    compared: { ...week, before },
    best: best.map(presentSales),
    fallen: fallen.map(presentSales),
    unapproved: since === undefined ? null : { count: waiting.length, since },
  }
}

const isBefore = (instant: Date, day: Day) => dayOf(instant) < day

const lossOf = ({ sales, salesBefore }: OfficeAgent) => salesBefore - sales

const presentSales = ({ id, username, sales, salesBefore }: OfficeAgent) => ({
  agentId: id,
  username,
  sales,
  salesBefore,
})
