import { createHmac } from 'node:crypto'
import { sealedHead } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import type { Services } from '../../services.ts'

/** What makes two accounts the same: where it is held, and its digits. */
type Numbered = { institution: string; number: string }

export type AccountDigests = {
  /** By the newest key, as it is stored. */
  of(account: Numbered): Buffer
  /** By every key: another process may not have read the newest one yet. */
  all(account: Numbered): Buffer[]
  /** The first bytes of every digest by the newest key. */
  head: Buffer
}

/**
 * Keyed digests of accounts. Two payees with one account have the same digest, but without the key nobody can test a
 * number against it. A branch's code (11 characters) counts as its bank's (8).
 */
export function accountDigests({
  secret,
  formerSecrets,
}: Pick<Services, 'secret' | 'formerSecrets'>): AccountDigests {
  const key = deriveKey(secret, 'account-digests')
  const keys = [key, ...formerSecrets.map((former) => deriveKey(former, 'account-digests'))]
  return {
    of: (account) => digestOf(key, account),
    all: (account) => keys.map((one) => digestOf(one, account)),
    head: sealedHead(key),
  }
}

function digestOf(key: Buffer, { institution, number }: Numbered): Buffer {
  const text = `${institution.slice(0, 8).toUpperCase()} ${number}`
  return Buffer.concat([sealedHead(key), createHmac('sha256', key).update(text).digest()])
}
