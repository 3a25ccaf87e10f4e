/**
 * Whether a reported event counts, the second question of a postback beside what happened. `pending`: not yet.
 * `rejected`: not, and if it was counted before, no longer. `reverses`: what was counted is taken back.
 */
export type Standing = (typeof STANDINGS)[number]

export const STANDINGS = ['counts', 'pending', 'rejected', 'reverses'] as const

export const isStanding = (word: string): word is Standing =>
  STANDINGS.some((standing) => standing === word)

/** The status words that mean the same everywhere. A site's own words come first. */
const KNOWN_WORDS: Record<Standing, readonly string[]> = {
  counts: ['approved', 'confirmed', 'completed', 'complete', 'paid', 'success', 'successful'],
  pending: ['pending', 'hold', 'on-hold', 'onhold', 'processing', 'unconfirmed', 'waiting'],
  rejected: words(
    'rejected declined cancelled canceled failed denied invalid trash expired disapproved reject decline cancel',
  ),
  reverses: ['refunded', 'refund', 'reversed', 'voided', 'charged-back', 'disputed'],
}

function words(text: string): string[] {
  return text.split(' ')
}

/** `On hold`, `on_hold` and `ON-HOLD` are one word. */
export const statusKey = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-')

/** What a status word means on any site; undefined if that depends on the merchant. */
export const knownStanding = (word: string): Standing | undefined => {
  const key = statusKey(word)
  return STANDINGS.find((standing) => KNOWN_WORDS[standing].includes(key))
}

/** All status words that are understood without a site's own. */
export const knownStatusWords = (): readonly string[] =>
  STANDINGS.flatMap((standing) => KNOWN_WORDS[standing])
