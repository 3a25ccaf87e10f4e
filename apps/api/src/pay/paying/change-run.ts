import type { Doer } from '../proposals/act-of-two.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Services } from '../../services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { lockBalances } from '../terms/settings.queries.ts'
import { type LineRow, lockLines } from '../runs/payment-runs.queries.ts'
import { getRun, type Run } from '../runs/run.ts'

export type RunServices = Pick<Services, 'db' | 'secret' | 'formerSecrets'>

/** Runs `change` with the run locked against other changes. @throws NOT_FOUND */
export const changeRun = <Result>(
  { db }: Pick<Services, 'db'>,
  id: number,
  change: (tx: Tx, run: Run) => Promise<Result>,
): Promise<Result> => inTransaction(db, async (tx) => change(tx, await lockRun(tx, id)))

/** A run, locked against other changes until the transaction ends. @throws NOT_FOUND */
export async function lockRun(tx: Tx, id: number): Promise<Run> {
  await lockBalances(tx)
  await lockLines(tx, id)
  return getRun(tx, id)
}

/** A line's balance entry: a payment lowers the balance, everything else restores it. */
export const entryOf = (
  { now }: Tx,
  line: LineRow,
  kind: 'payment' | 'failed' | 'cancelled' | 'returned',
  { accountId }: Pick<Viewer, 'accountId'>,
) => ({
  payee_kind: line.payee_kind,
  payee_id: line.payee_id,
  currency: line.currency,
  amount: kind === 'payment' ? -line.amount : line.amount,
  kind,
  run_line_id: line.id,
  made_at: now,
  made_by: accountId,
})

export const stepOf = ({ now }: Tx, { id }: Pick<Run, 'id'>, { accountId, username }: Doer) => ({
  run_id: id,
  made_at: now,
  made_by: accountId,
  made_by_name: username,
})
