import type { RunState } from '@tallyroom/contract/pay/runs/runs'
import { formatDateTime } from '@tallyroom/domain/new-york'
import type { DbOrTx } from '../../db/database.ts'
import { findHolds } from '../ledger/balances.queries.ts'
import { payeeText } from '../terms/payees.queries.ts'
import { findAccounts } from '../accounts/payee-accounts.queries.ts'
import { findWaitingFailures } from './results.ts'
import { fileOf, linesToPay, payeeOf, type Run } from '../runs/run.ts'

/** A transfer that must not leave. */
export type Stop = {
  reference: string
  payee: string
  why: string
  /** What makes it right again; null: nothing can. */
  remedy: string | null
  /** Whether it only concerns a file that nobody has downloaded: the bank may have any other one. */
  isFirst: boolean
}

/**
 * The transfers of an approved run that must not leave any more: to accounts that their payees did not enter, to payees
 * who were put on hold since the approval, unless the bank has paid them, and those that are said to have failed, because
 * another run pays their money.
 */
export async function findStops(db: DbOrTx, run: Run): Promise<Stop[]> {
  const lines = linesToPay(run)
  const accounts = await findAccounts(db, { ids: lines.map(({ account_id }) => account_id) })
  const disowned = new Set(accounts.filter((one) => one.disowned).map(({ id }) => id))
  const holds = await findHolds(db)
  const failures = await findWaitingFailures(db, run)
  return lines.flatMap((line): Stop[] => {
    const { reference, payee_name: payee } = line
    const hold = holds.get(payeeText(payeeOf(line)))
    if (disowned.has(line.account_id)) {
      const why = 'the payee says that they did not enter this account'
      return [{ reference, payee, why, remedy: null, isFirst: false }]
    }
    const failure = failures.get(line.id)
    if (failure && !hold) {
      const why = `${failure.by} entered that this transfer failed, which waits for a second person`
      return [{ reference, payee, why, remedy: 'refuse or withdraw that', isFirst: true }]
    }
    if (line.paid === false && !hold) {
      const why = 'this transfer failed, so its money was put back'
      return [{ reference, payee, why, remedy: null, isFirst: true }]
    }
    if (!hold || line.paid === true) return []
    const since = formatDateTime(hold.setAt)
    const by = hold.setBy === null ? '' : ` by ${hold.setBy}`
    const why = `put on hold ${since}${by}: “${hold.reason}”`
    return [{ reference, payee, why, remedy: 'lift the hold', isFirst: false }]
  })
}

/** Why a file that the bank refused does not leave a second time, and what to do; null of any other. */
export function whyRefused(
  run: Pick<Run, 'refused' | 'refusals' | 'lines' | 'files'>,
  name: string,
): string | null {
  const one = run.refused.find(({ file }) => file === name)
  if (!one) return null
  if (one.waits)
    return `${one.by} entered that the bank refused this file on ${one.on}, which waits for a second person. If the bank has taken it, refuse or withdraw that.`
  const lines = linesToPay(run).filter((line) => fileOf(run, line) === name)
  const isOwed = lines.some(({ paid }) => paid === false)
  const isOpen = lines.some(({ id }) => run.refusals.get(id)?.is_open)
  return [
    `The bank refused this file on ${one.on}: “${one.reason}”. So it does not leave a second time.`,
    ...(isOwed ? ['What failed of it is owed again: pay that with another run.'] : []),
    ...(isOpen ? ['What was reported paid stays paid: ask your bank which is true.'] : []),
  ].join(' ')
}

/** Why a file of an approved run can't be downloaded, and what to do; null if none of its transfers is stopped. */
export function whyStopped(
  { state, downloads }: Pick<Run, 'state' | 'downloads'>,
  stops: readonly Stop[],
  { name, bytes }: { name: string; bytes: Buffer },
): string | null {
  if (stops.length === 0) return null
  const isTaken = downloads.some((one) => one.name === name)
  const text = bytes.toString('latin1')
  const inFile = stops.filter(
    ({ reference, isFirst }) =>
      // A reference may be the beginning of another one.
      !(isFirst && isTaken) && new RegExp(`${reference}(?!\\d)`).test(text),
  )
  if (inFile.length === 0) return null
  // What stops a payee stops all its parts.
  const named = [...new Set(inFile.map(({ payee, why }) => `${payee}: ${why}`))].join('; ')
  const remedies = [...new Set(inFile.map(({ remedy }) => remedy))]
  const instead = insteadIn[state]
  const toDo = remedies.includes(null)
    ? instead.join()
    : [remedies.join(' and '), ...instead].join(', or ')
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
