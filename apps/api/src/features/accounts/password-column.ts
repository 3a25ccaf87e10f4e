import type { Services } from '../../http/services.ts'
import { openWithAny, seal } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'

/** The second, readable copy of passwords that the lists of accounts show. Never of a superadmin. */
export type PasswordColumn = {
  /** Off: nothing is kept and nothing is shown. */
  isOn: boolean
  /** Null when the column is off. */
  seal(accountId: number, password: string): Buffer | null
  /** Null when no copy is kept, or none that the keys open; undefined, so left out, when the column is off. */
  reveal(accountId: number, sealed: Buffer | null): string | null | undefined
}

/** As the operator set it: PASSWORD_COLUMN, and the secret key file. */
export function passwordColumn({
  config,
  secret,
  formerSecrets,
}: Pick<Services, 'config' | 'secret' | 'formerSecrets'>): PasswordColumn {
  const isOn = config.passwordColumn === 'on'
  const key = deriveKey(secret, 'password-column')
  const keys = [key, ...formerSecrets.map((former) => deriveKey(former, 'password-column'))]
  return {
    isOn,
    seal: (accountId, password) => (isOn ? seal(key, password, placeOf(accountId)) : null),
    reveal(accountId, sealed) {
      if (!isOn) return undefined
      return sealed && (openWithAny(keys, sealed, placeOf(accountId)) ?? null)
    },
  }
}

/** Binds a copy to its account: moved to another row, it does not open. */
const placeOf = (accountId: number) => `accounts.password_sealed:${accountId}`
