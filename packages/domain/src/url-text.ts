/** Percent-encodes white space, control and non-ASCII characters, which a header must not contain. */
export const encodeForbidden = (text: string): string => text.replace(/[^\x21-\x7e]+/g, encodeText)

/**
 * encodeURIComponent with two changes: a lone surrogate becomes U+FFFD instead of throwing, and the single
 * quote is encoded so that it can't end a quoted attribute.
 */
export const encodeText = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27')

/** A text as a URL, undefined if it is none. Browsers of two years ago lack `URL.parse`. */
export const toUrl = (text: string, base?: string): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined
