import type { RequestOf } from '@tallyroom/contract/endpoint'
import { type decisionsEndpoints, MOST_DAYS_OFF } from '@tallyroom/contract/tracking/decisions'
import { addDays, type Day, todayNewYork } from '@tallyroom/domain/new-york'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import { writeFacts } from '../../notices/index.ts'
import { saveFollowUp } from '../held/held.queries.ts'
import { lockQuestion } from '../postbacks/held-sides.ts'
import { findDeciders } from './decisions.queries.ts'

/**
 * Puts a question off, or gives it to somebody, who is told unless they do so themselves.
 *
 * @throws NOT_FOUND, CONFLICT if it waits for none, VALIDATION_ERROR for another day or account
 */
export const followUp = (
  { db }: { db: Db },
  { accountId, username }: Viewer,
  postbackId: string,
  asked: RequestOf<(typeof decisionsEndpoints)['followUpHeldPostback']>['body'],
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const at = tx.now
    const { name, reason } = await lockQuestion(tx, postbackId)
    const { putOffUntil, assignedTo } = asked
    if (putOffUntil) refuseDay(putOffUntil, todayNewYork(at))
    if (assignedTo && !(await findDeciders(tx)).some(({ id }) => id === assignedTo))
      throw invalid({ assignedTo: ['may not decide about postbacks. Choose a superadmin'] })
    await saveFollowUp(tx, postbackId, asked)
    if (!assignedTo || assignedTo === accountId) return
    const subject = { postbackId, name, by: username, reason }
    await writeFacts(tx, [{ kind: 'decision.wanted', of: { accountId: assignedTo }, subject }], {
      at,
      byAccountId: accountId,
    })
  })

function refuseDay(day: Day, today: Day): void {
  if (day <= today) throw invalid({ putOffUntil: ['must be a day after today'] })
  if (day > addDays(today, MOST_DAYS_OFF))
    throw invalid({ putOffUntil: [`must be within ${MOST_DAYS_OFF} days`] })
}
