import { createHash } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { isSealedWith, openWithAny, seal, sealedHead } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import type { Services } from '../../services.ts'
import { bytesOf, filesOf, type Transfer } from './pay-file.ts'
import {
  type FileRow,
  findFilesSealedOtherwise,
  insertFiles,
  updateSealedFile,
} from './payment-runs.queries.ts'
import { type Run, sumOf } from './run.ts'

type Keys = Pick<Services, 'secret' | 'formerSecrets'>

/** A file with its bytes, as it is approved and as it leaves. */
export type MadeFile = {
  name: string
  channel: string
  transfers: readonly Transfer[]
  bytes: Buffer
  sha256: Buffer
}

/** The files that approving a run with these transfers would keep. */
export const makeFiles = (
  { layout, number }: Pick<Run, 'layout' | 'number'>,
  transfers: readonly Transfer[],
): MadeFile[] =>
  filesOf(layout, number, transfers).map((file) => {
    const bytes = bytesOf(layout, file.transfers)
    return { ...file, bytes, sha256: sha256Of(bytes) }
  })

/** Keeps the approved bytes. Downloads give these, so nothing that changes afterwards can change a file. */
export const keepFiles = (
  tx: Tx,
  services: Keys,
  runId: number,
  files: readonly MadeFile[],
): Promise<void> =>
  insertFiles(
    tx,
    files.map(({ name, channel, transfers, bytes, sha256 }, index) => ({
      run_id: runId,
      place: index + 1,
      name,
      channel,
      lines: transfers.length,
      amount: sumOf(transfers),
      sha256,
      sealed: seal(keyOf(services.secret), bytes.toString('latin1'), placeOf(name)),
    })),
  )

/** The approved bytes; `missing key` if no key decrypts them, `altered` if they are not what was approved. */
export function openFile(
  { secret, formerSecrets }: Keys,
  { name, sealed, sha256 }: Pick<FileRow, 'name' | 'sealed' | 'sha256'>,
): Buffer | 'missing key' | 'altered' {
  const keys = [secret, ...formerSecrets].map(keyOf)
  const opened = openWithAny(keys, sealed, placeOf(name))
  if (opened === undefined)
    return keys.some((key) => isSealedWith(key, sealed)) ? 'altered' : 'missing key'
  const bytes = Buffer.from(opened, 'latin1')
  return sha256Of(bytes).equals(sha256) ? bytes : 'altered'
}

/**
 * Re-encrypts files with the newest key after a rotation. Runs on each start before requests arrive. Files that no key
 * can decrypt are kept, in case the key is restored.
 */
export async function resealPaymentFiles(
  services: Pick<Services, 'db' | 'log'> & Keys,
): Promise<void> {
  const { db, log, secret } = services
  const key = keyOf(secret)
  const former = services.formerSecrets.map(keyOf)
  const [resealed, unreadable] = await inTransaction(db, async (tx) => {
    const stale = await findFilesSealedOtherwise(tx, sealedHead(key))
    let opened = 0
    for (const { name, sealed } of stale) {
      const content = openWithAny(former, sealed, placeOf(name))
      if (content === undefined) continue
      await updateSealedFile(tx, name, seal(key, content, placeOf(name)))
      opened += 1
    }
    return [opened, stale.length - opened]
  })
  if (resealed > 0) log.info({ resealed }, 're-encrypted payment files with the newest key')
  if (unreadable > 0) log.warn({ unreadable }, 'payment files are encrypted with a missing key')
}

export const sha256Of = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

const keyOf = (secret: Buffer): Buffer => deriveKey(secret, 'payment-files')

/** Names begin with the run's number, which is never issued twice. */
const placeOf = (name: string) => `payment_run_files.sealed:${name}`
