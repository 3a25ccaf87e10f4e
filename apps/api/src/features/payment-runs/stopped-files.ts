import type { RunState } from '@tallyroom/contract/payment-runs'
import { formatDateTime } from '@tallyroom/domain/new-york'
import type { DbOrTx } from '../../db/database.ts'
import { findHolds, payeeText } from '../pay/index.ts'
import { findAccounts } from '../payee-accounts/index.ts'
import { linesToPay, payeeOf, type Run } from './run.ts'

/** A transfer that must not leave. `isOver`: it can't become right again, because nobody can lift it. */
export type Stop = { reference: string; payee: string; why: string; isOver: boolean }

/**
 * The transfers of an approved run that must not leave any more: to accounts that their payees did not enter, and to
 * payees who were put on hold since the approval, unless the bank has paid them.
 */
export async function findStops(db: DbOrTx, run: Run): Promise<Stop[]> {
  const lines = linesToPay(run)
  const accounts = await findAccounts(db, { ids: lines.map(({ account_id }) => account_id) })
  const disowned = new Set(accounts.filter((one) => one.disowned).map(({ id }) => id))
  const holds = await findHolds(db)
  return lines.flatMap((line): Stop[] => {
    const { reference, payee_name: payee } = line
    const hold = holds.get(payeeText(payeeOf(line)))
    if (disowned.has(line.account_id)) {
      const why = 'the payee says that they did not enter this account'
      return [{ reference, payee, why, isOver: true }]
    }
    if (!hold || line.paid === true) return []
    const since = formatDateTime(hold.setAt)
    const by = hold.setBy === null ? '' : ` by ${hold.setBy}`
    return [{ reference, payee, why: `put on hold ${since}${by}: “${hold.reason}”`, isOver: false }]
  })
}

/** Why a file of an approved run can't be downloaded, and what to do; null if none of its transfers is stopped. */
export function whyStopped(
  { state }: Pick<Run, 'state'>,
  stops: readonly Stop[],
  bytes: Buffer,
): string | null {
  if (stops.length === 0) return null
  const text = bytes.toString('latin1')
  // A reference may be the beginning of another one.
  const inFile = stops.filter(({ reference }) => new RegExp(`${reference}(?!\\d)`).test(text))
  if (inFile.length === 0) return null
  const named = inFile.map(({ payee, why }) => `${payee}: ${why}`).join('; ')
  const canLift = !inFile.some(({ isOver }) => isOver)
  const instead = insteadIn[state]
  const toDo = canLift ? ['lift the hold', ...instead].join(', or ') : instead.join()
  return `${named}. So this file does not leave. ${sentence(toDo)}`.trim()
}

/** What else can be done in each state. A finished run is over. */
const insteadIn: Record<RunState, string[]> = {
  prepared: [],
  approved: ['cancel the run, and prepare it again'],
  sent: ['enter the lines of this file as failed, and pay them with another run'],
  finished: [],
  cancelled: [],
}

const sentence = (text: string): string =>
  text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
