import { randomInt } from 'node:crypto'

/** Capitals and digits that nobody confuses: of 0OQDC 1IL 2Z 5S 8B 6G UVY MNW 4A at most one each. */
const unambiguous = 'ACEFHJKNPRTXY3789'

/** Unguessable text for a person to read and type: about 4.1 bits a character. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => unambiguous[randomInt(unambiguous.length)]).join('')
