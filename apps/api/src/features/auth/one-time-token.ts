import { createHash, randomBytes } from 'node:crypto'

/** A token that nobody guesses, 32 characters, to be handed out once. What is stored is its hash. */
export const makeToken = (): string => randomBytes(24).toString('base64url')

/** Nothing slow: unlike a password, a token of 192 bits can't be found by trying. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
