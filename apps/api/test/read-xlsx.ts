import { crc32, inflateRawSync } from 'node:zlib'

/** The files in a ZIP file, by its directory, each checked against its checksum and sizes. */
export function readZip(bytes: Buffer): Record<string, string> {
  const end = bytes.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  const files: Record<string, string> = {}
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, packed, plain] = [16, 20, 24].map((field) => bytes.readUInt32LE(at + field))
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const header = bytes.readUInt32LE(at + 42)
    const content = header + 30 + bytes.readUInt16LE(header + 26)
    const file = inflateRawSync(bytes.subarray(content, content + (packed ?? 0)))
    if (crc32(file) !== crc || file.length !== plain) throw new Error(`${name} is damaged`)
    files[name] = file.toString('utf8')
    at += 46 + nameLength
  }
  if (at !== end) throw new Error('the directory is damaged')
  return files
}

/**
 * The cells of a worksheet, numbers as numbers, texts as texts, by the letters of their columns.
 * Empty cells at the end of a row are left out.
 */
export function readSheet(xml: string): (string | number | undefined)[][] {
  return [...xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, , cells = '']) => {
    const row: (string | number | undefined)[] = []
    for (const [, letters = '', , value = ''] of cells.matchAll(
      /<c r="([A-Z]+)\d+" s="(\d+)"[^>]*>(.*?)<\/c>/gs,
    )) {
      const text = /<t [^>]*>(.*)<\/t>/s.exec(value)?.[1]
      row[columnOf(letters)] =
        text === undefined ? Number(/<v>(.*)<\/v>/.exec(value)?.[1]) : plain(text)
    }
    return row
  })
}

const columnOf = (letters: string): number =>
  letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const plain = (text: string): string =>
  text
    .replaceAll('_x000D_', '\r')
    .replaceAll('_x005F_', '_')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
