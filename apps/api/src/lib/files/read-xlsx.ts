import { Parser } from 'htmlparser2'
import { BadFileError, readZip } from './read-zip.ts'

/** A cell’s text as the workbook stores it, and whether a formula computed it. */
export type Cell = { text: string; isFormula: boolean }

export type Sheet = {
  name: string
  /** By their numbers in the workbook, from 1. Empty rows are left out. */
  rows: { line: number; cells: Cell[] }[]
}

/** What of a workbook is unpacked at most. */
const MOST_BYTES = 50_000_000
const MOST_ROWS = 100_000
const MOST_COLUMNS = 300

/**
 * The first visible sheet of an Excel workbook (.xlsx). Of formulas it has the results that the workbook stores; nothing is
 * computed, and no link to another file is followed.
 *
 * @throws BadFileError with the reason
 */
export function readXlsx(bytes: Buffer): Sheet {
  const file = readZip(bytes, MOST_BYTES)
  const workbook = file('xl/workbook.xml')
  if (!workbook) throw new BadFileError('it is a ZIP file, but not an Excel workbook (.xlsx)')
  const sheets: { name: string; id: string }[] = []
  parse(workbook, {
    open: (tag, of) => {
      if (tag === 'sheet' && (of('state') ?? 'visible') === 'visible')
        sheets.push({ name: of('name') ?? '', id: of('id') ?? '' })
    },
  })
  const [first] = sheets
  if (!first) throw new BadFileError('the workbook has no visible sheet')
  const path = pathOf(file('xl/_rels/workbook.xml.rels'), first.id)
  const sheet = path === undefined ? undefined : file(path)
  if (!sheet) throw new BadFileError(`its sheet “${first.name}” is missing`)
  return { name: first.name, rows: rowsOf(sheet, sharedTexts(file('xl/sharedStrings.xml'))) }
}

/** Where a sheet is stored. */
function pathOf(relations: Buffer | undefined, id: string): string | undefined {
  let path: string | undefined
  parse(relations, {
    open: (tag, of) => {
      if (tag !== 'relationship' || of('id') !== id || of('targetmode') === 'External') return
      const target = of('target') ?? ''
      path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
    },
  })
  return path
}

/** The texts that cells refer to by their position. Phonetic guides are not part of them. */
function sharedTexts(xml: Buffer | undefined): string[] {
  const texts: string[] = []
  let [isText, isGuide] = [false, false]
  parse(xml, {
    open(tag) {
      if (tag === 'si') texts.push('')
      if (tag === 'rph') isGuide = true
      if (tag === 't') isText = true
    },
    text(text) {
      if (isText && !isGuide) texts[texts.length - 1] += text
    },
    close(tag) {
      if (tag === 't') isText = false
      if (tag === 'rph') isGuide = false
    },
  })
  return texts
}

function rowsOf(xml: Buffer, shared: readonly string[]): Sheet['rows'] {
  const rows: Sheet['rows'] = []
  let line = 0
  let cells: Cell[] = []
  let column = -1
  let type = ''
  let value = ''
  let isValue = false
  let isFormula = false
  parse(xml, {
    open(tag, of) {
      if (tag === 'row') {
        line = Number(of('r') ?? line + 1)
        cells = []
        column = -1
      } else if (tag === 'c') {
        column = columnOf(of('r')) ?? column + 1
        type = of('t') ?? 'n'
        value = ''
        isFormula = false
      } else if (tag === 'f') {
        isFormula = true
      } else if (tag === 'v' || tag === 't') {
        isValue = true
      }
    },
    text(text) {
      if (isValue) value += text
    },
    close(tag) {
      if (tag === 'v' || tag === 't') {
        isValue = false
      } else if (tag === 'c' && column < MOST_COLUMNS) {
        while (cells.length < column) cells.push({ text: '', isFormula: false })
        cells[column] = { text: textOf(type, value, shared), isFormula }
      } else if (tag === 'row' && cells.some(({ text }) => text.trim() !== '')) {
        if (rows.length === MOST_ROWS) throw new BadFileError('the sheet has too many rows')
        rows.push({ line, cells })
      }
    },
  })
  return rows
}

/** `B` of `B12` is 1. Undefined without a reference. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0].toUpperCase()
  if (letters === undefined) return undefined
  return letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function textOf(type: string, value: string, shared: readonly string[]): string {
  if (type === 's') return shared[Number(value)] ?? ''
  if (type !== 'n' || value === '') return value
  // Excel keeps fifteen digits and stores what is left of the binary number: 87017.149999999994.
  const number = Number(value)
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value
}

type Handlers = {
  open: (tag: string, attribute: (name: string) => string | undefined) => void
  text?: (text: string) => void
  close?: (tag: string) => void
}

/** Names come without their prefixes and in lower case. Entities of a document type are left as they are. */
function parse(xml: Buffer | undefined, { open, text, close }: Handlers): void {
  if (!xml) return
  const local = (name: string) => name.slice(name.indexOf(':') + 1).toLowerCase()
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const own = new Map(
          Object.entries(attributes).map(([key, value]) => [local(key), value] as const),
        )
        open(local(name), (key) => own.get(key))
      },
      ontext: (part) => text?.(part),
      onclosetag: (name) => close?.(local(name)),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml.toString('utf8'))
}
