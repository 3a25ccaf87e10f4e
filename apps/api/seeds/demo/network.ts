import { addDays, atNewYork, type Day, weekdayOf } from '@tallyroom/domain/new-york'
import type { Selectable } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import type { LinkTypes, OfficeFees, Sites } from '../../src/db/types.ts'
import { insertAccount } from '../../src/features/accounts/index.ts'
import { insertRows } from '../insert-rows.ts'
import { createRandom } from '../random.ts'
import { avpSchedules, type DemoLinkType, type DemoSite, ownRates, sites } from './merchants.ts'
import { type DemoAgent, type DemoOffice, offices, preferredDomains, staff } from './people.ts'

/** The demo network as it stands in the database, with what its history is made from. */
export type Network = {
  agents: NetworkAgent[]
  sites: NetworkSite[]
  officeFees: Selectable<OfficeFees>[]
}

export type NetworkAgent = DemoAgent & {
  id: number
  fraudFlaggedAt: Date | undefined
  office: DemoOffice & { id: number }
  /** What it sells, with its share of the agent's traffic; the shares make 1. */
  links: { type: NetworkType; share: number }[]
}

export type NetworkSite = { demo: DemoSite; row: Selectable<Sites>; types: NetworkType[] }

export type NetworkType = { demo: DemoLinkType; row: Selectable<LinkTypes>; site: NetworkSite }

/** Offices, agents, sites, rates and the accounts that sign in, all with the one password. */
export async function insertNetwork(
  tx: Tx,
  { today, passwordHash }: { today: Day; passwordHash: string },
): Promise<Network> {
  const longAgo = daysAgo(today, 900)
  const domains = await tx
    .insertInto('preferred_domains')
    .values(preferredDomains.map((domain) => ({ ...domain, created_at: longAgo })))
    .returning('id')
    .execute()
  const networkSites = await insertSites(tx, today)
  const networkOffices = await insertOffices(tx, today, domains)
  await insertRows(
    tx,
    'office_sites',
    networkOffices.flatMap((office) =>
      sitesOf(office, networkSites).map(({ row }) => ({ office_id: office.id, site_id: row.id })),
    ),
  )
  const officeFees = await insertOwnRates(tx, today, networkOffices, networkSites)
  const agents = await insertAgents(tx, today, networkOffices, networkSites)
  await insertAccounts(tx, { today, passwordHash, networkOffices, agents })
  await insertAvpTiers(tx, today)
  return { agents, sites: networkSites, officeFees }
}

type NetworkOffice = NetworkAgent['office']

/** A working hour of a day in the past. */
export const daysAgo = (today: Day, days: number): Date => atNewYork(addDays(today, -days), '10:30')

async function insertSites(tx: Tx, today: Day): Promise<NetworkSite[]> {
  const rows = await tx
    .insertInto('sites')
    .values(
      sites.map((site, index) => ({
        sitename: site.sitename,
        shortname: site.shortname,
        abbr: site.abbr,
        url: `https://${site.host}`,
        click_param: site.clickParam,
        contact_name: site.contactName,
        phone_num: `+1 555 01${String(index + 20)}`,
        email: `partners@${site.host.replace(/^[a-z]+\.(?=\w+\.)/, '')}`,
        type: site.type,
        use_approve_sale: site.useApproveSale ?? false,
        avp: site.avp ?? false,
        created_at: daysAgo(today, 880 - 25 * index),
      })),
    )
    .returningAll()
    .execute()
  const inserted = sites.map((demo, index) => ({ demo, row: at(rows, index), types: [] }))
  for (const site of inserted) await insertTypes(tx, site)
  return inserted
}

