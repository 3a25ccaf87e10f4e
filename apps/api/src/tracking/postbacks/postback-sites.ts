import type { ChangeWatch } from '../../db/changes.ts'
import type { PostbackEvent } from '@tallyroom/domain/event-types'
import { partRuleOf } from '@tallyroom/domain/holds'
import { statusKey } from '@tallyroom/domain/standings'
import { findTracker } from '@tallyroom/domain/trackers'
import type { Services } from '../../services.ts'
import type { OrderRules } from '../sales/report.ts'
import type { Dialect } from './parse-postback.ts'
import { decidedWordsOf } from '../reading/decided-words.ts'
import type { SiteKeys } from '../site-keys/site-keys.ts'
import {
  findFormerApproveSale,
  flagAt,
  type FormerFlag,
  readEventWords,
  readStatusWords,
  readWordReadings,
} from '../../catalogue/index.ts'
import { findSites } from '../site-keys/site-keys.queries.ts'

/** A site from the viewpoint of its merchant's postbacks. */
export type PostbackSite = Dialect &
  OrderRules & {
    id: number
    /** Whether it used approve-sale before each change, oldest first. */
    formerApproveSale?: readonly FormerFlag[]
    /** Fixed answer text, sent with status 200 whatever the outcome. */
    alwaysOkText: string | null
    /** Whether it has orders that wait for the merchant's approval. */
    hasPending: boolean
    /** Whether it ever had such orders. */
    hadPending: boolean
    /** Set once this process has kept one, until the site is read again. */
    keptPending?: boolean
    /** Of a click and a code that an order names, the code counts. */
    couponWins: boolean
    /** The accepted secrets, newest first. */
    secrets: readonly string[]
  }

/** Whether a site used approve-sale at a time: a late report is read like a timely one. */
export const usedApproveSale = (
  {
    useApproveSale,
    formerApproveSale = [],
  }: Pick<PostbackSite, 'useApproveSale' | 'formerApproveSale'>,
  at: Date,
): boolean => flagAt(useApproveSale, formerApproveSale, at)

/** The merchant's words for events, and those that it was agreed to ignore. */
function eventWordsOf(stored: unknown): Pick<PostbackSite, 'eventWords' | 'ignoredWords'> {
  const eventWords = new Map<string, PostbackEvent>()
  const ignoredWords = new Set<string>()
  for (const { word, event } of readEventWords(stored)) {
    if (event === 'nothing') ignoredWords.add(word.toLowerCase())
    else eventWords.set(word.toLowerCase(), event)
  }
  return { eventWords, ignoredWords }
}

export type PostbackSites = ReturnType<typeof makePostbackSites>

/** A rejected key may be new: before refusing it, the cache is reloaded if it is older than this. */
const MIN_AGE_MS = 200

/** All sites, in memory, so that strangers who guess ids and keys cost no queries. */
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
    const formerApproveSale = await findFormerApproveSale(db)
    if (number < latest) return // a newer reload has finished first
    latest = number
    loadedAtMs = startedAtMs
    sites = new Map(
      rows.map((row) => [
        row.id,
        {
          ...row,
          ...eventWordsOf(row.eventWords),
          formerApproveSale: formerApproveSale.get(row.id) ?? [],
          decidedWords: decidedWordsOf(readWordReadings(row.wordReadings)),
          partRule: partRuleOf(row.partRule),
          statusWords: new Map(
            readStatusWords(row.statusWords).map(({ word, standing }) => [
              statusKey(word),
              standing,
            ]),
          ),
          tracker: findTracker(row.tracker),
          secrets: secrets.get(row.id) ?? [],
        },
      ]),
    )
  }

  /** Joins a running reload. */
  const load = () => (loading ??= reload().finally(() => (loading = undefined)))

  return {
    /** Reloads whenever a process changes a site or its keys. */
    keepFresh(changes: Pick<ChangeWatch, 'keepFresh'>): void {
      changes.keepFresh(['destinations', 'site-keys'], reload)
    },

    /** Afterwards, the cache has everything that was committed before the call. */
    reload,

    /**
     * The site that `accepts` matches. If none in memory matches, queries the database at most five times a
     * second.
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
