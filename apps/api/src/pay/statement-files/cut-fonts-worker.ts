import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import * as fontkit from 'fontkit'
import subsetFont from 'subset-font'

/*
 * Cuts fonts down to some characters, as `letters` asks. It takes long and keeps memory, so it is a thread that ends.
 */

/** The fonts of a script, several files each: `ranges` is the URL of the list that says what is in which. */
type Family = { letters: RegExp; ranges: string }

/** Noto, under the SIL Open Font License. The first one whose letters have it draws a character that Inter lacks. */
const families: readonly Family[] = [
  {
    letters: /\p{sc=Hangul}/u,
    ranges: import.meta.resolve('@fontsource-variable/noto-sans-kr/unicode.json'),
  },
  {
    letters: /\p{sc=Hiragana}|\p{sc=Katakana}/u,
    ranges: import.meta.resolve('@fontsource-variable/noto-sans-jp/unicode.json'),
  },
  {
    letters: /\p{sc=Han}|[\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u,
    ranges: import.meta.resolve('@fontsource-variable/noto-sans-sc/unicode.json'),
  },
  {
    letters: /\p{scx=Arabic}/u,
    ranges: import.meta.resolve('@fontsource-variable/noto-sans-arabic/unicode.json'),
  },
  {
    letters: /\p{sc=Hebrew}/u,
    ranges: import.meta.resolve('@fontsource-variable/noto-sans-hebrew/unicode.json'),
  },
  {
    letters: /\p{sc=Thai}/u,
    ranges: import.meta.resolve('@fontsource-variable/noto-sans-thai/unicode.json'),
  },
  {
    letters: /\p{scx=Devanagari}/u,
    ranges: import.meta.resolve('@fontsource-variable/noto-sans-devanagari/unicode.json'),
  },
  {
    letters: /\p{Extended_Pictographic}|\p{Regional_Indicator}/u,
    ranges: import.meta.resolve('@fontsource-variable/noto-emoji/unicode.json'),
  },
]

const WEIGHTS = { regular: 400, semibold: 600 } as const

/** A font cut down to what it draws. */
export type CutFont = { weight: keyof typeof WEIGHTS; font: Uint8Array; characters: string[] }

async function cutFonts(characters: readonly string[]): Promise<CutFont[]> {
  const found = await Promise.all(
    characters.map(async (character) => ({ character, file: await fileOf(character) })),
  )
  const fonts: CutFont[] = []
  for (const [file, group] of Map.groupBy(found, (each) => each.file)) {
    if (file === undefined) continue
    const whole = await readFile(file)
    const wanted = group.map(({ character }) => character)
    for (const weight of ['regular', 'semibold'] as const) {
      const font = await subsetFont(whole, wanted.join(''), {
        targetFormat: 'sfnt',
        variationAxes: { wght: WEIGHTS[weight] },
      })
      const has = new Set(charactersOf(font))
      const drawn = wanted.filter((character) => has.has(codeOf(character)))
      if (drawn.length > 0) fonts.push({ weight, font, characters: drawn })
    }
  }
  return fonts
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0

/** A font without any of the letters that it was cut down to has no table of them. */
function charactersOf(font: Buffer): number[] {
  try {
    return (fontkit.create(font) as fontkit.Font).characterSet
  } catch {
    return []
  }
}

/** The file of fonts that has a character, if any has. */
async function fileOf(character: string): Promise<string | undefined> {
  for (const { letters, ranges } of families) {
    if (!letters.test(character)) continue
    const part = (await readRanges(ranges)).find(({ has }) => has(codeOf(character)))
    if (part) return part.file
  }
  return undefined
}

type Part = { file: string; has: (code: number) => boolean }

/** The parts of a family: `{ "[4]": "U+1F100-1F1FF,U+3000" }`. Read once. */
function readRanges(url: string): Promise<Part[]> {
  const known = parts.get(url)
  if (known) return known
  const path = fileURLToPath(url)
  const folder = dirname(path)
  const read = readFile(path, 'utf8').then((json) =>
    Object.entries(JSON.parse(json) as Record<string, string>).map(([name, ranges]) => {
      const spans = ranges.split(',').map((range) => {
        const [from = 0, to = from] = range
          .slice(2)
          .split('-')
          .map((code) => Number.parseInt(code, 16))
        return { from, to }
      })
      return {
        file: join(
          folder,
          'files',
          `${basename(folder)}-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`,
        ),
        has: (code: number) => spans.some(({ from, to }) => from <= code && code <= to),
      }
    }),
  )
  parts.set(url, read)
  return read
}

const parts = new Map<string, Promise<Part[]>>()

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(await cutFonts(workerData as string[])) // from lettersOf
