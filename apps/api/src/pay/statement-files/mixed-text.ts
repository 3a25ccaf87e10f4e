import bidiFactory from 'bidi-js'
import LineBreaker from 'linebreak'

/*
 * Text in several scripts: where its lines break, and the runs of a line from left to right. One run is of one font and one
 * direction, as a font lays it out.
 */

// The module itself is what its types export as `default`.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()

export type Run = { font: string; text: string }

/** The font for each character of a text. */
export type FontOf = (character: string) => string

const RIGHT_TO_LEFT = /\p{sc=Arabic}|\p{sc=Hebrew}/u

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The lines of a text, broken where its scripts allow, or within a word that is longer than a line. */
export function linesOf(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  const fits = (piece: string) => measure((line + piece).trimEnd()) <= width
  const add = (piece: string) => {
    if (line !== '' && !fits(piece)) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += piece
  }
  for (const { piece, endsLine } of piecesOf(text)) {
    if (measure(piece.trimEnd()) <= width) add(piece)
    else for (const { segment } of graphemes.segment(piece)) add(segment)
    if (!endsLine) continue
    lines.push(line.trimEnd())
    line = ''
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line.trimEnd()]
}

function* piecesOf(text: string): Generator<{ piece: string; endsLine: boolean }> {
  const breaker = new LineBreaker(text)
  let from = 0
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const piece = text.slice(from, next.position)
    from = next.position
    const endsLine = next.required && from < text.length
    yield { piece: endsLine ? piece.trimEnd() : piece, endsLine }
  }
}

/** The runs of one line, in the order in which they are seen from left to right. */
export function runsOf(line: string, fontOf: FontOf): Run[] {
  const { levels } = bidi.getEmbeddingLevels(line)
  const runs: (Run & { level: number })[] = []
  let at = 0
  for (const character of line) {
    const level = levels[at] ?? 0
    at += character.length
    const mirrored =
      level % 2 === 1 ? (bidi.getMirroredCharacter(character) ?? character) : character
    const font = fontOf(mirrored)
    const last = runs.at(-1)
    if (last?.font === font && last.level === level) last.text += mirrored
    else runs.push({ font, level, text: mirrored })
  }
  return inSight(runs).map(({ font, level, text }) => ({
    font,
    // Fonts lay out these scripts from the right themselves.
    text: level % 2 === 1 && !RIGHT_TO_LEFT.test(text) ? reversed(text) : text,
  }))
}

/** Reverses what is read from the right, from the innermost level outwards. */
function inSight<Item extends { level: number }>(runs: readonly Item[]): Item[] {
  const seen = [...runs]
  const deepest = Math.max(0, ...seen.map(({ level }) => level))
  for (let level = deepest; level > 0; level--) {
    for (let start = 0; start < seen.length; start++) {
      let end = start
      while ((seen[end]?.level ?? 0) >= level) end++
      seen.splice(start, end - start, ...seen.slice(start, end).toReversed())
      start = Math.max(start, end)
    }
  }
  return seen
}

const reversed = (text: string): string =>
  [...graphemes.segment(text)]
    .map(({ segment }) => segment)
    .toReversed()
    .join('')
