import type { siteWordsEndpoints } from '@tallyroom/contract/tracking/site-words'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { actOfReading, allows, type WordReading } from '@tallyroom/domain/holds'
import type { Viewer } from '../../access/viewer.ts'
import { decideWord, lockSite, readWordReadings } from '../../catalogue/index.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { decidedWordsOf, wordKey } from '../reading/decided-words.ts'
import { said } from '../reading/said.ts'
import { findDecision } from '../held/held.queries.ts'
import type { HeldWord } from '../sales/report.ts'
import { byHand, findLocked, settle, type SettleNeeds } from './settle-waiting.ts'
import { findHeldForWord, findKindsOfWord, findWaitingWords } from '../words/word-holds.queries.ts'

type Decision = RequestOf<(typeof siteWordsEndpoints)['decideSiteWord']>['body']

/** Settled before the answer. What is left is settled within seconds. */
const AT_ONCE = 200

/**
 * Keeps what a word of a site means, and settles by it what is held for the word, each in a transaction of its own. What
 * arrives from now on is read by it. Of a deleted site, nothing arrives and nothing is kept: it settles what is held.
 *
 * @throws NOT_FOUND, CONFLICT if nothing is held for it or it is decided, or VALIDATION_ERROR for what can't be said of it.
 */
export async function decideSiteWord(
  needs: SettleNeeds,
  viewer: Viewer,
  siteId: number,
  { reason, ...decided }: Decision,
): Promise<{ settled: number; held: number }> {
  const { parameter: name, value: word, event, reading } = decided
  const asked = { siteId, parameter: said(name, word)?.parameter ?? name, word, event }
  const isKept = await inTransaction(needs.db, async (tx) => {
    const site = await lockSite(tx, siteId)
    const kinds = await findKindsOfWord(tx, asked)
    if (kinds.length === 0 && !site) throw notFound('site')
    if (kinds.length === 0)
      throw conflict('Nothing waits with this word any more. Somebody else may have decided it.')
    if (!kinds.every((kind) => allows(kind, actOfReading(reading), true)))
      throw invalid({
        reading: [
          'can’t be said of a word that seems to take money back. Choose takes-back or nothing',
        ],
      })
    if (site) await decideWord(tx, site, decided, viewer)
    return site !== undefined
  })
  const ids = await findHeldForWord(needs.db, asked, isKept ? AT_ONCE : MOST)
  const by = { reading, note: reason, settledBy: viewer.accountId }
  let settled = 0
  for (const id of ids) if (await settleForWord(needs, id, asked, by)) settled++
  const held = (await findHeldForWord(needs.db, asked, MOST)).length
  return { settled, held }
}

/**
 * Settles what is held for words that are decided: what came while somebody decided, or was left when a process ended. Several
 * processes share the work. What fails keeps nothing else from being settled.
 */
export async function settleDecided(needs: SettleNeeds): Promise<void> {
  const failures: unknown[] = []
  for (const word of await findWaitingWords(needs.db, { isNew: false, limit: MOST })) {
    const decided = decidedWordsOf(readWordReadings(word.wordReadings))
    const reading = decided.get(wordKey(word))?.get(word.event)
    if (reading === undefined) continue
    const by = { reading, note: null, settledBy: null }
    for (const id of await findHeldForWord(needs.db, word, MOST)) {
      await settleForWord(needs, id, word, by).catch((error: unknown) => failures.push(error))
    }
  }
  if (failures.length > 0) throw failures[0]
}

const MOST = 10_000

/** Whether it settled: somebody else may have, or it may be held for something else now. */
const settleForWord = (
  needs: SettleNeeds,
  id: string,
  { parameter, word, event }: Omit<HeldWord, 'name'>,
  by: { reading: WordReading; note: string | null; settledBy: number | null },
): Promise<boolean> =>
  inTransaction(needs.db, async (tx) => {
    const postback = await findLocked(tx, id)
    const [first] = postback?.heldWords ?? []
    const isFor = first?.parameter === parameter && first.word === word && first.event === event
    if (!postback || postback.settledOutcome !== null || !isFor) return false
    // Somebody decided about this one alone, and can still undo it: then its turn comes.
    if (await findDecision(tx, id)) return false
    const chosen = { act: actOfReading(by.reading), note: by.note }
    const outcome = await settle(tx, postback, byHand(tx, needs, by.settledBy, chosen))
    return outcome.outcome !== 'conflict'
  })
