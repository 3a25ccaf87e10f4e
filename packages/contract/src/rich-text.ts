import { hasContent, MAX_RICH_TEXT } from '@tallyroom/domain/rich-text'
import { text } from './list.ts'
import { missing } from './missing.ts'

/**
 * HTML from the rich-text editor. The server silently removes everything that `domain/rich-text` does not
 * allow.
 */
export const richText = text(MAX_RICH_TEXT)

/** Non-empty rich text. */
export const requiredRichText = richText.refine(hasContent, missing)
