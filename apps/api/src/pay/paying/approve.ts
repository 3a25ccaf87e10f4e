import { insertRows } from '../../db/rows.queries.ts'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import type { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import { conflict, invalid } from '../../errors.ts'
import { type FactorServices, withFactor } from '../../people/index.ts'
import { insertSealedRows, lockSealHead } from '../../seals/index.ts'
import { settle } from '../ledger/settle.ts'
import { refuseForged } from '../evidence/evidence.ts'
import { keepFiles } from '../runs/approved-files.ts'
import { writeSecondStep } from '../seconds/second-step.ts'
import { changeRun, entryOf, stepOf } from './change-run.ts'
import { removeLines } from '../runs/payment-runs.queries.ts'
import { byPayee } from '../runs/refused-lines.ts'
import { refuseApprover, refuseUnseen, reviewOf, type Seen } from './review.ts'
import { linesToPay, payeeOf } from '../runs/run.ts'

/**
 * Approves what the approver has seen: the files byte for byte, which lines are refused, and everything that is new.
 * Writes the payments and keeps the files. Cancels a run that has no lines left, which pays nobody and needs no second factor.
 *
 * @throws FORBIDDEN to whoever can't approve this run; CONFLICT if something has changed since the approver saw it, or
 * was not ticked, or if a row on which the payments rest is forged; VALIDATION_ERROR for values that its files can't carry;
 * FACTOR_NEEDED and what else `writeSecondStep` throws.
 */
export async function approveRun(
  services: FactorServices,
  viewer: Viewer,
  id: number,
  seen: Seen,
): Promise<AnswerOf<(typeof paymentRunsEndpoints)['approvePaymentRun']>> {
  refuseSignedInAs(viewer)
  return withFactor(services, viewer, (giver) =>
    changeRun(services, id, async (tx, run) => {
      await lockSealHead(tx)
      await refuseApprover(tx, viewer, run)
      await refuseForged(tx, { payees: linesToPay(run).map(payeeOf), run })
      const review = await reviewOf(services, tx, run, viewer)
      if (review.isIncomplete)
        throw conflict('An account can’t be decrypted: a secret key is missing.')
      if (review.problems.length > 0) throw invalid({ _form: review.problems })
      refuseUnseen(review, seen)

      const { lines, refused, files } = review
      await removeLines(
        tx,
        refused.map(({ line, why }) => ({ id: line.id, by: null, because: why })),
      )
      await settle(
        tx,
        refused.map(({ line }) => payeeOf(line)),
      )
      await insertRows(
        tx,
        'balance_entries',
        lines.map((line) => entryOf(tx, line, 'payment', viewer)),
      )
      await keepFiles(tx, services, { run_id: run.id, lines, files })
      if (lines.length > 0) await writeSecondStep(tx, giver, { kind: 'run', id: run.id })
      else
        await insertSealedRows(tx, 'payment_run_steps', {
          ...stepOf(tx, run, viewer),
          step: 'cancelled',
          reason: 'No line of this run can be paid any more.',
        })
      return {
        approved: lines.length,
        refused: byPayee(refused).map(({ line, why }) => ({ name: line.payee_name, why })),
      }
    }),
  )
}
