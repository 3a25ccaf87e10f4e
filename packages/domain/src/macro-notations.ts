/*
 * Every tracker writes its macros in its own way: {{name}}, [name], ${name}, %name%. An address that is copied from one may
 * still have such a macro in it, which nobody would fill.
 */

/** A macro as it stands in a URL, with its punctuation decoded, and the name in it. */
type Macro = { text: string; name: string }

/**
 * What reads as a macro in the part of a URL behind its host, in whatever notation. Names of parameters may have brackets:
 * `filter[site]=3`.
 *
 * @param isName whether macros have this name, however it is written. What may be plain text, such as `:name` or `(name)`, is a
 * macro only with such a name.
 */
export function macrosOf(rest: string, isName: (name: string) => boolean): Macro[] {
  const [path = '', ...query] = rest.split('?')
  const pairs = query.join('?').split('&')
  return [...path.split('/').map(decode), ...pairs.flatMap(piecesOf)].flatMap((piece) => {
    const found = [...piece.matchAll(NOTATIONS)].map(([text]) => ({ text, name: nameIn(text) }))
    if (found.length > 0 || !WRAPPED.test(piece)) return found
    const name = nameIn(piece)
    return isName(name) ? [{ text: piece, name }] : []
  })
}

function piecesOf(pair: string): string[] {
  const [first = '', ...value] = pair.split('=')
  if (value.length === 0) return [decode(first)]
  return [decode(first).replaceAll(/(?<!^)\[[\w.-]*\]/g, ''), decode(value.join('='))]
}

/** Decodes punctuation, but for `%` itself: what follows it might then pass for encoded. */
const decode = (text: string): string =>
  text.replaceAll(/%(?:2[0-46-9a-f]|3[a-f]|40|5[b-f]|60|7[b-e])/gi, (encoded) =>
    String.fromCodePoint(Number.parseInt(encoded.slice(1), 16)),
  )

const nameIn = (text: string): string =>
  /[a-z\d](?:.*[a-z\d])?/is.exec(text.replaceAll('%25', '%'))?.[0] ?? ''

/** Percent signs are told from those of encoded characters, and braces from those of JSON. */
const NOTATIONS = new RegExp(
  [
    String.raw`\{{2,3}[^{}"']{0,60}\}{1,3}`,
    String.raw`[$#%]?\{[^{}"']{0,60}\}`,
    String.raw`\[{1,2}\*?[a-z_][\w .:|,-]{0,60}\]{1,2}`,
    String.raw`<%?=? ?[a-z_][\w .:|-]{0,60}%?>`,
    String.raw`#[a-z_]\w{0,60}#`,
    ...['%', '%25'].flatMap((sign) => [
      String.raw`${sign}(?![\da-f]{2})[a-z_]\w{0,60}${sign}`,
      String.raw`${sign}[a-z_]\w{0,60}${sign}(?![\da-f]{2})`,
    ]),
    '[｛［＜＃％][^｛｝［］＜＞＃％]{0,60}[｝］＞＃％]',
  ].join('|'),
  'gi',
)

/** Neither a letter nor a number on both sides, or `$` or `:` before it, and no quotes, which JSON has. */
const WRAPPED = /^(?:[$:]|[^a-z\d"'][^"']*[^a-z\d"']$)/i
