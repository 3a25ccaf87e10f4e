import { randomUUID } from 'node:crypto'
import type { Db } from '../src/db/database.ts'
import { rebuildTotals } from '../src/totals/index.ts'
import { buildAgent, buildClick, buildLinkType, buildOffice, buildSite } from './build-world.ts'

/**
 * A world small enough to be counted on paper: two offices, three agents, three sites. Its events stand around
 * New York midnight, on both days on which the clock changes, and in both halves of a month. Noel moves from
 * Manila to Cebu in the week of 2 March.
 *
 *     type   site   AVP   payout   Cebu's own   earning   Cebu's own   points
 *     free   Alpha  yes   100.10                  5.01                    1
 *     paid   Alpha  yes   700.00                 30.00                    3
 *       its bonus          70.07                  5.05                    1
 *     join   Beta   yes   250.50      300.75     12.25       14.00        2
 *     gift   Gamma  no    400.00                 20.00                    1
 */
const events = `
  e01  2025-11-02T03:59:59.999Z  Nov  1  23:59 EDT  maria  manila  free
  e02  2025-11-02T04:00:00.000Z  Nov  2  00:00 EDT  maria  manila  free
  e03  2025-11-03T04:59:59.999Z  Nov  2  23:59 EST  maria  manila  join
  e04  2025-11-03T05:00:00.000Z  Nov  3  00:00 EST  maria  manila  gift
  e05  2025-11-02T06:30:00.000Z  Nov  2  01:30 EST  carlo  cebu    join
  e06  2026-03-02T05:00:00.000Z  Mar  2  00:00 EST  noel   manila  free
  e07  2026-03-04T12:00:00.000Z  Mar  4  07:00 EST  noel   manila  paid  bonus
  e08  2026-03-05T12:00:00.000Z  Mar  5  07:00 EST  noel   cebu    paid
  e09  2026-03-08T04:59:59.999Z  Mar  7  23:59 EST  carlo  cebu    free
  e10  2026-03-08T05:00:00.000Z  Mar  8  00:00 EST  carlo  cebu    gift
  e11  2026-03-09T03:59:59.999Z  Mar  8  23:59 EDT  maria  manila  free
  e12  2026-03-09T04:00:00.000Z  Mar  9  00:00 EDT  maria  manila  paid
  e13  2026-03-10T12:00:00.000Z  Mar 10  08:00 EDT  maria  manila  free  chargeback e11
  e14  2026-03-16T03:59:59.999Z  Mar 15  23:59 EDT  carlo  cebu    join
  e15  2026-03-16T04:00:00.000Z  Mar 16  00:00 EDT  carlo  cebu    join  void       e14
`

const clicks = `
  2025-11-02T05:30:00Z  Nov  2  01:30 EDT  maria  manila  free  198.51.100.1
  2025-11-02T06:30:00Z  Nov  2  01:30 EST  maria  manila  free  198.51.100.1
  2026-03-04T12:00:00Z  Mar  4  07:00 EST  noel   manila  paid  198.51.100.1
  2026-03-08T06:59:00Z  Mar  8  01:59 EST  carlo  cebu    gift  198.51.100.1
  2026-03-08T07:00:00Z  Mar  8  03:00 EDT  carlo  cebu    gift  198.51.100.2
  2026-03-17T12:00:00Z  Mar 17  08:00 EDT  maria  manila  join  198.51.100.1
`

/**
 * Agent volume pay. So the tiers of the agents' weeks are:
 *
 *     week      maria         noel          carlo
 *     27 Oct    3 → tier 2                  1 → tier 1
 *      3 Nov    0 → tier 0
 *      2 Mar    0 → tier 0    2 → tier 2    1 → tier 1
 *      9 Mar    1 → tier 1                  0 → tier 0
 *     16 Mar    0 → tier 0                  0 → tier 0
 *
 * since a reversal takes its sale out of the week in which it was made.
 */
const avpTiers = `
  from        tier  sales   pesos  dollars
  2025-10-27     0  0-0      0.00     0.00
  2025-10-27     1  1-2     10.05     0.21
  2025-10-27     2  3-1000  20.10     0.40
  2026-03-02     0  0-0      1.01     0.02
  2026-03-02     1  1-1     11.00     0.25
  2026-03-02     2  2-1000  25.25     0.55
`

const rates = {
  free: { payout: 100_10, earning: 5_01, lpp: 1 },
  paid: { payout: 700_00, earning: 30_00, lpp: 3 },
  bonus: { payout: 70_07, earning: 5_05, lpp: 1 },
  join: { payout: 250_50, earning: 12_25, lpp: 2 },
  cebuJoin: { payout: 300_75, earning: 14_00, lpp: 2 },
  gift: { payout: 400_00, earning: 20_00, lpp: 1 },
}

