import type { DestinationValues, TrackedLink } from '@tallyroom/domain/tracked-link'
import { compileDestination } from '@tallyroom/domain/tracked-link'
import type { ChangeWatch } from '../../db/changes.ts'
import type { Db } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
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
export function keepDestinations(db: Db, changes: ChangeWatch, log: Log): Destinations {
  let find: Destinations['find'] | undefined
  changes.keepFresh(['destinations'], async () => {
    find = buildDestinations(await findLinkFacts(db), log)
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
  const sitesOfOffices = groupSites(facts.officeSites, ({ office_id }) => office_id)
  const sitesOffForAgents = groupSites(facts.agentSitesOff, ({ agent_id }) => agent_id)
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

function groupSites<Row extends { site_id: number }>(
  rows: readonly Row[],
  ownerOf: (row: Row) => number,
): Map<number, Set<number>> {
  const groups = new Map<number, Set<number>>()
  for (const row of rows) {
    const sites = groups.get(ownerOf(row))
    if (sites) sites.add(row.site_id)
    else groups.set(ownerOf(row), new Set([row.site_id]))
  }
  return groups
}
