import type { DecidedWord } from '@tallyroom/contract/catalogue/sites'
import type { PostbackEvent } from '@tallyroom/domain/event-types'
import type { WordReading } from '@tallyroom/domain/holds'
import { isReversal } from '@tallyroom/domain/event-types'
import type { Meaning } from './event-and-status.ts'
import type { GivenFields } from './field-names.ts'
import { said, saidWord, type SaidWord } from './said.ts'

/** What a site's new words were decided to mean: by parameter and word, then by what happened if they are left out. */
export type DecidedWords = ReadonlyMap<string, ReadonlyMap<PostbackEvent, WordReading>>

/** The key of a word in {@link DecidedWords}. */
export const wordKey = ({ parameter, word }: Pick<SaidWord, 'parameter' | 'word'>): string =>
  `${parameter}\n${word}`

export function decidedWordsOf(words: readonly DecidedWord[]): DecidedWords {
  const decided = new Map<string, Map<PostbackEvent, WordReading>>()
  for (const { parameter: name, value, event, reading } of words) {
    const parameter = said(name, value)?.parameter ?? name
    const key = wordKey({ parameter, word: value })
    const byEvent = decided.get(key) ?? new Map<PostbackEvent, WordReading>()
    decided.set(key, byEvent.set(event, reading))
  }
  return decided
}

/** A parameter of a postback whose word was decided, with its key among the fields. */
export type Decided = {
  key: string
  said: SaidWord
  byEvent: ReadonlyMap<PostbackEvent, WordReading>
}

/** The parameters whose words were decided, whatever they stand beside. One that is given twice says nothing for sure. */
export function decidedIn(fields: GivenFields, decided: DecidedWords | undefined): Decided[] {
  if (!decided || decided.size === 0) return []
  return [...fields].flatMap(([key, { name, values }]): Decided[] => {
    const [value = '', ...others] = values
    const word = others.length === 0 ? saidWord(name, value) : undefined
    const byEvent = word && decided.get(wordKey(word))
    return word && byEvent ? [{ key, said: word, byEvent }] : []
  })
}

export const without = (fields: GivenFields, keys: readonly string[]): GivenFields =>
  keys.length === 0 ? fields : new Map([...fields].filter(([key]) => !keys.includes(key)))

/** What a postback means with its decided words, of which one that takes back outweighs one that counts. */
export function withDecided(
  meaning: Meaning,
  words: readonly { said: SaidWord; reading: WordReading }[],
): Meaning {
  const saying = (reading: WordReading) => words.find((word) => word.reading === reading)?.said
  const { event, standing } = meaning
  const ignored = saying('ignored')
  if (ignored)
    return { ...meaning, event: undefined, ignored: { name: ignored.name, value: ignored.text } }
  if (event === undefined) return meaning
  if (saying('takes-back')) {
    return {
      ...meaning,
      event: isReversal(event) ? event : 'void',
      standing: standing === 'pending' ? 'pending' : 'reverses',
      approved: false,
    }
  }
  return saying('counts') && standing === 'counts' ? { ...meaning, approved: true } : meaning
}
