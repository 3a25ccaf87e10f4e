import type { DbOrTx } from '../../db/database.ts'
import { findEverDecided } from '../../catalogue/index.ts'
import { decidedWordsOf, wordKey } from '../reading/decided-words.ts'
import { saidIn, type SaidWord } from '../reading/said.ts'
import { MOST_PARAMETERS } from './hear.ts'
import { findAsked, findPlace, findReceivedOf, findWords } from './words.queries.ts'

/** What a site has sent so far, for a question: was this word ever sent? */
export type Vocabulary = {
  /** Of what arrived later, nothing is in it. */
  readUntil: Date
  /** When the site sent its first postback. */
  firstAt: Date | undefined
  /** As many parameters are kept as there may be: of another one, nobody can say that it is new. */
  isFull: boolean
  parameters: ReadonlySet<string>
  /** Parameters with too many values to be words. */
  free: ReadonlySet<string>
  /** By `wordKey`. */
  words: ReadonlySet<string>
  /**
   * Those about which a decision waits, or was made or taken back, by `wordKey`. Where the decision is known, they are read by it;
   * a process that does not know of it yet asks, and what it holds is settled at once.
   */
  asked: ReadonlySet<string>
}

/** How long it is kept in memory. What would be new by it is looked up before it counts as new. */
const KEPT_MS = 60_000

/** Behind by more, not all of the past may be read, so nothing can be called new. */
const MOST_BEHIND_MS = 10 * 60_000

const FIRST_WEEK_MS = 7 * 86_400_000

export type Vocabularies = ReturnType<typeof makeVocabularies>

/** What each site has sent so far, in memory, so that what is no news costs no query. */
export function makeVocabularies() {
  const kept = new Map<number, { atMs: number; vocabulary: Vocabulary }>()
  return {
    async find(db: DbOrTx, siteId: number, at: Date): Promise<Vocabulary> {
      const atMs = at.getTime()
      const known = kept.get(siteId)
      if (known && Math.abs(atMs - known.atMs) < KEPT_MS) return known.vocabulary
      const vocabulary = await readVocabulary(db, siteId)
      kept.set(siteId, { atMs, vocabulary })
      return vocabulary
    },
  }
}

async function readVocabulary(db: DbOrTx, siteId: number): Promise<Vocabulary> {
  const { receivedAt } = await findPlace(db)
  const rows = await findWords(db, [siteId])
  const parameters = rows.filter(({ value }) => value === '')
  // After the words: one that is among them and was asked about is found here, too.
  const asked = await findAsked(db, siteId)
  const decided = decidedWordsOf(await findEverDecided(db, siteId))
  return {
    readUntil: receivedAt,
    firstAt: rows[0]?.firstAt,
    isFull: parameters.length >= MOST_PARAMETERS,
    parameters: new Set(parameters.map(({ parameter }) => parameter)),
    free: new Set(parameters.flatMap(({ parameter, isFree }) => (isFree ? [parameter] : []))),
    words: new Set(rows.map(({ parameter, value }) => wordKey({ parameter, word: value }))),
    asked: new Set([...asked.map(wordKey), ...decided.keys()]),
  }
}

/** Whether the reading of postbacks has caught up with the past. After an upgrade, it has not. */
export const isCaughtUp = ({ readUntil }: Vocabulary, at: Date): boolean =>
  at.getTime() - readUntil.getTime() <= MOST_BEHIND_MS

/** Whether a site has sent postbacks for longer than a week, so that its words can be expected to be known. */
export const isSettledIn = ({ firstAt }: Vocabulary, at: Date): boolean =>
  firstAt !== undefined && at.getTime() - firstAt.getTime() >= FIRST_WEEK_MS

/** Whether a word was never sent, as far as is known in memory. */
export const mayBeNew = (
  { asked, words, free, parameters, isFull }: Vocabulary,
  word: SaidWord,
): boolean =>
  asked.has(wordKey(word)) ||
  (!words.has(wordKey(word)) &&
    !free.has(word.parameter) &&
    (parameters.has(word.parameter) || !isFull))

/** Of such words, those that nothing received before has said, up to this moment. */
export async function findNew<Word extends SaidWord>(
  db: DbOrTx,
  siteId: number,
  words: readonly Word[],
  at: Date,
): Promise<Word[]> {
  if (words.length === 0) return []
  const vocabulary = await readVocabulary(db, siteId)
  if (!isCaughtUp(vocabulary, at)) return []
  const maybe = words.filter((word) => mayBeNew(vocabulary, word))
  if (maybe.length === 0) return []
  const since = vocabulary.readUntil
  const received = await findReceivedOf(db, siteId, { since, limit: MOST_UNREAD })
  const heard = new Set(
    received.flatMap(({ params }) =>
      saidIn(params).flatMap(({ parameter, word }) =>
        word === undefined ? [] : [wordKey({ parameter, word })],
      ),
    ),
  )
  return maybe.filter((word) => vocabulary.asked.has(wordKey(word)) || !heard.has(wordKey(word)))
}

/** Of a site that sends more within half a minute, a new word may be held that a retry says. */
const MOST_UNREAD = 2_000
