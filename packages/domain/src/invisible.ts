/**
 * Whether a text has characters that are not seen: zero-width ones, those that turn the direction of writing, and those
 * that no font has. To a bank, and to whoever compares two names, such a name looks like another one.
 */
export const hasInvisible = (text: string): boolean =>
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/**
 * Somebody else's text for a sentence of ours. Characters that turn the direction of writing would turn the rest of the
 * sentence too, and are shown as U+FFFD. In markup, `<bdi>` does the same and keeps the text.
 */
export const inSentence = (text: string): string => text.replaceAll(TURNS, '\ufffd')

/** Overrides, embeddings and isolates, with what ends them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g
