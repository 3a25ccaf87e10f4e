export type TextEncoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

/**
 * Decodes a text file that a person saved: UTF-8, UTF-16 by its byte order mark or by its NUL bytes, and what spreadsheets
 * on Windows call CSV (Windows-1252) where the bytes are not UTF-8. The byte order mark is left out. Callers say which
 * encoding was found, and refuse what is `LOST`.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: TextEncoding } {
  const { encoding, label } = encodingOf(bytes)
  return { text: new TextDecoder(label).decode(bytes), encoding }
}

/**
 * Letters that an earlier program or the wrong encoding destroyed: the replacement character, and what Windows-1252 makes
 * of the five bytes that it has no letter for. They never come back.
 */
export const LOST = /[\u0081\u008d\u008f\u0090\u009d\ufffd]/

function encodingOf(bytes: Uint8Array): { encoding: TextEncoding; label: string } {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { encoding: 'UTF-16', label: 'utf-16le' }
  if (first === 0xfe && second === 0xff) return { encoding: 'UTF-16', label: 'utf-16be' }
  // No text has NULs, but the ASCII of UTF-16 has one in every pair.
  if (second === 0 && first !== 0) return { encoding: 'UTF-16', label: 'utf-16le' }
  if (first === 0 && second !== 0) return { encoding: 'UTF-16', label: 'utf-16be' }
  return isUtf8(bytes)
    ? { encoding: 'UTF-8', label: 'utf-8' }
    : { encoding: 'Windows-1252', label: 'windows-1252' }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