async function insertTypes(tx: Tx, site: NetworkSite): Promise<void> {
  const { demo, row } = site
  const rows = await tx
    .insertInto('link_types')
    .values(
      demo.types.map((type) => ({
        site_id: row.id,
        typename: type.typename,
        typealias: type.typealias,
        bbr_ch: 's2s',
        url: `https://${demo.host}${type.path}`,
        payout_centavos: type.payoutCentavos,
        earning_cents: type.earningCents,
        lpp: type.lpp,
        bonus: type.bonus !== undefined,
        bonus_payout_centavos: type.bonus?.payoutCentavos ?? 0,
        bonus_earning_cents: type.bonus?.earningCents ?? 0,
        bonus_lpp: type.bonus?.lpp ?? 0,
        created_at: row.created_at,
      })),
    )
    .returningAll()
    .execute()
  site.types = demo.types.map((type, index) => ({ demo: type, row: at(rows, index), site }))
}

async function insertOffices(
  tx: Tx,
  today: Day,
  domains: readonly { id: number }[],
): Promise<NetworkOffice[]> {
  const rows = await tx
    .insertInto('offices')
    .values(
      offices.map((office, index) => ({
        name: office.name,
        man_first_name: office.manager[0],
        man_last_name: office.manager[1],
        man_email: `${office.username}@tallyroom.example`,
        agent_notes: office.agentNotes,
        preferred_domain_id: at(domains, office.domain).id,
        active: office.suspendedDaysAgo === undefined,
        created_at: daysAgo(today, officeAge(index)),
      })),
    )
    .returning('id')
    .execute()
  return offices.map((office, index) => ({ ...office, id: at(rows, index).id }))
}

const officeAge = (index: number) => 860 - 105 * index

/** Manila and Cebu sell everything, each other office leaves two sites out. */
function sitesOf(office: DemoOffice, all: readonly NetworkSite[]): NetworkSite[] {
  const index = offices.findIndex(({ name }) => name === office.name)
  return all.filter((_, place) => index < 2 || (place + index) % 6 !== 5)
}

async function insertOwnRates(
  tx: Tx,
  today: Day,
  networkOffices: readonly NetworkOffice[],
  networkSites: readonly NetworkSite[],
): Promise<Selectable<OfficeFees>[]> {
  const rates = ownRates.map(({ office, site, typealias, factor, enabled }) => {
    const { row } = found(
      networkSites
        .find(({ demo }) => demo.sitename === site)
        ?.types.find(({ demo }) => demo.typealias === typealias),
    )
    return {
      type_id: row.id,
      office_id: found(networkOffices.find(({ name }) => name === office)).id,
      enabled,
      payout_centavos: Math.round(row.payout_centavos * factor),
      earning_cents: row.earning_cents,
      lpp: row.lpp,
      bonus_payout_centavos: Math.round(row.bonus_payout_centavos * factor),
      bonus_earning_cents: row.bonus_earning_cents,
      bonus_lpp: row.bonus_lpp,
      changed_at: daysAgo(today, 150),
    }
  })
  return tx.insertInto('office_fees').values(rates).returningAll().execute()
}

async function insertAgents(
  tx: Tx,
  today: Day,
  networkOffices: readonly NetworkOffice[],
  networkSites: readonly NetworkSite[],
): Promise<NetworkAgent[]> {
  const agents = networkOffices.flatMap((office) =>
    office.agents.map((agent) => ({ agent, office })),
  )
  const rows = await tx
    .insertInto('agents')
    .values(
      agents.map(({ agent, office }) => {
        const joinedAt = daysAgo(today, joinedDaysAgo(agent, office))
        return {
          office_id: office.id,
          first_name: agent.firstName,
          last_name: agent.lastName,
          must_read: agent.mustRead ?? '',
          active: agent.suspendedDaysAgo === undefined && office.suspendedDaysAgo === undefined,
          hidden: agent.hidden ?? false,
          approved_at: agent.unapproved ? null : joinedAt,
          fraud_flagged_at: fraudFlaggedAt(agent, today) ?? null,
          created_at: joinedAt,
        }
      }),
    )
    .returning('id')
    .execute()

  const off: { agent_id: number; site_id: number }[] = []
  const inserted = agents.map(({ agent, office }, index) => {
    const { id } = at(rows, index)
    const random = createRandom(`links/${agent.username}`)
    const offered = sitesOf(office, networkSites)
    const switchedOff = !agent.sells && random.chance(0.2) ? random.pick(offered) : undefined
    if (switchedOff) off.push({ agent_id: id, site_id: switchedOff.row.id })
    const links = linksOf(
      agent,
      offered.filter((site) => site !== switchedOff),
    )
    return { ...agent, id, fraudFlaggedAt: fraudFlaggedAt(agent, today), office, links }
  })
  await insertRows(tx, 'agent_sites_off', off)
  return inserted
}

