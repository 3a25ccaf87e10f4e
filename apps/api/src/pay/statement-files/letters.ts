import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fontkit from 'fontkit'
import subsetFont from 'subset-font'

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

/** Draws what no font has. */
const BOX = '□'

/** Joiners, marks of direction, variation selectors: without a glyph of their own. */
const UNSEEN = /\p{Cf}|\p{Variation_Selector}/u

const WEIGHTS = { regular: 400, semibold: 600 } as const

type Weight = keyof typeof WEIGHTS

/** Letters that Inter lacks: their fonts, cut down to them, and which one draws which. */
export type Letters = {
  /** By name. */
  fonts: ReadonlyMap<string, Buffer>
  /** The name of the font for a character in a weight. Undefined: Inter has it. */
  fontOf(character: string, weight: Weight): string | undefined
  /** From the top of a line of Inter to where its letters stand, as a part of its size. */
  ascent: number
  /** The text with a box for each character that no font has. */
  seen(text: string): string
}

/** The letters of a text that Inter lacks. */
export async function lettersOf(text: string, inter: string): Promise<Letters> {
  const { known, ascent } = readInter(inter)
  const isMissing = (character: string) => !known.has(codeOf(character)) && !/\s/.test(character)
  const missing = [...new Set(Array.from(text))].filter(isMissing)
  const byFile = Map.groupBy(
    (await Promise.all(missing.map(async (one) => ({ one, file: await fileOf(one) })))).filter(
      ({ file }) => file !== undefined,
    ),
    ({ file }) => file ?? '',
  )
  const fonts = new Map<string, Buffer>()
  const nameOf = new Map<string, string>()
  for (const [file, found] of byFile) {
    const whole = await readFile(file)
    const wanted = found.map(({ one }) => one).join('')
    for (const [weight, wght] of Object.entries(WEIGHTS)) {
      const cut = await subsetFont(whole, wanted, {
        targetFormat: 'sfnt',
        variationAxes: { wght },
      })
      fonts.set(`${file} ${weight}`, cut)
      const has = new Set(charactersOf(cut))
      for (const { one } of found)
        if (has.has(codeOf(one))) nameOf.set(`${one} ${weight}`, `${file} ${weight}`)
    }
  }
  const fontOf = (character: string, weight: Weight) => nameOf.get(`${character} ${weight}`)
  const seenAs = (character: string) =>
    !isMissing(character) || fontOf(character, 'regular') !== undefined
      ? character
      : UNSEEN.test(character)
        ? ''
        : BOX
  return { fonts, fontOf, ascent, seen: (value) => Array.from(value).map(seenAs).join('') }
}

function readInter(path: string): { known: ReadonlySet<number>; ascent: number } {
  if (interRead) return interRead
  const font = fontkit.create(readFileSync(path)) as fontkit.Font
  interRead = { known: new Set(font.characterSet), ascent: font.ascent / font.unitsPerEm }
  return interRead
}

let interRead: ReturnType<typeof readInter> | undefined

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
