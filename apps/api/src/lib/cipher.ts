import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

// Layout: version (1 byte), key id (4), nonce (12), tag (16), ciphertext.
const version = 1
const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + keyIdBytes
const overheadBytes = headBytes + nonceBytes + tagBytes

/**
 * Seals a text with AES-256-GCM so that only {@link open} with the same key and the same `aad` reads it.
 *
 * @param key 32 bytes.
 * @param aad says whose value it is, such as `accounts.password_sealed:17`: a sealed value that is copied
 *   to another row does not open there.
 */
export function seal(key: Buffer, plaintext: string, aad: string): Buffer {
  const head = sealedHead(key)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.concat([head, Buffer.from(aad)]))
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return Buffer.concat([head, nonce, cipher.getAuthTag(), ciphertext])
}

/** @throws when the value was sealed with another key, for another place, or was changed. */
export function open(key: Buffer, sealed: Buffer, aad: string): string {
  if (sealed.length < overheadBytes || sealed[0] !== version) throw new Error('not a sealed value')
  const head = sealed.subarray(0, headBytes)
  if (!head.subarray(1).equals(keyIdOf(key))) throw new Error('sealed with another secret key')
  const nonce = sealed.subarray(headBytes, headBytes + nonceBytes)
  const tag = sealed.subarray(headBytes + nonceBytes, overheadBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.concat([head, Buffer.from(aad)]))
  decipher.setAuthTag(tag)
  return Buffer.concat([
    decipher.update(sealed.subarray(overheadBytes)),
    decipher.final(),
  ]).toString('utf8')
}

/**
 * Opens with whichever of the keys sealed the value.
 *
 * @returns undefined when it is none of them, or the value belongs elsewhere or was changed.
 */
export function openWithAny(
  keys: readonly Buffer[],
  sealed: Buffer,
  aad: string,
): string | undefined {
  const key = keys.find((candidate) => isSealedWith(candidate, sealed))
  if (!key) return undefined
  try {
    return open(key, sealed, aad)
  } catch {
    return undefined // altered: nothing can be told about it but that it does not open
  }
}

export const isSealedWith = (key: Buffer, sealed: Buffer): boolean =>
  sealed.subarray(0, headBytes).equals(sealedHead(key))

/** How every value begins that was sealed with this key. */
export const sealedHead = (key: Buffer): Buffer => Buffer.concat([Buffer.of(version), keyIdOf(key)])

/** Tells which key sealed a value, without telling anything about the key. */
function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256')
    .update('tallyroom key id')
    .update(key)
    .digest()
    .subarray(0, keyIdBytes)
}
