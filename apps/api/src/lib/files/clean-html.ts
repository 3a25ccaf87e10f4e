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
 * Sanitizes HTML: nothing in it can run, load external content or escape its place on a page. The rich-text
 * editor's output stays unchanged; of anything else, the text is kept.
 */
export const cleanHtml = (html: string): string => asBrowsersWrite(sanitizeHtml(html, options))

const options: sanitizeHtml.IOptions = {
  allowedTags: [...RICH_TEXT_TAGS],
  // Attributes and their values are already filtered by then.
  allowedAttributes: false,
  // The values are already filtered, and the library would reformat them.
  parseStyleAttributes: false,
  nonTextTags: [...RICH_TEXT_REMOVED],
  nestingLimit: MAX_RICH_TEXT_DEPTH,
  transformTags: {
    '*': (given, attribs) => {
      const tagName = RICH_TEXT_RENAMED[given] ?? given
      return { tagName, attribs: attributesOf(tagName, attribs) }
    },
  },
  // Removes images that are not ours.
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
  // A link without an address becomes plain text.
  return 'href' in attributes ? { ...attributes, ...RICH_TEXT_LINK } : {}
}

/** The library writes `<br />` and literal no-break spaces; its texts and values contain no `>`. */
const asBrowsersWrite = (html: string): string =>
  html.replaceAll(' />', '>').replaceAll('\u00a0', '&nbsp;')
