import { TEST_AGENT_ID } from '@tallyroom/domain/click-id'
import { isReversal } from '@tallyroom/domain/event-types'
import { inSentence } from '@tallyroom/domain/invisible'
import type { DbOrTx } from '../../db/database.ts'
import { wordKey } from '../reading/decided-words.ts'
import { printable } from '../reading/kept-fields.ts'
import type { SaidWord } from '../reading/said.ts'
import { takesBackReason } from '../reading/takes-back.ts'
import { findClicksOfOrder } from '../sales/rejected-orders.queries.ts'
import { hold, type Held, type HeldWord, type ReportedClick } from '../sales/report.ts'
import {
  findNew,
  isCaughtUp,
  isSettledIn,
  mayBeNew,
  type Vocabularies,
} from '../words/vocabulary.ts'
import type { ParsedPostback } from './parse-postback.ts'
import { orderKeyOf } from './pending.ts'
import { isOpenOrder } from './open-postbacks.queries.ts'
import { findPending } from './pending.queries.ts'

/** What of a postback was never sent before, so that somebody is asked what it means. */
export type NewWords = {
  /** What it means without the first of them, if it is the event or its status. */
  as: ParsedPostback
  /** At least one. */
  words: readonly HeldWord[]
}

type About = {
  siteId: number
  parsed: ParsedPostback
  click: ReportedClick | undefined
  receivedAt: Date
}

/**
 * The new words of a postback that may change what it means: its event or status, if the site has sent others for a week, and
 * any word beside an order that is already known. `maybe` is for an order that turns out to be known. A developer's test is
 * answered by what is known.
 */
export async function findNewWords(
  db: DbOrTx,
  vocabularies: Vocabularies,
  { siteId, parsed, click, receivedAt }: About,
): Promise<{ found: NewWords | undefined; maybe: readonly SaidWord[] }> {
  const { unknown, words } = parsed
  const otherwise = isSale(parsed) ? parsed.otherwise : []
  const isTest = click?.agentId === TEST_AGENT_ID
  if (isTest || !(unknown || otherwise.length > 0 || words.length > 0)) return NONE
  const vocabulary = await vocabularies.find(db, siteId, receivedAt)
  if (!isCaughtUp(vocabulary, receivedAt)) return { found: foundOf(otherwise, parsed), maybe: [] }
  if (unknown) {
    const { said, as } = unknown
    const isAsked =
      isSettledIn(vocabulary, receivedAt) &&
      mayBeNew(vocabulary, said) &&
      as.standing !== 'pending' &&
      Object.keys(as.problems).length === 0
    const isNew = isAsked && (await findNew(db, siteId, [said], receivedAt)).length > 0
    return { found: isNew ? foundOf([said], as) : undefined, maybe: [] }
  }
  const maybe = isSale(parsed) ? words.filter((word) => mayBeNew(vocabulary, word)) : []
  const isKnown = maybe.length > 0 && (await isKnownOrder(db, siteId, parsed))
  const isNew = isKnown ? await findNew(db, siteId, maybe, receivedAt) : []
  return { found: foundOf([...otherwise, ...isNew], parsed), maybe }
}

const NONE = { found: undefined, maybe: [] }

/** Each word once. */
function foundOf(words: readonly SaidWord[], as: ParsedPostback): NewWords | undefined {
  const distinct = [...new Map(words.map((word) => [wordKey(word), word])).values()]
  return distinct.length === 0 ? undefined : { as, words: heldWords(distinct, as) }
}

/** What says by itself that it takes something back, or that it does not count yet, is no matter of a new word. */
const isSale = ({ event, standing }: ParsedPostback): boolean =>
  event !== undefined && !isReversal(event) && standing === 'counts'

export const heldWords = (words: readonly SaidWord[], { event = 'sale' }: ParsedPostback) =>
  words.map(({ parameter, name, word }): HeldWord => ({ parameter, name, word, event }))

/**
 * The words about which somebody is asked of a postback that says that money goes back: by those that say so, then by others that are
 * new. Undefined if it says so by something else than words.
 */
export function wordsOfTakesBack(
  parsed: ParsedPostback,
  others: readonly HeldWord[] = [],
): HeldWord[] | undefined {
  const { takesBackWords, standing } = parsed
  if (takesBackWords.length === 0 || standing !== 'counts') return undefined
  const own = heldWords(takesBackWords, parsed).map((word) => ({
    ...word,
    takesBack: true as const,
  }))
  const keys = new Set(own.map(wordKey))
  return [...own, ...others.filter((word) => !keys.has(wordKey(word)))]
}

/**
 * Whether an order was counted, rejected or reported as pending before, or a report of it is open. Without a number, only what is pending
 * or open is one.
 */
async function isKnownOrder(
  db: DbOrTx,
  siteId: number,
  { transactionId, clickId, event }: ParsedPostback,
): Promise<boolean> {
  const key = orderKeyOf({ siteId, transactionId, clickId, event })
  if (key !== undefined && (await findPending(db, key)).length > 0) return true
  const isCounted =
    transactionId !== undefined &&
    (await findClicksOfOrder(db, { siteId, transactionId })).length > 0
  return isCounted || isOpenOrder(db, { siteId, transactionId, clickId })
}

/** Held until somebody says what the first of these words means. */
export function holdForWord(words: readonly HeldWord[]): Held {
  const [first] = words
  const text = first ? printable(`${first.name}=${first.word}`, 100) : 'A word'
  if (first?.takesBack) return hold('takes-back', takesBackReason(text), words)
  return hold(
    'new-word',
    `${inSentence(text)} was never sent before. It waits for the network to say what it means.`,
    words,
  )
}
