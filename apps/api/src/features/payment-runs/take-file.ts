import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { paymentRunsEndpoints } from '@tallyroom/contract/payment-runs'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { Download } from '../../http/send-download.ts'
import { bytesOf, filesOf } from './pay-file.ts'
import { changeRun, type RunServices, stepOf } from './change-run.ts'
import { insertDownload, insertStep } from './payment-runs.queries.ts'
import { linesToPay, problemsOf, transfersOf } from './run.ts'

/**
 * One file of an approved run. Taking the first one is a step of the run: from then on it can't be cancelled, and its
 * files keep their layout. If the template changed them between two downloads, a transfer could be in both.
 *
 * @throws NOT_FOUND; CONFLICT before the approval, for a second download that was not asked for, or if an account can't
 * be decrypted; VALIDATION_ERROR for values that the changed template can't carry.
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
    const { transfers } = await transfersOf(services, tx, run)
    if (transfers.length < linesToPay(run).length)
      throw conflict('An account can’t be decrypted: a secret key is missing.')
    // Whatever left once can leave again: the rules may have become stricter since.
    const problems = run.state === 'approved' ? problemsOf(run, transfers) : []
    if (problems.length > 0) throw invalid({ _form: problems })
    const file = filesOf(run.layout, run.number, transfers).find((one) => one.name === name)
    if (!file) throw notFound('file')
    const earlier = run.downloads.findLast((one) => one.name === name)
    if (earlier && !again) {
      throw conflict(
        `${earlier.made_by_name} downloaded this file on ${formatDateTime(earlier.made_at)}. Download it again only if your bank doesn’t have it.`,
      )
    }
    const done = stepOf(run, services, viewer)
    if (run.state === 'approved') {
      const layout = JSON.stringify(run.layout)
      await insertStep(tx, { ...done, step: 'files taken', layout })
    }
    await insertDownload(tx, { ...done, name })
    return bytesOf(run.layout, file.transfers)
  })
  return new Download({ name, mediaType: 'text/csv', content: whole(bytes) })
}

async function* whole(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
