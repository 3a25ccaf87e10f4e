import { isPostbackEvent, type PostbackEvent } from '@tallyroom/domain/event-types'
import type { ChangeWatch } from '../../db/changes.ts'
import type { Services } from '../../services.ts'
import type { Dialect } from './parse-postback.ts'
import type { SiteKeys } from './site-keys.ts'
import { findSites } from './site-keys.queries.ts'

/** A site as its merchant's postbacks meet it. */
export type PostbackSite = Dialect & {
  id: number
  useApproveSale: boolean
  /** What is answered with 200 whatever happened, for callers that read nothing else. */
  alwaysOkText: string | null
  /** The secrets that are accepted, the newest first. */
  secrets: readonly string[]
}

export type PostbackSites = ReturnType<typeof makePostbackSites>

/** A key that memory does not accept may be new: memory this old is reloaded before the key is refused. */
const MIN_AGE_MS = 200

/** All sites, in memory: a stranger who tries ids and keys costs no query. */
export function makePostbackSites({ db, clock }: Pick<Services, 'db' | 'clock'>, keys: SiteKeys) {
  let sites: Map<number, PostbackSite> | undefined
  let loadedAtMs = 0
  let loading: Promise<void> | undefined
  let reloads = 0
  let latest = 0

  async function reload(): Promise<void> {
    const number = ++reloads
    const startedAtMs = clock.now().getTime()
    const [rows, secrets] = [await findSites(db), await keys.findAll()]
    if (number < latest) return // a later reload has finished first
    latest = number
    loadedAtMs = startedAtMs
    sites = new Map(
      rows.map((row) => [
        row.id,
        { ...row, eventWords: readWords(row.eventWords), secrets: secrets.get(row.id) ?? [] },
      ]),
    )
  }

  /** Joins a reload that is under way. */
  const load = () => (loading ??= reload().finally(() => (loading = undefined)))

  return {
    /** Reloads when any process has changed a site or its keys. */
    keepFresh(changes: Pick<ChangeWatch, 'keepFresh'>): void {
      changes.keepFresh('destinations', reload)
      changes.keepFresh('site-keys', reload)
    },

    /** Everything that was committed before the call is in memory afterwards. */
    reload,

    /**
     * The site for which `accepts` holds. When it does not hold for what is in memory, the database is
     * asked, at most five times a second.
     */
    async find(
      siteId: number,
      accepts: (site: PostbackSite) => boolean = () => true,
    ): Promise<PostbackSite | undefined> {
      if (!sites) await load()
      const known = sites?.get(siteId)
      if (known && accepts(known)) return known
      if (Math.abs(clock.now().getTime() - loadedAtMs) < MIN_AGE_MS) return undefined
      await load()
      const found = sites?.get(siteId)
      return found && accepts(found) ? found : undefined
    },
  }
}

function readWords(words: unknown): Map<string, PostbackEvent> {
  const known = new Map<string, PostbackEvent>()
  if (typeof words !== 'object' || words === null) return known
  for (const [word, meaning] of Object.entries(words)) {
    if (typeof meaning === 'string' && isPostbackEvent(meaning)) {
      known.set(word.toLowerCase(), meaning)
    }
  }
  return known
}
