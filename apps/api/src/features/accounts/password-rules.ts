import commonPasswords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { MIN_PASSWORD_LENGTH } from '@tallyroom/contract/passwords'
import { invalid } from '../../errors.ts'

/** Shorter ones are refused by the contract, before anybody looks here. In lower case. */
const common = new Set(commonPasswords.filter(({ length }) => length >= MIN_PASSWORD_LENGTH))

const fewestCharacters = 4

/** @throws VALIDATION_ERROR for one of the most common passwords, and for one of a few repeated characters. */
export function refuseCommon(password: string): void {
  const plain = fold(password)
  if (common.has(plain) || common.has(plain.trim())) {
    throw weak('is one of the most common passwords. Please choose another.')
  }
  if (new Set(plain).size < fewestCharacters) {
    throw weak(`must have at least ${fewestCharacters} different characters`)
  }
}

/**
 * A name that many know adds nothing: without it, the password must still be long enough.
 *
 * @param names of the brand, the office, the person. Each of their words counts.
 * @throws VALIDATION_ERROR
 */
export function refuseNames(password: string, names: readonly string[]): void {
  const words = names
    .flatMap((name) => [fold(name), ...fold(name).split(/[^\p{L}\p{N}]+/u)])
    .filter(({ length }) => length >= shortestName)
    .toSorted((a, b) => b.length - a.length)
  const plain = fold(password)
  const held = words.find((word) => plain.includes(word))
  if (held === undefined) return
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), plain)
  if (rest.length < MIN_PASSWORD_LENGTH) {
    throw weak(`must have at least ${MIN_PASSWORD_LENGTH} characters besides the name “${held}”`)
  }
}

/** Two letters are in many good passwords by chance. */
const shortestName = 3

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

const weak = (reason: string) => invalid({ password: [reason] })
