import { TOKEN_PREFIX } from '@tallyroom/contract/token-groups'
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6

/** A new token: the prefix, 32 random characters (190 bits) and a checksum by which scanners and we tell it from noise. */
export function makeTokenText(): string {
  const secret = Array.from({ length: randomLength }, () => digits[randomInt(62)]).join('')
  return `${TOKEN_PREFIX}${secret}${checksumOf(secret)}`
}

/** Whether it could be a token, which needs no look into the database. */
export function isTokenText(text: string): boolean {
  const secret = text.slice(TOKEN_PREFIX.length, -checksumLength)
  return (
    text.startsWith(TOKEN_PREFIX) &&
    secret.length === randomLength &&
    text.endsWith(checksumOf(secret))
  )
}

/** CRC-32 in base 62. */
function checksumOf(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  while (text.length < checksumLength) {
    text = `${digits[rest % 62]}${text}`
    rest = Math.floor(rest / 62)
  }
  return text
}
