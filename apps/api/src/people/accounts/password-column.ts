import type { AdminItem } from '@tallyroom/contract/people/admins'
import { handingOf } from '@tallyroom/domain/secrets'
import { credentialOf, type Viewer } from '../../access/viewer.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { openWithAny, seal } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { recordHand } from '../hands/record-hand.ts'
import { findSealedPassword } from './accounts.queries.ts'

type ShownPassword = Pick<AdminItem, 'plainPassword' | 'passwordHidden'>

/** The readable copies of passwords for account lists. Never for superadmins. */
export type PasswordColumn = {
  /** If off, nothing is stored or shown. */
  isOn: boolean
  /** How lists show it to a viewer: the password, nothing, or why it is hidden. */
  show(viewer: Viewer, accountId: number, sealed: Buffer | null): ShownPassword
  /** Null if the column is off. */
  seal(accountId: number, password: string): Buffer | null
  /** Null if no copy is stored or no key can decrypt it; undefined, so omitted, if the column is off. */
  reveal(accountId: number, sealed: Buffer | null): string | null | undefined
}

/** Configured by PASSWORD_COLUMN and the secret key file. */
export function passwordColumn({
  config,
  secret,
  formerSecrets,
}: Pick<Services, 'config' | 'secret' | 'formerSecrets'>): PasswordColumn {
  const isOn = config.passwordColumn !== 'off'
  const isHidden = config.passwordColumn === 'reveal'
  const key = deriveKey(secret, 'password-column')
  const keys = [key, ...formerSecrets.map((former) => deriveKey(former, 'password-column'))]
  function reveal(accountId: number, sealed: Buffer | null): string | null | undefined {
    if (!isOn) return undefined
    return sealed && (openWithAny(keys, sealed, placeOf(accountId)) ?? null)
  }
  return {
    isOn,
    seal: (accountId, password) => (isOn ? seal(key, password, placeOf(accountId)) : null),
    show(viewer, accountId, sealed) {
      if (!isOn) return {}
      if (sealed === null) return { plainPassword: null }
      const handing = handingOf('password', credentialOf(viewer))
      if (handing === 'never') return { passwordHidden: 'never' }
      if (isHidden) return { passwordHidden: 'one by one' }
      if (handing === 'after proof') return { passwordHidden: 'until proved' }
      return { plainPassword: reveal(accountId, sealed) }
    },
    reveal,
  }
}

/**
 * The password of an account that the viewer may see. Whoever has seen it could sign in as the holder, so it is a hand in
 * the account.
 *
 * @throws NOT_FOUND if the operator has disabled passwords.
 */
export async function revealPassword(
  services: Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>,
  viewer: Viewer,
  accountId: number,
): Promise<{ plainPassword: string | null }> {
  const sealed = await findSealedPassword(services.db, accountId)
  const plainPassword = passwordColumn(services).reveal(accountId, sealed)
  if (plainPassword === undefined) throw notFound('password')
  if (plainPassword !== null) {
    const { db, clock } = services
    await recordHand(db, { accountId, kinds: ['revealed'], by: viewer, at: clock.now() })
  }
  return { plainPassword }
}

/** Binds a copy to its account, so that it does not decrypt in another row. */
const placeOf = (accountId: number) => `accounts.password_sealed:${accountId}`
