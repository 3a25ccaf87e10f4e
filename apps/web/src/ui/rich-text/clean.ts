import {
  keptAttribute,
  RICH_TEXT_ATTRIBUTES,
  RICH_TEXT_LINK,
  RICH_TEXT_REMOVED,
  RICH_TEXT_TAGS,
} from '@tallyroom/domain/rich-text'
import createPurify, { type Config } from 'dompurify'
import { cleanHtmlBy } from '../../lib/trusted-html.ts'

/**
 * HTML that can be put into a page: nothing in it runs, loads from elsewhere or reaches beyond its place.
 * The server has cleaned by the same list what it stores; this is the second wall, before the screen.
 */
export const cleanRichText = (html: string): string => purify.sanitize(html, config)

// One of our own: its hooks are nobody else's.
const purify = createPurify(window)

const config = {
  ALLOWED_TAGS: [...RICH_TEXT_TAGS],
  ALLOWED_ATTR: [...RICH_TEXT_ATTRIBUTES, ...Object.keys(RICH_TEXT_LINK)],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  FORBID_CONTENTS: [...RICH_TEXT_REMOVED],
} satisfies Config

purify.addHook('uponSanitizeAttribute', (element, attribute) => {
  const { attrName, attrValue } = attribute
  const tag = element.nodeName.toLowerCase()
  if (tag === 'a' && Object.hasOwn(RICH_TEXT_LINK, attrName)) return
  const kept = keptAttribute(tag, attrName, attrValue)
  if (kept === undefined) attribute.keepAttr = false
  else attribute.attrValue = kept
})

purify.addHook('afterSanitizeAttributes', (element) => {
  const tag = element.nodeName.toLowerCase()
  if (tag === 'img' && !element.hasAttribute('src')) element.remove()
  if (tag !== 'a') return
  for (const [name, value] of Object.entries(RICH_TEXT_LINK)) {
    if (element.hasAttribute('href')) element.setAttribute(name, value)
    else element.removeAttribute(name)
  }
})

// The editor and React make HTML of texts, too.
cleanHtmlBy(cleanRichText)
