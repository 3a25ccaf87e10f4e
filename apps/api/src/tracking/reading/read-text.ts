/** Bytes that a merchant sent, as text. Two different texts never become one, so no byte is ever replaced. */
export function readText(bytes: Buffer, charset?: string): string {
  const declared = charset !== undefined && charset !== 'utf-8' ? decoderOf(charset) : undefined
  return decode(declared, bytes) ?? decode(utf8, bytes) ?? latin1.decode(bytes)
}

/** The charset of a content type, in lower case. */
export const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1]?.toLowerCase()

/** A part of a form, percent-encoded and with plus signs for blanks. Malformed encoding is kept as text. */
export function readEncoded(text: string, charset?: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!NEEDS_BYTES.test(spaced)) return spaced
  if (charset === undefined && !spaced.includes('\ufffd') && /^[\x20-\x7e]*$/.test(spaced)) {
    try {
      return decodeURIComponent(spaced)
    } catch {
      // Not UTF-8, or a percent sign that encodes nothing.
    }
  }
  const bytes = spaced.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return readText(Buffer.from(bytes, 'latin1'), charset)
}

const NEEDS_BYTES = /[%\x80-\uffff]/

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Gives each byte a character of its own, as browsers read what calls itself ISO-8859-1. */
const latin1 = new TextDecoder('windows-1252')

type Decoder = InstanceType<typeof TextDecoder>

function decode(decoder: Decoder | undefined, bytes: Buffer): string | undefined {
  try {
    return decoder?.decode(bytes)
  } catch {
    return undefined
  }
}

function decoderOf(charset: string): Decoder | undefined {
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    return undefined
  }
}
