import type { Day } from '@tallyroom/domain/new-york'
import type { Tx } from '../../src/db/database.ts'
import { insertAccount } from '../../src/people/index.ts'
import { insertRows } from '../insert-rows.ts'
import { createRandom } from '../random.ts'
import { daysAgo } from './days-ago.ts'
import { at } from './found.ts'
import {
  insertAvpTiers,
  insertDemoRates,
  insertSites,
  type NetworkSite,
  type NetworkType,
} from './network-sites.ts'
import {
  contact,
  type DemoAgent,
  type DemoOffice,
  offices,
  preferredDomains,
  staff,
} from './people.ts'

/** The demo network as stored, with the data from which its history is generated. */
export type Network = {
  agents: NetworkAgent[]
  sites: NetworkSite[]
}

export type NetworkAgent = DemoAgent & {
  id: number
  fraudFlaggedAt: Date | undefined
  office: DemoOffice & { id: number }
  /** The link types that the agent sells, with their shares of the traffic, which add up to 1. */
  links: { type: NetworkType; share: number }[]
}

/** Offices, agents, sites, rates and accounts, all with the same password. */
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
  await insertDemoRates(tx, today, networkOffices, networkSites)
  const agents = await insertAgents(tx, today, networkOffices, networkSites)
  await insertAccounts(tx, { today, passwordHash, networkOffices, agents })
  await insertAvpTiers(tx, today)
  await tx.updateTable('network_contact').set(contact).execute()
  return { agents, sites: networkSites }
}

type NetworkOffice = NetworkAgent['office']

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

/** Manila and Cebu sell everything; each other office leaves out two sites. */
function sitesOf(office: DemoOffice, all: readonly NetworkSite[]): NetworkSite[] {
  const index = offices.findIndex(({ name }) => name === office.name)
  return all.filter((_, place) => index < 2 || (place + index) % 6 !== 5)
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

/** A flagged agent was suspended at the same time. */
const fraudFlaggedAt = (agent: DemoAgent, today: Day): Date | undefined =>
  agent.fraudFlagged && daysAgo(today, agent.suspendedDaysAgo ?? 0)

export const joinedDaysAgo = (
  agent: Pick<DemoAgent, 'joinedDaysAgo'>,
  office: DemoOffice,
): number =>
  agent.joinedDaysAgo ?? officeAge(offices.findIndex(({ name }) => name === office.name)) - 30

/** Three to five sites, popular ones more often, and some link types of each. */
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
    await insertAccount(tx, {
      ...account,
      passwordHash,
      createdAt: daysAgo(today, 900),
      madeBy: 'operator',
    })
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
      madeBy: 'operator',
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
      madeBy: 'operator',
    })
  }
  const blocked = agents.filter(({ loginBlocked }) => loginBlocked).map(({ id }) => id)
  await tx
    .updateTable('accounts')
    .set({ login_blocked: true })
    .where('agent_id', 'in', blocked)
    .execute()
}
