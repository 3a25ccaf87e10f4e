import {
  type DestinationValues,
  type TrackedLink,
  compileDestination,
} from '@tallyroom/domain/tracked-link'
import type { ChangeWatch } from '../../db/changes.ts'
import type { Db } from '../../db/database.ts'
import type { Log } from '../../lib/log/log.ts'
import { findLinkFacts, type LinkFacts } from './destinations.queries.ts'

/** The destination of a working link. */
export type Destination = {
  officeId: number
  urlOf: (values: DestinationValues) => string
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

/** `urlOf` is undefined while the link type is suspended. */
type Type = { siteId: number; urlOf: Destination['urlOf'] | undefined }

/**
 * Keeps agents, link types and permissions separately: their product (5,000 agents × 200 link types) would have
 * a million entries.
 */
export function buildDestinations(facts: LinkFacts, log: Log): Destinations['find'] {
  const activeSites = new Map(facts.sites.map((site) => [site.id, site.active]))
  const clickParams = new Map(facts.sites.map((site) => [site.id, site.click_param]))
  const agents = new Map(facts.agents.map((agent) => [agent.id, agent]))
  const sitesOfOffices = new Map(
    facts.officeSites.map(({ office_id, site_ids }) => [office_id, new Set(site_ids)]),
  )
  const sitesOffForAgents = new Map(
    facts.agentSitesOff.map(({ agent_id, site_ids }) => [agent_id, new Set(site_ids)]),
  )
  const types = new Map<number, Type>(
    facts.types.map(({ id, site_id: siteId, active, url }) => [
      id,
      { siteId, urlOf: active ? compile(id, url, clickParams.get(siteId)) : undefined },
    ]),
  )

  function compile(typeId: number, url: string, clickParam: string | undefined) {
    try {
      return compileDestination(url, clickParam)
    } catch (error) {
      // One invalid URL must not prevent loading the others.
      log.error({ err: error, typeId }, 'the link type has an invalid URL: its links do not work')
      return undefined
    }
  }

  return ({ siteId, typeId, agentId }) => {
    const type = types.get(typeId)
    const agent = agents.get(agentId)
    const isSiteActive = activeSites.get(siteId)
    if (!type || !agent || isSiteActive === undefined || type.siteId !== siteId) return 'unknown'
    const maySell =
      agent.works &&
      sitesOfOffices.get(agent.office_id)?.has(siteId) &&
      !sitesOffForAgents.get(agentId)?.has(siteId)
    return isSiteActive && maySell && type.urlOf
      ? { officeId: agent.office_id, urlOf: type.urlOf }
      : 'inactive'
  }
}
