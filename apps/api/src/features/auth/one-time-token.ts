import { createHash, randomBytes } from 'node:crypto'

/** An unguessable single-use token of 32 characters. Only its hash is stored. */
export const makeToken = (): string => randomBytes(24).toString('base64url')

/** A fast hash is enough: unlike a password, a token of 192 bits cannot be brute-forced. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
