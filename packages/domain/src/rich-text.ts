/**
 * The allowlist for rich text. The server sanitizes with it before storing, the browser before showing or
 * pasting. Elements that are not listed are removed, and their text is kept.
 */

/** Maximum characters of HTML. Longer than any manual, and fits a request in any script. */
export const MAX_RICH_TEXT = 150_000

/** Maximum nesting. Deeper elements are removed because browsers fail on thousands of levels. */
export const MAX_RICH_TEXT_DEPTH = 60

/** The colours of the editor's grid. Dark mode shows a lighter shade of each. */
export const RICH_TEXT_COLORS = [
  { name: 'Red', rgb: 'rgb(201, 42, 42)', hex: '#c92a2a' },
  { name: 'Orange', rgb: 'rgb(184, 74, 0)', hex: '#b84a00' },
  { name: 'Amber', rgb: 'rgb(138, 97, 0)', hex: '#8a6100' },
  { name: 'Green', rgb: 'rgb(43, 122, 61)', hex: '#2b7a3d' },
  { name: 'Teal', rgb: 'rgb(11, 114, 133)', hex: '#0b7285' },
  { name: 'Blue', rgb: 'rgb(24, 100, 171)', hex: '#1864ab' },
  { name: 'Purple', rgb: 'rgb(134, 46, 156)', hex: '#862e9c' },
  { name: 'Gray', rgb: 'rgb(92, 99, 107)', hex: '#5c636b' },
] as const

/** Links open in a new tab, without opener or referrer. */
export const RICH_TEXT_LINK = { target: '_blank', rel: 'noopener noreferrer' } as const

/** Elements that are replaced by an allowed equivalent. */
export const RICH_TEXT_RENAMED: Readonly<Record<string, string>> = {
  b: 'strong',
  i: 'em',
  strike: 's',
  del: 's',
  h1: 'h2',
  h5: 'h4',
  h6: 'h4',
}

/** Elements that are removed together with their text. */
export const RICH_TEXT_REMOVED = [
  'script',
  'style',
  'title',
  'textarea',
  'select',
  'option',
  'noscript',
  'template',
  'xml',
] as const

/** Sanitizes an attribute's value; undefined removes the attribute. */
type Keep = (value: string) => string | undefined

const matching =
  (pattern: RegExp): Keep =>
  (value) =>
    pattern.test(value) ? value : undefined

const anyText: Keep = (value) => value.slice(0, 300)
const pixels = matching(/^[1-9]\d{0,3}$/)
const span = matching(/^[1-9]\d?$/)

/** Web, mail and phone links, and our own pages. Nothing that a browser would execute. */
const href = matching(/^(?:https?:\/\/|mailto:|tel:|\/(?![/\\]))[^\p{Cc}]*$/iu)

/** Only images uploaded here. Others would let third parties track readers. */
const ownPicture = matching(/^\/api\/files\/image\/[0-9a-f]{64}\.(?:png|jpg|webp|gif)$/)

const align: Declaration = ['text-align', matching(/^(?:left|center|right|justify)$/)]
const color: Declaration = ['color', (value) => colorOf(value.toLowerCase())]
const columnWidth: Declaration = ['min-width', matching(/^[1-9]\d{0,3}px$/)]

const aligned = { style: styleOf(align) }
const cell = { ...aligned, colspan: span, rowspan: span }

const kept: Readonly<Record<string, Readonly<Record<string, Keep>>>> = {
  p: aligned,
  h2: aligned,
  h3: aligned,
  h4: aligned,
  div: {},
  br: {},
  hr: {},
  strong: {},
  em: {},
  u: {},
  s: {},
  code: {},
  pre: {},
  blockquote: {},
  ul: {},
  ol: { start: matching(/^\d{1,4}$/) },
  li: {},
  a: { href, title: anyText },
  span: { style: styleOf(color) },
  img: { src: ownPicture, alt: anyText, title: anyText, width: pixels, height: pixels },
  table: { style: styleOf(columnWidth) },
  colgroup: {},
  col: { style: styleOf(columnWidth) },
  thead: {},
  tbody: {},
  tr: {},
  th: cell,
  td: cell,
}

export const RICH_TEXT_TAGS: readonly string[] = Object.keys(kept)

/** All attributes allowed on any element. */
export const RICH_TEXT_ATTRIBUTES: readonly string[] = [
  ...new Set(Object.values(kept).flatMap((attributes) => Object.keys(attributes))),
]

/** The sanitized value of an attribute, or undefined to remove it. Names must be lower case. */
export function keptAttribute(tag: string, name: string, value: string): string | undefined {
  const attributes = Object.hasOwn(kept, tag) ? kept[tag] : undefined
  return attributes && Object.hasOwn(attributes, name) ? attributes[name]?.(value) : undefined
}

export const isSafeLink = (url: string): boolean => href(url) !== undefined

/** Whether the HTML has any visible content. */
export const hasContent = (html: string): boolean =>
  /<(?:img|hr|table)\b/i.test(html) ||
  /[^\s\u200b]/.test(html.replace(/<\/?[a-z][^<>]*>|&nbsp;/gi, ''))

type Declaration = readonly [property: string, keep: Keep]

/** Keeps the given declarations, formatted as browsers do: `text-align: center;`. */
function styleOf(...declarations: Declaration[]): Keep {
  const known = new Map(declarations)
  return (style) => {
    const given = style.split(';').flatMap((declaration) => {
      const [property = '', ...rest] = declaration.split(':')
      const name = property.trim().toLowerCase()
      const value = known.get(name)?.(rest.join(':').trim())
      return value === undefined ? [] : [`${name}: ${value};`]
    })
    return given.length > 0 ? given.join(' ') : undefined
  }
}

function colorOf(value: string): string | undefined {
  const [red, green, blue] = value.match(/\d+/g) ?? []
  const rgb = `rgb(${red}, ${green}, ${blue})`
  return RICH_TEXT_COLORS.find((one) => one.hex === value || one.rgb === rgb)?.rgb
}
