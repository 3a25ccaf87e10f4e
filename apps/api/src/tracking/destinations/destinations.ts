import {
  type Brought,
  compileDestination,
  type DestinationValues,
} from '@tallyroom/domain/destination'
import { hostsOf } from '@tallyroom/domain/merchant-page'
import type { TrackedLink } from '@tallyroom/domain/tracked-link'
import type { ChangeWatch } from '../../db/changes.ts'
import type { Db } from '../../db/database.ts'
import type { Log } from '../../lib/log/log.ts'
import { findLinkFacts, type LinkFacts } from './destinations.queries.ts'

/** The destination of a working link. */
export type Destination = {
  officeId: number
  target: Target
  /** The place of the link that visitors are sent to instead, because what theirs is for is suspended. */
  instead?: Pick<TrackedLink, 'siteId' | 'typeId'>
}

/** Where the links of a link type lead. */
export type Target = {
  urlOf: (values: DestinationValues, brought?: Brought) => string
  /** Whether what a visitor's URL carries besides ours goes there, too. */
  forwards: boolean
  /** Whose pages they may lead to: see `pageOf`. */
  hosts: readonly string[]
}

export type Destinations = {
  /** False until loaded for the first time. */
  isLoaded(): boolean
  /** `unknown`: the link does not exist. `inactive`: it is switched off somewhere. */
  find(link: TrackedLink): Destination | 'unknown' | 'inactive'
}

/**
 * Caches everything that tracked links need. Changes take effect within a second in every process, and links
 * keep working while the database is down.
 */
export function keepDestinations(
  db: Db,
  changes: ChangeWatch,
  { log, onLoad }: { log: Log; onLoad: (facts: LinkFacts) => void },
): Destinations {
  let find: Destinations['find'] | undefined
  changes.keepFresh(['destinations'], async () => {
    const facts = await findLinkFacts(db)
    find = buildDestinations(facts, log)
    onLoad(facts)
  })
  return {
    isLoaded: () => find !== undefined,
    find: (link) => (find ? find(link) : 'unknown'),
  }
}

/** `target` is undefined while the link type is suspended. */
type Type = { siteId: number; target: Target | undefined }

/**
 * Keeps agents, link types and permissions separately: their product (5,000 agents × 200 link types) would have
 * a million entries.
 */
export function buildDestinations(facts: LinkFacts, log: Log): Destinations['find'] {
  const sites = new Map(facts.sites.map((site) => [site.id, site]))
  const agents = new Map(facts.agents.map((agent) => [agent.id, agent]))
  const sitesOfOffices = new Map(
    facts.officeSites.map(({ office_id, site_ids }) => [office_id, new Set(site_ids)]),
  )
  const sitesOffForAgents = new Map(
    facts.agentSitesOff.map(({ agent_id, site_ids }) => [agent_id, new Set(site_ids)]),
  )
  const types = new Map<number, Type>(
    facts.types.map((type) => [
      type.id,
      { siteId: type.site_id, target: type.active ? targetOf(type) : undefined },
    ]),
  )

  function targetOf({ id: typeId, site_id: siteId, url, ...type }: LinkFacts['types'][number]) {
    const site = sites.get(siteId)
    try {
      return {
        urlOf: compileDestination(url, site?.click_param),
        forwards: type.forward_params,
        hosts: hostsOf(url, site?.deep_hosts ?? []),
      }
    } catch (error) {
      // One invalid URL must not prevent loading the others.
      log.error({ err: error, typeId }, 'the link type has an invalid URL: its links do not work')
      return undefined
    }
  }

  return ({ siteId, typeId, agentId }) => {
    const type = types.get(typeId)
    const agent = agents.get(agentId)
    const site = sites.get(siteId)
    if (!type || !agent || !site || type.siteId !== siteId) return 'unknown'
    const hasEnded = !site.active || !type.target
    if (!hasEnded) return whereSold(type, agent) ?? 'inactive'
    // One step: the link type there has no other in its place.
    const instead = site.instead_type_id === null ? undefined : types.get(site.instead_type_id)
    const sold = instead && whereSold(instead, agent)
    if (!sold) return 'inactive'
    return { ...sold, instead: { siteId: instead.siteId, typeId: site.instead_type_id ?? 0 } }
  }

  /** Where an agent's links of a link type lead, if they work. */
  function whereSold(
    { siteId, target }: Type,
    agent: LinkFacts['agents'][number],
  ): Destination | undefined {
    const isSold =
      sites.get(siteId)?.active &&
      agent.works &&
      sitesOfOffices.get(agent.office_id)?.has(siteId) &&
      !sitesOffForAgents.get(agent.id)?.has(siteId)
    return isSold && target ? { officeId: agent.office_id, target } : undefined
  }
}