/** An agent that is flagged was suspended at the same time. */
const fraudFlaggedAt = (agent: DemoAgent, today: Day): Date | undefined =>
  agent.fraudFlagged && daysAgo(today, agent.suspendedDaysAgo ?? 0)

export const joinedDaysAgo = (
  agent: Pick<DemoAgent, 'joinedDaysAgo'>,
  office: DemoOffice,
): number =>
  agent.joinedDaysAgo ?? officeAge(offices.findIndex(({ name }) => name === office.name)) - 30

/** Three to five sites, the popular ones more often, and some of the link types of each. */
function linksOf(agent: DemoAgent, offered: readonly NetworkSite[]): NetworkAgent['links'] {
  const random = createRandom(`sites/${agent.username}`)
  const count = agent.sells?.length ?? 3 + random.below(3)
  const chosen = offered
    .map((site) => ({ site, rank: random.wait(1 / site.demo.demand) }))
    .toSorted((a, b) => a.rank - b.rank)
    .filter(({ site }) => agent.sells?.includes(site.demo.sitename) ?? true)
    .slice(0, count)
  const weighted = chosen.flatMap(({ site }) =>
    site.types
      .filter((_, index) => index === 0 || random.chance(0.6))
      .map((type) => ({ type, weight: site.demo.demand * random.between(0.4, 1.6) })),
  )
  const sum = weighted.reduce((total, { weight }) => total + weight, 0)
  return weighted.map(({ type, weight }) => ({ type, share: weight / sum }))
}

async function insertAccounts(
  tx: Tx,
  {
    today,
    passwordHash,
    networkOffices,
    agents,
  }: {
    today: Day
    passwordHash: string
    networkOffices: readonly NetworkOffice[]
    agents: readonly NetworkAgent[]
  },
): Promise<void> {
  for (const account of staff) {
    await insertAccount(tx, { ...account, passwordHash, createdAt: daysAgo(today, 900) })
  }
  for (const [index, { id, username }] of networkOffices.entries()) {
    const createdAt = daysAgo(today, officeAge(index))
    const email = `${username}@tallyroom.example`
    await insertAccount(tx, {
      role: 'company',
      officeId: id,
      username,
      email,
      passwordHash,
      createdAt,
    })
  }
  for (const { id, username, office, ...agent } of agents) {
    const createdAt = daysAgo(today, joinedDaysAgo(agent, office))
    const email = `${username}@tallyroom.example`
    await insertAccount(tx, {
      role: 'agent',
      agentId: id,
      username,
      email,
      passwordHash,
      createdAt,
    })
  }
  const blocked = agents.filter(({ loginBlocked }) => loginBlocked).map(({ id }) => id)
  await tx
    .updateTable('accounts')
    .set({ login_blocked: true })
    .where('agent_id', 'in', blocked)
    .execute()
}

async function insertAvpTiers(tx: Tx, today: Day): Promise<void> {
  const monday = addDays(today, 1 - weekdayOf(today))
  await insertRows(
    tx,
    'avp_tiers',
    avpSchedules.flatMap(({ weeksAgo, tiers }) =>
      tiers.map((tier, index) => ({
        valid_from: addDays(monday, -7 * weeksAgo),
        index,
        from_sales: tier.fromSales,
        to_sales: tier.toSales,
        payout_centavos: tier.payoutCentavos,
        payout_cents: tier.payoutCents,
      })),
    ),
  )
}

/** PostgreSQL returns inserted rows in the order of their values. */
function at<T>(items: readonly T[], index: number): T {
  return found(items[index])
}

function found<T>(item: T | undefined): T {
  if (item === undefined)
    throw new RangeError('The demo world names something that it does not have')
  return item
}
