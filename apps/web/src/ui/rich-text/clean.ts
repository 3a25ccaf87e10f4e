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
 * Sanitizes HTML: nothing in it can run scripts, load from other sites or affect the page around it. The server
 * applies the same allowlist before it stores HTML; this is the second line of defence.
 */
export const cleanRichText = (html: string): string => purify.sanitize(html, config)

// A separate instance, so that its hooks affect no other code.
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

// The editor and React also create HTML from texts.
cleanHtmlBy(cleanRichText)
