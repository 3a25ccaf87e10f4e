import { parseTrackedLink } from './tracked-link.ts'
import { toOrigin } from './web-origin.ts'
import { encodeForbidden, encodeText, toUrl } from './url-text.ts'

/** A page of a merchant that a tracked link leads to, in place of its link type's URL. */
export type MerchantPage = {
  /** Undefined: that of the link type's URL. */
  host: string | undefined
  /** In a URL's characters, with their `/`, `?` and `#`. */
  path: string
  query: string
  fragment: string
}

/** The longest page that a link can name, in characters as `pageText` writes them. */
export const LONGEST_PAGE = 2048

/**
 * The page that a text names: a path, or a complete http or https address on one of the hosts. Undefined for everything
 * else, also for what browsers and servers read in different ways, and for tracked links, each of which would be a click.
 *
 * @param hosts see `hostsOf`: the first is that of the link type's URL, which paths belong to
 */
export function pageOf(typed: string, hosts: readonly string[]): MerchantPage | undefined {
  const text = typed.trim()
  if (/[\\\p{Cc}]/u.test(text)) return undefined
  const [whole, origin, path = '', query = '', fragment = ''] = PAGE.exec(text) ?? []
  if (whole === undefined) return undefined
  const place = origin ? hosts.indexOf(hostOf(origin) ?? '') : 0
  if (place === -1) return undefined
  const page = {
    // From the list: nothing of what the visitor wrote becomes a host.
    host: place === 0 ? undefined : hosts[place],
    path: encodePart(path || '/'),
    query: encodePart(query),
    fragment: encodePart(fragment),
  }
  // A link that is made of it is judged again, so what counts is how that will have it.
  if (pageText(page).length > LONGEST_PAGE) return undefined
  // As a browser will ask for it, without `.` and `..`.
  const asked = toUrl(`https://m.example${page.path}`)?.pathname
  if (asked === undefined || [asked, decodeAscii(asked)].some(parseTrackedLink)) return undefined
  return page
}

/** As a server reads a path, except for letters that no link of ours has. */
const decodeAscii = (path: string): string =>
  path.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  )

/** An origin without a user, or none; then a path that begins with a single slash, query and fragment. */
const PAGE = /^(https?:\/\/[^\s/?#@]+(?=[/?#]|$)|(?=\/))(?!\/\/)([^?#]*)(\?[^#]*)?(#.*)?$/is

/** What the parameter of a link says so that `pageOf` finds the page again. */
export const pageText = ({ host, path, query, fragment }: MerchantPage): string =>
  (host === undefined ? path : `https://${host}${path}`) + query + fragment

/** Host name and port of a web address, as browsers know them: in ASCII, in lower case, without a final dot. */
function hostOf(address: string): string | undefined {
  const url = toUrl(address.trim())
  return url?.host.replace(/\.(?=:|$)/, '') || undefined
}

/** The hosts to whose pages a link type's links may lead, as `pageOf` takes them. */
export const hostsOf = (url: string, furtherHosts: readonly string[]): string[] => [
  hostOf(url) ?? '',
  ...furtherHosts,
]

/** A host that somebody names, with its scheme or without, as `hostOf` gives it; undefined for anything else. */
export function toHost(typed: string): string | undefined {
  const text = typed.trim()
  const origin = toOrigin(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  const host = origin && hostOf(origin)
  return host && /^[\w.:[\]-]+$/.test(host) ? host : undefined
}

/** Besides what a header must not contain, encodes what could end a quoted attribute, and braces, which macros have. */
const encodePart = (text: string): string =>
  encodeForbidden(text).replaceAll(/["'<>`{|}^]/g, encodeText)
