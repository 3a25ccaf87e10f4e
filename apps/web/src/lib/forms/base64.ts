import { formatCount } from '@tallyroom/domain/money'

/** Bytes in base64, as the API takes files. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCodePoint(byte)
  return btoa(text)
}

/** The most bytes of a file that is sent. */
const MOST_BYTES = 650_000

/** Why a file is not even sent, and what to do; undefined if it is. */
export const tooLargeText = ({ size }: Pick<File, 'size'>, remedy: string): string | undefined =>
  size > MOST_BYTES
    ? `The file has ${size < 10_000_000 ? (size / 1e6).toFixed(1) : formatCount(Math.round(size / 1e6))} MB, and may have 650 kB, some 10,000 lines. ${remedy}`
    : undefined
