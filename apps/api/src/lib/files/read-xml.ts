import { Parser } from 'htmlparser2'
import { decodeText } from './decode-text.ts'
import { BadFileError } from './read-zip.ts'

/** An element of XML by its local name. */
export type XmlElement = {
  name: string
  /** The namespace; empty without one. */
  space: string
  /** By local name. */
  attributes: ReadonlyMap<string, string>
  /** What stands in it, but not in elements within, on one line. */
  text: string
  children: XmlElement[]
}

const MOST_ELEMENTS = 200_000
const MOST_DEPTH = 60

/**
 * The root of an XML file. Nothing outside of the file is read: schemas are not looked at, and a document type, which could define
 * entities, is refused.
 *
 * @throws BadFileError with what it is instead
 */
export function readXml(bytes: Uint8Array): XmlElement {
  let root: XmlElement | undefined
  const open: { element: XmlElement; spaces: Spaces | undefined }[] = []
  let count = 0
  let isAtEnd = false
  const { text } = decodeText(bytes)
  const parser = new Parser(
    {
      onprocessinginstruction(name) {
        if (name.toLowerCase() === '!doctype') throw new BadFileError('it has a document type')
      },
      onopentag(name, attributes) {
        const parent = open.at(-1)
        count += 1
        if (count > MOST_ELEMENTS || open.length >= MOST_DEPTH)
          throw new BadFileError('it has too many elements')
        if (!parent && root) throw new BadFileError('it has more than one root element')
        const spaces = spacesIn(attributes, parent?.spaces)
        const element: XmlElement = {
          name: localName(name),
          space: spaceOf(prefixOf(name), spaces),
          attributes: new Map(
            Object.entries(attributes).map(([key, value]) => [localName(key), value]),
          ),
          text: '',
          children: [],
        }
        root ??= element
        parent?.element.children.push(element)
        open.push({ element, spaces })
      },
      ontext(part) {
        const within = open.at(-1)
        if (within) within.element.text += part
      },
      onclosetag(name, isImplied) {
        const closed = open.pop()
        // `<a/>` is closed as well as `<a></a>`.
        const isWhole = !isAtEnd && (!isImplied || text[parser.endIndex - 1] === '/')
        if (!closed || !isWhole) throw new BadFileError('it is cut off or damaged')
        closed.element.text = onOneLine(closed.element.text)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(text)
  isAtEnd = true
  parser.end()
  if (!root) throw new BadFileError('it has no XML element')
  return root
}

/** Whether a text file is XML, and no web page that a bank calls a spreadsheet. */
export const isXml = (bytes: Buffer): boolean => {
  // The cut may be within a letter, and then the mark before it is decoded as three.
  const beginning = decodeText(bytes.subarray(0, 1_000))
    .text.replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)/, '')
    .trimStart()
  return /^<[?!\p{L}]/u.test(beginning) && !/^<(?:!doctype html|html|table)/i.test(beginning)
}

const prefixOf = (name: string): string =>
  name.includes(':') ? name.slice(0, name.indexOf(':')) : ''

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The namespaces that an element declares, by prefix, and those around it. Not copied: each of 200,000 elements may add one. */
type Spaces = { own: ReadonlyMap<string, string>; above: Spaces | undefined }

function spacesIn(
  attributes: Readonly<Record<string, string>>,
  above: Spaces | undefined,
): Spaces | undefined {
  const own = Object.entries(attributes).flatMap(([key, value]): [string, string][] => {
    if (key === 'xmlns') return [['', value]]
    return key.startsWith('xmlns:') ? [[key.slice('xmlns:'.length), value]] : []
  })
  return own.length === 0 ? above : { own: new Map(own), above }
}

/** The namespace that a prefix stands for; empty without one. */
function spaceOf(prefix: string, within: Spaces | undefined): string {
  for (let spaces = within; spaces; spaces = spaces.above) {
    const space = spaces.own.get(prefix)
    if (space !== undefined) return space
  }
  return ''
}

/** Without control characters, which a character reference could write. */
const onOneLine = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f\u007f\u200b-\u200d\u2060\ufeff\s]+/g, ' ')
    .trim()

/** The elements of this name in another. */
export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((one) => one.name === name) ?? []

/** The first element at a path of names; undefined if there is none. */
export const elementAt = (
  element: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((within, name) => childrenOf(within, name)[0], element)

/** The text at a path of names; empty if there is none. */
export const textAt = (element: XmlElement | undefined, ...path: readonly string[]): string =>
  elementAt(element, ...path)?.text ?? ''
