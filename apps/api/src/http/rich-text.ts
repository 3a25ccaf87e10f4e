import { hasContent, MAX_RICH_TEXT } from '@tallyroom/domain/rich-text'
import { cleanHtml } from '../lib/clean-html.ts'
import { invalid } from './errors.ts'

/**
 * What is stored of a rich text that somebody sent in the field `html`: clean, and empty when there is
 * nothing to read in it.
 *
 * @throws VALIDATION_ERROR for one that grows too long once each `<` of it is written out.
 */
export function richTextToStore(html: string): string {
  const cleaned = cleanHtml(html)
  if (cleaned.length > MAX_RICH_TEXT) {
    throw invalid({ html: [`must have at most ${MAX_RICH_TEXT} characters`] })
  }
  return hasContent(cleaned) ? cleaned : ''
}

/** @throws VALIDATION_ERROR also when there is nothing to read in it. */
export function requiredRichTextToStore(html: string): string {
  const stored = richTextToStore(html)
  if (stored === '') throw invalid({ html: ['is required'] })
  return stored
}
