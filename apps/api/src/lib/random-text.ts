import { randomInt } from 'node:crypto'

/**
 * Capitals and digits that are not easily confused: at most one each of 0OQDC, 1IL, 2Z, 5S, 8B, 6G, UVY and
 * MNW4A.
 */
const unambiguous = 'ACEFHJKNPRTXY3789'

/** Unguessable text to read and type, about 4.1 bits per character. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => unambiguous[randomInt(unambiguous.length)]).join('')

/** A one-time password: four groups of five characters. */
export const oneTimePassword = (): string =>
  Array.from({ length: 4 }, () => randomText(5)).join('-')