/** Builds the world with its totals. The rows' keys are the names in the tables above. */
export async function buildHandCountedWorld(db: Db) {
  const offices = {
    manila: await buildOffice(db, { name: 'Manila' }),
    cebu: await buildOffice(db, { name: 'Cebu' }),
  }
  const agents = {
    maria: await buildAgent(db, { office_id: offices.manila, username: 'maria' }),
    noel: await buildAgent(db, { office_id: offices.cebu, username: 'noel' }),
    carlo: await buildAgent(db, { office_id: offices.cebu, username: 'carlo' }),
  }
  const sites = {
    alpha: await buildSite(db, { sitename: 'Alpha', avp: true }),
    beta: await buildSite(db, { sitename: 'Beta', avp: true }),
    gamma: await buildSite(db, { sitename: 'Gamma' }),
  }
  const siteOf = { free: 'alpha', paid: 'alpha', join: 'beta', gift: 'gamma' } as const
  const types = {
    free: await buildLinkType(db, { site_id: sites.alpha, typename: 'Free' }),
    paid: await buildLinkType(db, { site_id: sites.alpha, typename: 'Paid', bonus: true }),
    join: await buildLinkType(db, { site_id: sites.beta, typename: 'Join' }),
    gift: await buildLinkType(db, { site_id: sites.gamma, typename: 'Gift' }),
  }
  /** The columns that say whose a row is, from the names in its line. */
  const whose = (
    agent: string | undefined,
    office: string | undefined,
    type: string | undefined,
  ) => {
    const typeName = nameIn(types, type)
    return {
      agent_id: agents[nameIn(agents, agent)],
      office_id: offices[nameIn(offices, office)],
      type_id: types[typeName],
      site_id: sites[siteOf[typeName]],
    }
  }

  const eventIds: Record<string, string> = {}
  const postbackIds: Record<string, string> = {}
  for (const [
    name = '',
    instant = '',
    ,
    ,
    ,
    ,
    agent,
    office,
    type = '',
    what = 'sale',
    of,
  ] of linesOf(events)) {
    const isOwn = office === 'cebu' && type === 'join'
    const rate = rates[what === 'bonus' ? 'bonus' : isOwn ? 'cebuJoin' : nameIn(rates, type)]
    const quantity = of === undefined ? 1 : -1
    const id = (eventIds[name] = randomUUID())
    await db
      .insertInto('sale_events')
      .values({
        ...whose(agent, office, type),
        id,
        occurred_at: new Date(instant),
        recorded_at: new Date(instant),
        event_type: what === 'bonus' ? 1 : 0,
        quantity,
        earning_cents: quantity * rate.earning,
        payout_centavos: quantity * rate.payout,
        lpp: quantity * rate.lpp,
        avp: type !== 'gift',
        rate_source: isOwn ? 'office' : 'default',
        fraud: false,
        click_id: `click of ${name}`,
        transaction_id: name,
        postback_id: (postbackIds[name] = randomUUID()),
        ...(of !== undefined && { reverses: eventIds[of] ?? '', reversal: what }),
      })
      .execute()
  }
  const seen = new Set<string>()
  for (const [instant = '', month, day, , , agent, office, type, ip = ''] of linesOf(clicks)) {
    const visitor = [month, day, agent, type, ip].join(' ')
    await buildClick(db, {
      ...whose(agent, office, type),
      clicked_at: new Date(instant),
      ip,
      is_unique: !seen.has(visitor),
    })
    seen.add(visitor)
  }
  const [, ...tiers] = linesOf(avpTiers)
  for (const [from = '', index, sales = '', pesos, dollars] of tiers) {
    const [first, last] = sales.split('-').map(Number)
    await db
      .insertInto('avp_tiers')
      .values({
        valid_from: from,
        index: Number(index),
        from_sales: first ?? 0,
        to_sales: last ?? 0,
        payout_centavos: Math.round(Number(pesos) * 100),
        payout_cents: Math.round(Number(dollars) * 100),
      })
      .execute()
  }
  await rebuildTotals(db)
  return { offices, agents, sites, types, eventIds, postbackIds }
}

const linesOf = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))

function nameIn<Names extends object>(names: Names, name: string | undefined): keyof Names {
  if (name === undefined || !(name in names)) throw new Error(`${name} is not in the world`)
  return name as keyof Names // just looked up
}
