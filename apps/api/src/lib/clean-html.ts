import {
  keptAttribute,
  MAX_RICH_TEXT_DEPTH,
  RICH_TEXT_LINK,
  RICH_TEXT_REMOVED,
  RICH_TEXT_RENAMED,
  RICH_TEXT_TAGS,
} from '@tallyroom/domain/rich-text'
import sanitizeHtml from 'sanitize-html'

/**
 * HTML with nothing in it that could run, load from elsewhere, or reach beyond its own place on a page. What
 * the rich-text editor makes comes out as it went in; of anything else the words stay.
 */
export const cleanHtml = (html: string): string => asBrowsersWrite(sanitizeHtml(html, options))

const options: sanitizeHtml.IOptions = {
  allowedTags: [...RICH_TEXT_TAGS],
  // Each attribute was looked at by then, with its value.
  allowedAttributes: false,
  // The values were looked at, too; the library would write them its own way.
  parseStyleAttributes: false,
  nonTextTags: [...RICH_TEXT_REMOVED],
  nestingLimit: MAX_RICH_TEXT_DEPTH,
  transformTags: {
    '*': (given, attribs) => {
      const tagName = RICH_TEXT_RENAMED[given] ?? given
      return { tagName, attribs: attributesOf(tagName, attribs) }
    },
  },
  // A picture that is none of ours is no picture.
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs['src'] === undefined,
}

function attributesOf(tag: string, given: Record<string, string>): Record<string, string> {
  const entries = Object.entries(given).flatMap(([name, value]): [string, string][] => {
    if (tag === 'a' && Object.hasOwn(RICH_TEXT_LINK, name)) return [[name, '']]
    const kept = keptAttribute(tag, name, value)
    return kept === undefined ? [] : [[name, kept]]
  })
  const attributes = Object.fromEntries(entries)
  if (tag !== 'a') return attributes
  // Words without an address are no link.
  return 'href' in attributes ? { ...attributes, ...RICH_TEXT_LINK } : {}
}

/** The library writes `<br />` and plain no-break spaces; within texts and values it writes no `>`. */
const asBrowsersWrite = (html: string): string =>
  html.replaceAll(' />', '>').replaceAll('\u00a0', '&nbsp;')
