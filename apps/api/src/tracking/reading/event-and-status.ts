import type { FieldMessages } from '@tallyroom/contract/errors'
import {
  isPostbackEvent,
  isReversal,
  isReversible,
  type PostbackEvent,
  postbackEventsOf,
  type ReversibleEvent,
} from '@tallyroom/domain/event-types'
import { placeholderProblem } from '@tallyroom/domain/placeholders'
import { knownStanding, type Standing, statusKey } from '@tallyroom/domain/standings'
import { REMOVED } from '../../lib/secret-names.ts'
import type { DecidedWords } from './decided-words.ts'
import { allGiven, firstGiven, type Given, type GivenFields } from './field-names.ts'
import { IS_KEY } from './kept-fields.ts'

/** The merchant's own words, in lower case; those for standings by `statusKey`. */
export type Words = {
  useApproveSale: boolean
  eventWords: ReadonlyMap<string, PostbackEvent>
  statusWords: ReadonlyMap<string, Standing>
  /** Those that say nothing about a sale, as agreed with the network. */
  ignoredWords?: ReadonlySet<string> | undefined
  /** What new words of any parameter were decided to mean. */
  decidedWords?: DecidedWords | undefined
}

/** What happened, and whether it counts. */
export type Meaning = {
  event: PostbackEvent | undefined
  /** `reverses` exactly if the event is a reversal that is not pending. */
  standing: Standing
  /** Whether a status says that it counts. Without one it counts, too. */
  approved: boolean
  /** The event that the merchant named beside a status that takes it back. */
  named: ReversibleEvent | undefined
  /** Whether it says what happened. Else the event is the default. */
  namesEvent: boolean
  problems: FieldMessages
  /** A parameter that contradicts the others, so that a person must decide. */
  doubt: { name: string; value: string } | undefined
  /** The parameter whose word is to be ignored, and with it the postback. */
  ignored: { name: string; value: string } | undefined
  /** The parameters of the event and its status whose words nobody has explained. Each is a problem, too. */
  unknown: Given[]
}

/**
 * Reads the two questions apart: an event beside a status never hides it. Only a status that stands alone may
 * name the event, as `status=lead` does, because some trackers have one field for both.
 */
export function readMeaning(
  given: GivenFields,
  names: { event: readonly string[]; status: readonly string[] },
  words: Words,
): Meaning {
  const said = firstGiven(given, names.event)
  const statuses = allGiven(given, names.status)
  const meaning: Meaning = {
    event: 'sale',
    standing: 'counts',
    approved: false,
    named: undefined,
    namesEvent: said !== undefined,
    problems: {},
    doubt: undefined,
    ignored: ignoredIn(said ? [said] : statuses, words),
    unknown: [],
  }
  if (meaning.ignored) return { ...meaning, event: undefined }
  if (said) readEvent(said, words, meaning)
  const read = statuses.flatMap((status) => readStatus(status, said !== undefined, words, meaning))
  settleStatus(statuses, read, meaning)
  if (Object.keys(meaning.problems).length > 0) meaning.event = undefined
  return meaning
}

/** Only a word that says what happened is ignored: the event, or a status that stands alone and that alone. */
function ignoredIn(said: readonly Given[], { ignoredWords }: Words): Meaning['ignored'] {
  const [only, ...others] = said
  const [value = '', ...further] = only?.values ?? []
  const isOne = only && others.length === 0 && further.length === 0
  return isOne && ignoredWords?.has(value.toLowerCase()) ? { name: only.name, value } : undefined
}

function readEvent(said: Given, words: Words, meaning: Meaning): void {
  const value = oneValue(said, 'event', { words, meaning })
  if (value === undefined) return
  meaning.event = eventOf(value, words)
  if (!meaning.event) {
    meaning.unknown.push(said)
    meaning.problems['event'] = [
      `is not an event of this site. Use one of ${wordsFor(words).join(', ')}`,
    ]
  } else if (isReversal(meaning.event)) {
    meaning.standing = 'reverses'
  } else {
    meaning.named = isReversible(meaning.event) ? meaning.event : undefined
  }
}

const eventOf = (value: string, { eventWords }: Words): PostbackEvent | undefined => {
  const word = value.toLowerCase()
  return eventWords.get(word) ?? (isPostbackEvent(word) ? word : undefined)
}

type Status = {
  standing: Standing
  /** The event that the word names. */
  event?: PostbackEvent
  /** Whether the word is an approval, and not only the name of an event. */
  approves?: boolean
}

