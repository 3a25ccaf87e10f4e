import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { PayFileLayout } from '@tallyroom/contract/pay/files/files'
import type { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { type Day, formatDateTime } from '@tallyroom/domain/new-york'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { Download } from '../../http/send-download.ts'
import { type FactorServices, hashOfAct, takeFactorFor, withFactor } from '../../people/index.ts'
import { insertSealed, insertSealedRows } from '../../seals/index.ts'
import { makeFiles, openFile, redateFile, sha256Of } from '../runs/approved-files.ts'
import { changeRun, type RunServices, stepOf } from './change-run.ts'
import { needsDay, refuseDay } from '../runs/execution-day.ts'
import { findBank } from '../terms/bank.ts'
import { tellPayees } from '../statements/tell-payees.ts'
import { refuseForged } from '../evidence/evidence.ts'
import {
  type ApprovedFile,
  currencyOf,
  linesToPay,
  payeeOf,
  problemsOf,
  type Run,
  transfersOf,
} from '../runs/run.ts'
import { findStops, whyRefused, whyStopped } from './stopped-files.ts'

/**
 * One file of an approved run: the very bytes that were approved, but for a date that has passed before the first
 * download. Taking the first one is a step of the run: from then on it can't be cancelled.
 *
 * @throws VALIDATION_ERROR without an execution date if the approved one has passed; NOT_FOUND; CONFLICT before the approval, for a second download that was not asked for, if the file can't be
 * decrypted or is not what was approved, if the bank refused it, or if a payee in it is on hold or did not enter their account; FACTOR_NEEDED
 * and what else `takeFactorFor` throws.
 */
export async function takeFile(
  services: RunServices & FactorServices,
  viewer: Viewer,
  id: number,
  {
    name,
    again = false,
    executionDay,
  }: RequestOf<(typeof paymentRunsEndpoints)['takePaymentFile']>['body'],
): Promise<Download> {
  refuseSignedInAs(viewer)
  const taken = await withFactor(services, viewer, (giver) =>
    changeRun(services, id, async (tx, run) => {
      if (run.state === 'prepared') throw conflict('The run must be approved first.')
      if (run.state === 'cancelled') throw conflict('This run was cancelled, so it has no files.')
      await refuseForged(tx, { payees: linesToPay(run).map(payeeOf), run })
      const file = run.files.find((one) => one.name === name)
      if (!file && run.files.length > 0) throw notFound('file')
      const refused = whyRefused(run, name)
      if (refused !== null) throw conflict(refused)
      const approved = file
        ? openedBytes(services, file)
        : await bytesWithoutHash(services, tx, run, name)
      const stopped = whyStopped(run, await findStops(tx, run), { name, bytes: approved })
      if (stopped !== null) throw conflict(stopped)
      const earlier = run.downloads.findLast((one) => one.name === name)
      if (earlier && !again) {
        throw conflict(
          `${earlier.made_by_name} downloaded this file on ${formatDateTime(earlier.made_at)}. Download it again only if your bank doesn’t have it.`,
        )
      }
      const done = stepOf(tx, run, viewer)
      const { today } = await findBank(tx)
      let leavesOn = run.executionDay
      let leaves = file?.redated ? openedBytes(services, file.redated) : approved
      if (file && needsDay(run, file, today)) {
        const { run_id: _, ...made } = done
        const day = dayAsked(run, executionDay, today)
        leavesOn = day
        leaves = await redateFile(tx, services, {
          run,
          place: file.place,
          bytes: approved,
          day,
          ...made,
        })
      } else if (executionDay !== undefined) {
        const why =
          'can’t change: the date in this file has not passed, or the file was downloaded before'
        throw invalid({ executionDay: [why] })
      }
      const about = hashOfAct('take file', run.number, name, leavesOn)
      await takeFactorFor(tx, giver, 'take file', about)
      if (run.state === 'approved')
        await insertSealedRows(tx, 'payment_run_steps', { ...done, step: 'files taken' })
      await insertSealed(tx, 'payment_file_downloads', {
        ...done,
        name,
        sha256: sha256Of(leaves),
        bank_day: today,
      })
      if (!earlier)
        await tellPayees(
          tx,
          sentWith(run, name).map((line) => ({
            kind: 'sent',
            payee: payeeOf(line),
            amount: line.amount,
            currency: currencyOf(run),
            // The bank carries out later what it gets later.
            executionDay: leavesOn > today ? leavesOn : today,
          })),
          viewer.accountId,
        )
      return { bytes: leaves, mediaType: mediaTypeOf(name, run.layout.encoding) }
    }),
  )
  return new Download({ name, mediaType: taken.mediaType, content: whole(taken.bytes) })
}

/** The lines that leave with a file now. Those that don't know theirs left with the run's first. */
const sentWith = (run: Run, name: string) =>
  linesToPay(run).filter(({ file }) => (file === null ? run.state === 'approved' : file === name))

function dayAsked({ executionDay }: Run, asked: Day | undefined, today: Day): Day {
  if (asked === undefined) {
    const why = `is needed: ${executionDay}, which was approved, has passed where the bank is. Choose a day from ${today} on`
    throw invalid({ executionDay: [why] })
  }
  refuseDay(asked, today)
  return asked
}

function openedBytes(
  services: RunServices,
  file: ApprovedFile | NonNullable<ApprovedFile['redated']>,
): Buffer {
  const { name } = file
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

/** Banks’ XML is UTF-8 whatever the layout says, and Excel has no charset. */
const mediaTypeOf = (name: string, encoding: PayFileLayout['encoding']): string => {
  if (name.endsWith('.xlsx'))
    return 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  if (name.endsWith('.xml')) return 'application/xml; charset=utf-8'
  return `${name.endsWith('.txt') ? 'text/plain' : 'text/csv'}; charset=${encoding}`
}

async function* whole(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
