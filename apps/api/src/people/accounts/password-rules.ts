import commonPasswords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { MIN_PASSWORD_LENGTH } from '@tallyroom/contract/people/passwords'
import { invalid } from '../../errors.ts'

/** In lower case. The contract already refuses shorter ones. */
const common = new Set(commonPasswords.filter(({ length }) => length >= MIN_PASSWORD_LENGTH))

const fewestCharacters = 4

/** @throws VALIDATION_ERROR for the most common passwords, and for those with too few different characters. */
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
 * Refuses passwords that rely on well-known names: without them, the password must still be long enough.
 *
 * @param names of the brand, office and person. Each word counts.
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

/** Many good passwords contain two given letters by chance. */
const shortestName = 3

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

const weak = (reason: string) => invalid({ password: [reason] })
