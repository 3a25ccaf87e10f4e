import { randomInt } from 'node:crypto'

/** Capitals and digits that nobody confuses: of 0OQDC 1IL 2Z 5S 8B 6G UVY MNW 4A at most one each. */
const unambiguous = 'ACEFHJKNPRTXY3789'

/** Unguessable text for a person to read and type: about 4.1 bits a character. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => unambiguous[randomInt(unambiguous.length)]).join('')

/** A password to be typed once and then changed: four groups of five. */
export const oneTimePassword = (): string =>
  Array.from({ length: 4 }, () => randomText(5)).join('-')
