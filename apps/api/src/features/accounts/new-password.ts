import type { Services } from '../../http/services.ts'
import { hashPassword } from '../../lib/password.ts'
import type { SealPassword } from './accounts.queries.ts'
import { passwordColumn } from './password-column.ts'

/** A password as it is stored: its hash, and what makes the copy for the Password column. */
export type NewPassword = { passwordHash: string; sealPassword: SealPassword }

/** Slow by intention: do it before a transaction begins. */
export async function makePassword(
  services: Pick<Services, 'config' | 'secret' | 'formerSecrets'>,
  password: string,
): Promise<NewPassword> {
  const column = passwordColumn(services)
  return {
    passwordHash: await hashPassword(password),
    sealPassword: (accountId) => column.seal(accountId, password),
  }
}

/** The same for a form whose password may stay empty: then there is none. */
export const makePasswordIfGiven = async (
  services: Pick<Services, 'config' | 'secret' | 'formerSecrets'>,
  password: string,
): Promise<NewPassword | undefined> =>
  password === '' ? undefined : makePassword(services, password)
