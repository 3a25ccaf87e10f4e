import { randomBytes } from 'node:crypto'
import { announceChange } from '../../db/changes.ts'
import { insertRows } from '../../db/rows.queries.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { openWithAny, seal, sealedHead } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { lockSite } from '../../catalogue/index.ts'
import {
  findKeysSealedOtherwise,
  findLiveKeys,
  retireKeys,
  type SealedKey,
  updateSealedKey,
} from './site-keys.queries.ts'

/** The key for the merchant, and the previous one while it is still accepted. */
export type SiteKeyPair = { key: string; previousKey: string | null }

export type SiteKeys = ReturnType<typeof makeSiteKeys>

/** The secret keys of merchants' postbacks, encrypted in the database. */
export function makeSiteKeys({
  db,
  secret,
  formerSecrets,
}: Pick<Services, 'db' | 'secret' | 'formerSecrets'>) {
  const sealingKey = deriveKey(secret, 'site-keys')
  const openingKeys = [sealingKey, ...formerSecrets.map((former) => deriveKey(former, 'site-keys'))]
  // Bound to the site, because a new key's row has no id yet.
  const placeOf = (siteId: number) => `site_keys.key_sealed:${siteId}`
  /** The last keys read, so that only new ones are decrypted. */
  let opened = new Map<number, { sealed: Buffer; key: string }>()
  const openKey = ({ siteId, sealed }: SealedKey) => {
    const key = openWithAny(openingKeys, sealed, placeOf(siteId))
    if (key === undefined)
      throw new OperatorError(
        `The postback key of site ${siteId} is encrypted with a key that the secret key file lacks. Use the file of the installation from which the database comes: SECRET_KEY_FILE.`,
      )
    return key
  }

  async function makeKey(tx: Tx, siteId: number): Promise<string> {
    const key = randomBytes(24).toString('base64url')
    const sealed = seal(sealingKey, key, placeOf(siteId))
    await insertRows(tx, 'site_keys', {
      site_id: siteId,
      key_sealed: sealed,
      created_at: tx.now,
    })
    await announceChange(tx, 'site-keys')
    return key
  }

  return {
    /** The accepted secrets of every site, newest first. */
    async findAll(from: DbOrTx = db): Promise<Map<number, string[]>> {
      const secrets = new Map<number, string[]>()
      const read: typeof opened = new Map()
      for (const row of await findLiveKeys(from)) {
        const before = opened.get(row.id)
        const key = before?.sealed.equals(row.sealed) ? before.key : openKey(row)
        read.set(row.id, { sealed: row.sealed, key })
        secrets.set(row.siteId, [...(secrets.get(row.siteId) ?? []), key])
      }
      opened = read
      return secrets
    },

    /** Re-encrypts keys with the newest secret. Runs on each start. */
    reseal: (): Promise<void> =>
      inTransaction(db, async (tx) => {
        for (const row of await findKeysSealedOtherwise(tx, sealedHead(sealingKey))) {
          await updateSealedKey(tx, row.id, seal(sealingKey, openKey(row), placeOf(row.siteId)))
        }
      }),

    /** Returns a site's keys, creating the first on demand. Throws if the site does not exist. */
    provide: (siteId: number): Promise<SiteKeyPair> =>
      inTransaction(db, async (tx) => {
        if (!(await lockSite(tx, siteId))) throw notFound('site')
        const [current, previous] = (await findLiveKeys(tx, siteId)).map(openKey)
        return { key: current ?? (await makeKey(tx, siteId)), previousKey: previous ?? null }
      }),

    /** Creates a new key. The current one stays accepted until the next rotation; older ones end. */
    rotate: (siteId: number): Promise<SiteKeyPair> =>
      inTransaction(db, async (tx) => {
        if (!(await lockSite(tx, siteId))) throw notFound('site')
        const [current, ...older] = await findLiveKeys(tx, siteId)
        await retireKeys(
          tx,
          older.map(({ id }) => id),
          tx.now,
        )
        return {
          key: await makeKey(tx, siteId),
          previousKey: current ? openKey(current) : null,
        }
      }),
  }
}
