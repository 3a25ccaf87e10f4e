import { storedValue } from './stored.ts'

/** Whether this browser has fetched the font. public/first-font.js reads it. */
const hasFont = storedValue('tallyroom.font', (text) => text === 'true')

/** Without the font where the first page goes without it, because its line is slow: see public/first-font.js. */
export const fontFamily = (): string =>
  `${root().dataset['line'] === 'slow' ? '' : '"Inter Variable", '}"Inter Fallback", -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif`

const root = () => document.documentElement

/** After what the first page shows: its own figures come first. */
const LATER_MS = 5_000

/** Fetches the font once the first page is drawn. The next one has it, which `beforeNext` waits for: on this one, texts would move. */
export function fetchFontLater(beforeNext: (act: () => void) => void): void {
  const line = (navigator as { connection?: { saveData?: boolean } }).connection
  if (line?.saveData !== true) setTimeout(() => void fetchFont(beforeNext), LATER_MS)
}

async function fetchFont(beforeNext: (act: () => void) => void): Promise<void> {
  // The peso sign is in a file of its own.
  const fonts = await document.fonts.load('1em "Inter Variable"', 'A₱').catch(() => [])
  if (fonts.length === 0) return
  if (!hasFont.get()) hasFont.set(true)
  if (root().dataset['line'] === 'slow') beforeNext(showFont)
}

function showFont(): void {
  delete root().dataset['line']
  root().style.setProperty('--mantine-font-family', fontFamily())
  root().style.setProperty('--mantine-font-family-headings', fontFamily())
}
