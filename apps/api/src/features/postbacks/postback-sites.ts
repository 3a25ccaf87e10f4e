import { isPostbackEvent, type PostbackEvent } from '@tallyroom/domain/event-types'
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

/** After this long a changed site or a retired key is noticed on every process. */
const MAX_AGE_MS = 5_000
/** What looks wrong may only be new: then this old is old enough to look again. */
const MIN_AGE_MS = 200

/** All sites, in memory: a stranger who tries ids and keys costs no query. */
export function makePostbackSites({ db, clock }: Pick<Services, 'db' | 'clock'>, keys: SiteKeys) {
  let sites = new Map<number, PostbackSite>()
  let loadedAtMs = -Infinity
  let loading: Promise<void> | undefined
  let timesForgotten = 0

  const load = () => (loading ??= reload().finally(() => (loading = undefined)))

  async function reload(): Promise<void> {
    const startedAtMs = clock.now().getTime()
    const current = timesForgotten
    const [rows, secrets] = [await findSites(db), await keys.findAll()]
    if (current !== timesForgotten) return // it may have been read before the change
    sites = new Map(
      rows.map((row) => [
        row.id,
        { ...row, eventWords: readWords(row.eventWords), secrets: secrets.get(row.id) ?? [] },
      ]),
    )
    loadedAtMs = startedAtMs
  }

  const isOlderThan = (ms: number) => Math.abs(clock.now().getTime() - loadedAtMs) >= ms

  return {
    /**
     * The site for which `accepts` holds. When it does not hold for what is in memory, the database is
     * asked, at most five times a second.
     */
    async find(
      siteId: number,
      accepts: (site: PostbackSite) => boolean = () => true,
    ): Promise<PostbackSite | undefined> {
      if (isOlderThan(MAX_AGE_MS)) await load()
      const known = sites.get(siteId)
      if (known && accepts(known)) return known
      if (!isOlderThan(MIN_AGE_MS)) return undefined
      await load()
      const found = sites.get(siteId)
      return found && accepts(found) ? found : undefined
    },

    /** The next look is into the database. */
    forget() {
      timesForgotten += 1
      loadedAtMs = -Infinity
      loading = undefined
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
