import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

// Layout: version (1 byte), key id (4), nonce (12), tag (16), ciphertext.
const version = 1
const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + keyIdBytes
const overheadBytes = headBytes + nonceBytes + tagBytes

/**
 * Encrypts a text with AES-256-GCM. Only {@link open} with the same key and `aad` can decrypt it.
 *
 * @param key 32 bytes.
 * @param aad identifies the owner, such as `accounts.password_sealed:17`: a value copied to another row does
 * not decrypt.
 */
export function seal(key: Buffer, plaintext: string, aad: string): Buffer {
  const head = sealedHead(key)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.concat([head, Buffer.from(aad)]))
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return Buffer.concat([head, nonce, cipher.getAuthTag(), ciphertext])
}

/** @throws if the value was encrypted with another key or `aad`, or was altered. */
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
 * Decrypts with whichever of the keys encrypted the value.
 *
 * @returns undefined if none of them did, or if the value belongs elsewhere or was altered.
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
    return undefined // altered
  }
}

export const isSealedWith = (key: Buffer, sealed: Buffer): boolean =>
  sealed.subarray(0, headBytes).equals(sealedHead(key))

/** The prefix of every value encrypted with this key. */
export const sealedHead = (key: Buffer): Buffer => Buffer.concat([Buffer.of(version), keyIdOf(key)])

/** Identifies the key that encrypted a value, without revealing anything about it. */
function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256')
    .update('tallyroom key id')
    .update(key)
    .digest()
    .subarray(0, keyIdBytes)
}
