import { mendQuery, type Subs } from './tracked-link.ts'

/** What a short link carries: sub ids, and a page as `pageText` writes it. */
export type Carried = Subs & { to?: string | undefined }

/** How many characters a name has. */
export const SHORT_NAME_LENGTH = { least: 4, most: 32 } as const

/** How many letters the names have that are made up. */
export const MADE_UP_LENGTH = 7

/** What made-up names are made of: neither vowels, so that they are no words, nor `l`, which is read as `1`. */
export const MADE_UP_LETTERS = 'bcdfghjkmnpqrstvwxz'

/** The name that somebody types for a short link, in lower case; undefined if none can have it. */
export function readShortName(typed: string): string | undefined {
  const name = typed.trim().toLowerCase()
  const isLong = name.length >= SHORT_NAME_LENGTH.least && name.length <= SHORT_NAME_LENGTH.most
  return isLong && /^[a-z\d][a-z\d-]*$/.test(name) && !name.endsWith('-') ? name : undefined
}

/** How a name reads: the same for names that are taken for each other, in print or in whatever case. */
export const lookOf = (name: string): string =>
  name.toLowerCase().replaceAll('0', 'o').replaceAll(/[1i]/g, 'l')

/** Whether a name is one of the words that lead to the web app, or looks like one. */
export const isReservedName = (name: string): boolean => RESERVED.has(lookOf(name))

/** Its own paths, and words that people type when they want the product. */
const RESERVED: ReadonlySet<string> = new Set(
  [
    'about account accounts admin admins agent agents apps assets brand chat-logs confirm confirm-address contact dashboard decisions docs',
    'download favicon forgot health help home how-to-sell icon image images index invitation link links log-in login log-out logout logs mail',
    'manifest metrics migration new-password news not-me offers office offices offline openapi pages password postback postbacks privacy',
    'profile profile-postbacks register remote-login reports robots sales second-factor security settings sign-in signin sign-out signout',
    'sign-up signup site site-manuals sitemap sites spike staff static stats status support terms unapprove unsubscribe uploads user users',
    'verify views webhooks',
  ]
    .join(' ')
    .split(' ')
    .map(lookOf),
)

/** The path at which the server has a short link, besides `/{name}`. */
export const shortLinkPath = (name: string): string => `/api/links/s/${name}`

/**
 * The name of a short link and the query of a request's path, with what chat programs, punctuation and hands leave behind it;
 * undefined if the path is none.
 */
export function findShortLink(url: string): { name: string; query: string } | undefined {
  const [, typed = '', query = ''] = SHORT_LINK.exec(url) ?? []
  const name = readShortName(typed)
  return name === undefined || isReservedName(name) ? undefined : { name, query: mendQuery(query) }
}

const SHORT_LINK =
  /^\/+([a-z\d-]+)(?:[/.,;:!*'"()\]>]|%(?:0A|0D|09|20|22|27|29|5D|3E|C2%A0|E2%80%(?:8B|8C|8D|99|9D|A6)))*(?:[?&](.*))?$/i

/** Of so many addresses in a text is asked whether they are short links. */
const MOST_NAMES = 5

/**
 * The names that may be of short links in a text, in their order: of the first five addresses that look like one, with any host
 * name, or a name alone. Whether there is one of a name, only the database knows.
 */
export function shortNamesIn(text: string): string[] {
  const names = new Set<string>()
  for (const word of text.split(/[\s<>"“”„«»'()[\]]/u)) {
    const address = word.replace(/^https?:\/\//i, '')
    const slash = address.indexOf('/')
    const host = address.slice(0, Math.max(slash, 0))
    const isHost = /^$|[.:]|^localhost$/i.test(host)
    const path = address.slice(slash).replace(SERVED_AT, '/')
    const found = slash >= 0 && isHost ? findShortLink(path) : undefined
    if (found) names.add(found.name)
  }
  if (names.size > 0) return [...names].slice(0, MOST_NAMES)
  const alone = readShortName(text)
  return alone === undefined || isReservedName(alone) ? [] : [alone]
}

const SERVED_AT = /^\/api\/links\/s\//i
