import { brandOf } from '@tallyroom/domain/brands/index'
import type { Services } from '../../services.ts'
import { hashPassword } from '../../lib/password.ts'
import { makeToken } from '../../lib/tokens.ts'
import { oneTimePassword } from '../../lib/random-text.ts'
import type { NewPassword } from './accounts.queries.ts'
import { passwordColumn } from './password-column.ts'
import { refuseCommon, refuseNames } from './password-rules.ts'

/**
 * Prepares a chosen password for storing. Deliberately slow: call it before the transaction.
 *
 * @throws VALIDATION_ERROR about `password` if it is easy to guess.
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

/** The same for a form whose password may be empty; then returns undefined. */
export const makePasswordIfGiven = async (
  services: Pick<Services, 'config' | 'secret' | 'formerSecrets'>,
  password: string,
): Promise<NewPassword | undefined> =>
  password === '' ? undefined : makePassword(services, password)

/** What an account has until its holder chooses a password: nobody can sign in with it. */
export const makeUnknownPassword = async (): Promise<NewPassword> => ({
  passwordHash: await hashPassword(makeToken()),
  sealPassword: () => null,
  refuseNames: () => {},
})

/** A random one-time password, which must be changed. No readable copy is stored. */
export async function makeOneTimePassword(): Promise<NewPassword & { password: string }> {
  const password = oneTimePassword()
  return {
    password,
    passwordHash: await hashPassword(password),
    sealPassword: () => null,
    refuseNames: () => {},
  }
}
