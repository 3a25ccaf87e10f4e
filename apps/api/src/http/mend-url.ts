import { findShortLink, shortLinkPath } from '@tallyroom/domain/short-link'
import { findTrackedLink, trackedLinkPath } from '@tallyroom/domain/tracked-link'

/**
 * A request's path and query as the router expects them. Links that were damaged on their way, and postback URLs with a
 * slash too many, are mended, short links are led to their path, and chat logs are submitted with the slash of the specification, too.
 * Everything else is unchanged.
 */
export function mendUrl(url: string): string {
  // The fast path: a link as it was built.
  if (WHOLE_LINK.test(url)) return url.includes('amp;') ? mendLink(url) : url
  if (LINKS.test(url)) return isWhole(url) ? url : mendLink(url)
  const short = findShortLink(url)
  if (short) return shortLinkPath(short.name) + (short.query && `?${short.query}`)
  return url.replace(POSTBACK, '/api/postback/$1').replace(CHAT_LOGS, '/api/chat-logs')
}

/** The path of a page that says that a link leads nowhere. */
export const NO_LINK = '/api/links/go'

function mendLink(url: string): string {
  const found = findTrackedLink(url)
  if (!found) return NO_LINK
  return trackedLinkPath(found) + (found.query && `?${found.query}`)
}

const WHOLE_LINK = /^\/api\/links\/go\/[1-9]\d{0,9}\/[1-9]\d{0,9}\/[1-9]\d{0,9}(?:\?|$)/

const SLASHES = String.raw`(?:[/\\]|%2F|%5C)`

/** Whatever begins like a tracked link, in any case and with any number of slashes. */
const LINKS = new RegExp(String.raw`^${SLASHES}+api${SLASHES}+links(?![\w-])`, 'i')

/** Another path below /api/links, which the router can decode. */
function isWhole(url: string): boolean {
  if (!/^\/api\/links\/(?![Gg][Oo](?![\w-]))/.test(url)) return false
  try {
    decodeURI(url)
    return true
  } catch {
    return false
  }
}

/** No other path ends with a slash, and rules for API documents allow none. */
const CHAT_LOGS = /^\/api\/chat-logs\/(?=\?|$)/

const POSTBACK = /^\/+api\/+postback\/+(\d{1,10})\/*(?=\?|$)/i
