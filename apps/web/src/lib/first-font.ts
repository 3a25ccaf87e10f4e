import { storedValue } from './stored.ts'

/** Whether this browser has fetched the font. public/first-font.js reads it. */
const hasFont = storedValue('tallyroom.font', (text) => text === 'true')

/** Whether this page goes without the font, because its line is slow: see public/first-font.js. */
export const goesWithoutFont = (): boolean => document.documentElement.dataset['line'] === 'slow'

/** After what the first page shows: its own figures come first. */
const LATER_MS = 5_000

/** Fetches the font for the pages that are opened next, once the first one is drawn. */
export function fetchFontLater(): void {
  setTimeout(() => void fetchFont(), LATER_MS)
}

async function fetchFont(): Promise<void> {
  const fonts = await document.fonts.load('1em "Inter Variable"').catch(() => [])
  if (fonts.length > 0 && !hasFont.get()) hasFont.set(true)
}
