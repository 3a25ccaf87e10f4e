import { type Carried, lookOf } from '@tallyroom/domain/short-link'
import type { TrackedLink } from '@tallyroom/domain/tracked-link'
import type { ChangeWatch } from '../../db/changes.ts'
import type { Db } from '../../db/database.ts'
import { findShortLinkChanges, type ShortLinkFact } from './short-links.queries.ts'

/** The link that a short link stands for. Whether it works, its destination says. */
export type ShortLink = { link: TrackedLink; carries: Carried }

export type ShortLinks = {
  /** By any of its names, in whatever case. `not yet`: what there is has not been read yet. */
  find(name: string): ShortLink | 'unknown' | 'not yet'
}

/** At most one reading per this time, since each is kept on disk. */
const REST_MS = 250

/**
 * Keeps all names of short links in memory. Changes take effect within a second in every process. Only what has changed is read:
 * whoever writes holds a lock until the commit, so what is numbered later is committed later.
 */
export function keepShortLinks(
  db: Db,
  changes: Pick<ChangeWatch, 'keepFresh'>,
  onLoad: (facts: readonly ShortLinkFact[]) => void,
): ShortLinks {
  const known = new Map<string, ShortLinkFact>()
  let read: number | undefined
  changes.keepFresh(
    ['short-links'],
    async () => {
      const found = await findShortLinkChanges(db, read ?? 0)
      for (const change of found) {
        if (change.site_id === null) known.delete(change.look)
        else known.set(change.look, factOf(change))
      }
      read = found.at(-1)?.changed_in ?? read ?? 0
      onLoad([...known.values()])
    },
    { restMs: REST_MS },
  )
  return { find: (name) => (read === undefined ? 'not yet' : findIn(known, name)) }
}

/** As an earlier process kept them. What is not among them may have been made in its last moments. */
export function shortLinksOf(facts: readonly ShortLinkFact[]): ShortLinks {
  const known = new Map(facts.map((fact) => [fact.look, fact]))
  return {
    find(name) {
      const found = findIn(known, name)
      return found === 'unknown' ? 'not yet' : found
    },
  }
}

function findIn(known: ReadonlyMap<string, ShortLinkFact>, name: string): ShortLink | 'unknown' {
  const fact = known.get(lookOf(name))
  if (!fact) return 'unknown'
  const { site_id: siteId, type_id: typeId, agent_id: agentId, carries } = fact
  return { link: { siteId, typeId, agentId }, carries }
}

const factOf = ({ look, site_id, type_id, agent_id, carries }: ShortLinkFact): ShortLinkFact => ({
  look,
  site_id,
  type_id,
  agent_id,
  carries,
})
