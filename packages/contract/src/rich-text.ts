import { hasContent, MAX_RICH_TEXT } from '@tallyroom/domain/rich-text'
import { text } from './list.ts'

/**
 * HTML as the rich-text editor makes it. The server keeps of it what `domain/rich-text` lists, silently:
 * what it answers may be less than what was sent.
 */
export const richText = text(MAX_RICH_TEXT)

/** The same where there must be something to read. */
export const requiredRichText = richText.refine(hasContent, 'is required')
