import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import * as fontkit from 'fontkit'
import { atMost } from '../../lib/at-most.ts'
import type { CutFont } from './cut-fonts-worker.ts'

/** Draws what no font has. */
const BOX = '□'

/** Joiners, marks of direction, variation selectors: without a glyph of their own. */
const UNSEEN = /\p{Cf}|\p{Variation_Selector}/u

/** Letters that Inter lacks: their fonts, cut down to them, and which one draws which. */
export type Letters = {
  /** By name. */
  fonts: ReadonlyMap<string, Buffer>
  /** The name of the font for a character in a weight. Undefined: Inter has it. */
  fontOf(character: string, weight: CutFont['weight']): string | undefined
  /** From the top of a line of Inter to where its letters stand, as a part of its size. */
  ascent: number
  /** The text with a box for each character that no font has. */
  seen(text: string): string
}

/** The letters of a text that Inter, a file, lacks. */
export async function lettersOf(text: string, inter: string): Promise<Letters> {
  const { known, ascent } = readInter(inter)
  const isMissing = (character: string) =>
    !known.has(character.codePointAt(0) ?? 0) && !/\s/.test(character)
  const missing = [...new Set(text)].filter(isMissing)
  const cut = missing.length === 0 ? [] : await one(() => cutFonts(missing))
  const fonts = new Map<string, Buffer>()
  const names = { regular: new Map<string, string>(), semibold: new Map<string, string>() }
  for (const [index, { weight, font, characters }] of cut.entries()) {
    const name = `Noto ${index}`
    fonts.set(name, Buffer.from(font))
    for (const character of characters) names[weight].set(character, name)
  }
  const seenAs = (character: string) =>
    !isMissing(character) || names.regular.has(character)
      ? character
      : UNSEEN.test(character)
        ? ''
        : BOX
  return {
    fonts,
    fontOf: (character, weight) => names[weight].get(character),
    ascent,
    seen: (value) => (missing.length === 0 ? value : Array.from(value).map(seenAs).join('')),
  }
}

/** Each takes about 60 MB while it runs. */
const one = atMost({ running: 1, waiting: 50 })

async function cutFonts(characters: readonly string[]): Promise<CutFont[]> {
  const worker = new Worker(new URL('cut-fonts-worker.ts', import.meta.url), {
    workerData: characters,
  })
  const [fonts] = (await once(worker, 'message')) as [CutFont[]] // what the worker sends; an error rejects
  return fonts
}

function readInter(path: string): { known: ReadonlySet<number>; ascent: number } {
  if (interRead) return interRead
  const font = fontkit.create(readFileSync(path)) as fontkit.Font
  interRead = { known: new Set(font.characterSet), ascent: font.ascent / font.unitsPerEm }
  return interRead
}

let interRead: ReturnType<typeof readInter> | undefined