function readStatus(
  status: Given,
  isBesideEvent: boolean,
  words: Words,
  meaning: Meaning,
): Status[] {
  const value = oneValue(status, 'status', { words, meaning })
  if (value === undefined) return []
  const found = isBesideEvent
    ? standingBeside(value, words, meaning.event)
    : standingAlone(value, words)
  if (!found) {
    meaning.unknown.push(status)
    ;(meaning.problems['status'] ??= []).push(
      `${status.name}=${value.slice(0, 64)} is not a status of this site. Ask the network to say what it means`,
    )
  }
  return found ? [found] : []
}

const ownStanding = (value: string, { statusWords }: Words) => statusWords.get(statusKey(value))

function standingAlone(value: string, words: Words): Status | undefined {
  const own = ownStanding(value, words)
  if (own) return statusOf(own)
  const event = eventOf(value, words)
  const known = knownStanding(value)
  if (!event) return known && statusOf(known)
  const standing = isReversal(event) ? 'reverses' : 'counts'
  return { standing, event, approves: standing === 'counts' && known === 'counts' }
}

const statusOf = (standing: Standing): Status => ({ standing, approves: standing === 'counts' })

function standingBeside(
  value: string,
  words: Words,
  event: PostbackEvent | undefined,
): Status | undefined {
  const known = ownStanding(value, words) ?? knownStanding(value)
  if (known) return statusOf(known)
  const meant = eventOf(value, words)
  if (meant === undefined) return undefined
  if (isReversal(meant)) return { standing: 'reverses', event: meant }
  // The same number may be a goal and a status, such as 2, which is pending in Affise.
  const isNumber = /^\d+$/.test(value) && value !== '1'
  const isSame = meant === event || (value === '1' && (meant === 'sale' || meant === 'approval'))
  return isSame && !isNumber ? statusOf('counts') : undefined
}

/** Puts the event and its statuses together. */
function settleStatus(statuses: readonly Given[], read: readonly Status[], meaning: Meaning): void {
  const [first] = read
  if (!first || !meaning.event || Object.keys(meaning.problems).length > 0) return
  const other = read.findIndex(
    ({ standing, event }) =>
      standing !== first.standing || (event !== undefined && event !== (first.event ?? event)),
  )
  if (other > 0) {
    const pair = [statuses[0], statuses[other]].map((status) => status?.name).join(' and ')
    meaning.problems['status'] = [`${pair} say different things`]
    return
  }
  const { standing, event, approves = false } = first
  if (isReversal(meaning.event)) {
    settleReversal(statuses, standing, meaning)
    return
  }
  switch (standing) {
    case 'counts':
      meaning.event = event ?? meaning.event
      meaning.namesEvent ||= event !== undefined
      meaning.approved = approves
      return
    case 'pending':
    case 'rejected':
      meaning.standing = standing
      return
    case 'reverses':
      meaning.event = event ?? 'void'
      meaning.standing = 'reverses'
  }
}

/** A reversal that is itself rejected may mean that the sale stands. */
function settleReversal(statuses: readonly Given[], standing: Standing, meaning: Meaning): void {
  if (standing === 'pending') meaning.standing = 'pending'
  if (standing !== 'rejected') return
  const [status] = statuses
  meaning.doubt = status && { name: status.name, value: status.values[0] ?? '' }
}

function oneValue(
  given: Given,
  field: 'event' | 'status',
  { words, meaning }: { words: Words; meaning: Meaning },
): string | undefined {
  const [value = '', ...others] = given.values
  const problem =
    others.length > 0
      ? 'is given more than once, with different values'
      : // The merchant's own words may be those that others write for nothing, such as true.
        ((value === REMOVED ? IS_KEY : undefined) ??
        (isOwnWord(value, field, words) ? undefined : placeholderProblem(value)) ??
        (value.length > 64 ? 'must be at most 64 characters' : undefined))
  if (problem === undefined) return value
  ;(meaning.problems[field] ??= []).push(
    field === 'status' ? `${problem} (${given.name})` : problem,
  )
  return undefined
}

const isOwnWord = (value: string, field: 'event' | 'status', words: Words): boolean =>
  words.eventWords.has(value.toLowerCase()) ||
  (field === 'status' && ownStanding(value, words) !== undefined)

/** The accepted event names: the merchant's own first, then ours. */
const wordsFor = (words: Words): string[] => [
  ...new Set([...words.eventWords.keys(), ...postbackEventsOf(words)]),
]
