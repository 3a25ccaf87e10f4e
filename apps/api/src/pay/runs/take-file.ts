import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { Download } from '../../http/send-download.ts'
import { makeFiles, openFile, sha256Of } from './approved-files.ts'
import { changeRun, type RunServices, stepOf } from './change-run.ts'
import { insertDownload, insertStep } from './payment-runs.queries.ts'
import { linesToPay, problemsOf, type Run, transfersOf } from './run.ts'
import { findStops, whyStopped } from './stopped-files.ts'

/**
 * One file of an approved run: the very bytes that were approved. Taking the first one is a step of the run: from then
 * on it can't be cancelled.
 *
 * @throws NOT_FOUND; CONFLICT before the approval, for a second download that was not asked for, if the file can't be
 * decrypted or is not what was approved, or if a payee in it is on hold or did not enter their account.
 */
export async function takeFile(
  services: RunServices,
  viewer: Viewer,
  id: number,
  { name, again = false }: RequestOf<(typeof paymentRunsEndpoints)['takePaymentFile']>['body'],
): Promise<Download> {
  refuseSignedInAs(viewer)
  const bytes = await changeRun(services, id, async (tx, run) => {
    if (run.state === 'prepared') throw conflict('The run must be approved first.')
    if (run.state === 'cancelled') throw conflict('This run was cancelled, so it has no files.')
    const approved =
      run.files.length > 0
        ? approvedBytes(services, run, name)
        : await bytesWithoutHash(services, tx, run, name)
    const stopped = whyStopped(run, await findStops(tx, run), { name, bytes: approved })
    if (stopped !== null) throw conflict(stopped)
    const earlier = run.downloads.findLast((one) => one.name === name)
    if (earlier && !again) {
      throw conflict(
        `${earlier.made_by_name} downloaded this file on ${formatDateTime(earlier.made_at)}. Download it again only if your bank doesn’t have it.`,
      )
    }
    const done = stepOf(run, services, viewer)
    if (run.state === 'approved') await insertStep(tx, { ...done, step: 'files taken' })
    await insertDownload(tx, { ...done, name, sha256: sha256Of(approved) })
    return approved
  })
  return new Download({ name, mediaType: 'text/csv', content: whole(bytes) })
}

function approvedBytes(services: RunServices, run: Run, name: string): Buffer {
  const file = run.files.find((one) => one.name === name)
  if (!file) throw notFound('file')
  const opened = openFile(services, file)
  if (opened === 'missing key')
    throw conflict(`${name} can’t be decrypted: a secret key is missing. Restore the key.`)
  if (opened === 'altered') {
    throw conflict(
      `${name} is not the file that was approved: its content doesn’t match the SHA-256 of the approval. Somebody has changed the database. Don’t pay this run.`,
    )
  }
  return opened
}

/** A file of a run that was approved before the approval kept its files. Its layout and lines can't change either. */
async function bytesWithoutHash(
  services: RunServices,
  tx: Tx,
  run: Run,
  name: string,
): Promise<Buffer> {
  const { transfers } = await transfersOf(services, tx, run)
  if (transfers.length < linesToPay(run).length)
    throw conflict('An account can’t be decrypted: a secret key is missing.')
  // Whatever left once can leave again: the rules may have become stricter since.
  const problems = run.state === 'approved' ? problemsOf(run, transfers) : []
  if (problems.length > 0) throw invalid({ _form: problems })
  const file = makeFiles(run, transfers).find((one) => one.name === name)
  if (!file) throw notFound('file')
  return file.bytes
}

async function* whole(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
