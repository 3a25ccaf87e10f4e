import { createHash } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { reseal } from '../../db/reseal.ts'
import { isSealedWith, openWithAny, seal, sealedHead } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { notFound } from '../../errors.ts'
import { insertSealedRows } from '../../seals/index.ts'
import type { Services } from '../../services.ts'
import { hasDate } from '@tallyroom/contract/pay/files/files'
import type { Day } from '@tallyroom/domain/new-york'
import { bytesOf, withDate } from '../files/file-bytes.ts'
import type { PayFile, Transfer } from '../files/file-values.ts'
import { filesOf } from '../files/pay-file.ts'
import {
  type FileRow,
  findFilesSealedOtherwise,
  type LineRow,
  updateSealedFile,
} from './payment-runs.queries.ts'
import { type Run, sumOf } from './run.ts'

type Keys = Pick<Services, 'secret' | 'formerSecrets'>

/** A file with its bytes, as it is approved and as it leaves. */
export type MadeFile = PayFile & {
  bytes: Buffer
  sha256: Buffer
  /** Of the bytes without their date: what no other date may change. Null for lines that have none. */
  undatedSha256: Buffer | null
}

/** The files that approving a run with these transfers would keep. */
export const makeFiles = (
  { layout, number }: Pick<Run, 'layout' | 'number'>,
  transfers: readonly Transfer[],
): MadeFile[] =>
  filesOf(layout, number, transfers).map((file) => {
    const bytes = bytesOf(layout, file)
    return { ...file, bytes, sha256: sha256Of(bytes), undatedSha256: undatedOf(layout, bytes) }
  })

/**
 * Keeps the approved bytes and which of these lines each file pays. Downloads give these bytes, so nothing that changes
 * afterwards can change a file.
 */
export async function keepFiles(
  tx: Tx,
  services: Keys,
  {
    run_id,
    lines,
    files,
  }: { run_id: number; lines: readonly LineRow[]; files: readonly MadeFile[] },
): Promise<void> {
  await insertSealedRows(
    tx,
    'payment_run_files',
    files.map(({ name, channel, transfers, bytes, sha256, undatedSha256 }, index) => ({
      run_id,
      place: index + 1,
      name,
      channel,
      lines: transfers.length,
      amount: sumOf(transfers),
      sha256,
      undated_sha256: undatedSha256,
      sealed: sealFile(services, { name }, bytes),
    })),
  )
  const nameOf = new Map(
    files.flatMap(({ name, transfers }) => transfers.map(({ reference }) => [reference, name])),
  )
  await insertSealedRows(
    tx,
    'payment_file_lines',
    lines.flatMap(({ id, reference }) => {
      const name = nameOf.get(reference)
      return name === undefined ? [] : [{ run_line_id: id, run_id, name }]
    }),
  )
}

const undatedOf = (layout: Run['layout'], bytes: Buffer): Buffer | null =>
  hasDate(layout) ? sha256Of(withDate(layout, bytes, null)) : null

/** Gives an approved file, of which these are the bytes, a later date. @returns what leaves instead. */
export async function redateFile(
  tx: Tx,
  services: Keys,
  {
    run,
    place,
    bytes,
    day,
    ...made
  }: {
    run: Pick<Run, 'id' | 'layout' | 'files'>
    place: number
    bytes: Buffer
    day: Day
    made_at: Date
    made_by: number
    made_by_name: string
  },
): Promise<Buffer> {
  const approved = run.files.find((file) => file.place === place)
  if (!approved) throw notFound('file')
  const { name, channel, lines, amount } = approved
  const dated = withDate(run.layout, bytes, day)
  await insertSealedRows(tx, 'payment_run_files', [
    {
      run_id: run.id,
      place: run.files.length + place,
      name,
      channel,
      lines,
      amount,
      sha256: sha256Of(dated),
      undated_sha256: undatedOf(run.layout, dated),
      redates: place,
      execution_day: day,
      ...made,
      sealed: sealFile(services, { name, execution_day: day }, dated),
    },
  ])
  return dated
}

/** The approved bytes; `missing key` if no key decrypts them, `altered` if they are not what was approved. */
export function openFile(
  { secret, formerSecrets }: Keys,
  { sealed, sha256, ...file }: Place & Pick<FileRow, 'sealed' | 'sha256'>,
): Buffer | 'missing key' | 'altered' {
  const keys = [secret, ...formerSecrets].map(keyOf)
  const opened = openWithAny(keys, sealed, placeOf(file))
  if (opened === undefined)
    return keys.some((key) => isSealedWith(key, sealed)) ? 'altered' : 'missing key'
  const bytes = Buffer.from(opened, 'latin1')
  return sha256Of(bytes).equals(sha256) ? bytes : 'altered'
}

export function resealPaymentFiles(services: Pick<Services, 'db' | 'log'> & Keys): Promise<void> {
  const key = keyOf(services.secret)
  const former = services.formerSecrets.map(keyOf)
  return reseal(
    services,
    'payment files',
    (tx) => findFilesSealedOtherwise(tx, sealedHead(key)),
    async (tx, { sealed, ...file }) => {
      const content = openWithAny(former, sealed, placeOf(file))
      if (content === undefined) return false
      await updateSealedFile(tx, file, seal(key, content, placeOf(file)))
      return true
    },
  )
}

export const sha256Of = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

const keyOf = (secret: Buffer): Buffer => deriveKey(secret, 'payment-files')

const sealFile = ({ secret }: Keys, file: Place, bytes: Buffer): Buffer =>
  seal(keyOf(secret), bytes.toString('latin1'), placeOf(file))

type Place = Pick<FileRow, 'name'> & Partial<Pick<FileRow, 'execution_day'>>

/** Names begin with the run's number, which is never issued twice. A later date makes another file of the same name. */
const placeOf = ({ name, execution_day = null }: Place) =>
  ['payment_run_files.sealed', name, ...(execution_day === null ? [] : [execution_day])].join(':')
