import { brandOf } from '@tallyroom/domain/brands/index'
import type { Services } from '../../services.ts'
import { hashPassword } from '../../lib/password.ts'
import { oneTimePassword } from '../../lib/random-text.ts'
import type { SealPassword } from './accounts.queries.ts'
import { passwordColumn } from './password-column.ts'
import { refuseCommon, refuseNames } from './password-rules.ts'

/** A password as it is stored: its hash, and what makes the copy for the Password column. */
export type NewPassword = {
  passwordHash: string
  sealPassword: SealPassword
  /**
   * Called with the names of the account that gets it, once its row is written.
   *
   * @throws VALIDATION_ERROR about `password`.
   */
  refuseNames: (names: readonly string[]) => void
}

/**
 * Makes what is stored of a password that a person chose. Slow by intention: do it before a transaction begins.
 *
 * @throws VALIDATION_ERROR about `password` for one that is easily guessed.
 */
export async function makePassword(
  services: Pick<Services, 'config' | 'secret' | 'formerSecrets'>,
  password: string,
): Promise<NewPassword> {
  refuseCommon(password)
  const { key, name } = brandOf(services.config.brand)
  refuseNames(password, [key, name])
  const column = passwordColumn(services)
  return {
    passwordHash: await hashPassword(password),
    sealPassword: (accountId) => column.seal(accountId, password),
    refuseNames: (names) => refuseNames(password, names),
  }
}

/** The same for a form whose password may stay empty: then there is none. */
export const makePasswordIfGiven = async (
  services: Pick<Services, 'config' | 'secret' | 'formerSecrets'>,
  password: string,
): Promise<NewPassword | undefined> =>
  password === '' ? undefined : makePassword(services, password)

/** A random password to be typed once and then replaced; no readable copy is kept. */
export async function makeOneTimePassword(): Promise<NewPassword & { password: string }> {
  const password = oneTimePassword()
  return {
    password,
    passwordHash: await hashPassword(password),
    sealPassword: () => null,
    refuseNames: () => {},
  }
}
