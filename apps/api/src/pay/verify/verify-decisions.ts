import type { DbOrTx } from '../../db/database.ts'
import { findBegunAt } from '../../seals/index.ts'
import { doubtsByHands } from '../accounts/doubts.ts'
import { whyNotConfirmed } from '../accounts/confirmers.ts'
import { whyNotApproved } from '../runs/approvers.ts'
import { whyNotApprovedProposal } from '../proposals/proposal-approvers.ts'
import {
  findAccountsOfOne,
  findApprovals,
  findApprovedProposals,
  findConfirmations,
  findFileDifferences,
  findLineDifferences,
} from './verify-decisions.queries.ts'

/**
 * Applies the rules of approving and confirming to what was approved and confirmed, with what stood before it in the chain
 * of seals: by whom, to which accounts, and with how many confirmations. What is older than the hands that people have in
 * accounts, and what was sealed as found, has no such order.
 *
 * Does not detect a decision that somebody entered in the name of a person who could have made it.
 *
 * @param most how many findings of one kind are listed.
 */
export async function decisionFindings(db: DbOrTx, most: number): Promise<string[]> {
  const after = await findBegunAt(db, 'account_hands')
  // `verifySeals` says so.
  if (after === undefined) return []
  const findings = [
    await approvalFindings(db, after),
    await findLineDifferences(db, { after, limit: most }),
    await findFileDifferences(db, { after, limit: most }),
    await confirmationFindings(db, after),
    await doubtFindings(db, after),
    await proposalFindings(db, after),
  ]
  return findings.flatMap((ofKind) => ofKind.slice(0, most))
}

async function approvalFindings(db: DbOrTx, after: number): Promise<string[]> {
  const findings: string[] = []
  for (const { runId, number, name, ...approval } of await findApprovals(db, after)) {
    const why = await whyNotApproved(db, runId, approval)
    if (why) findings.push(`${name}, who approved ${number}, ${why}.`)
  }
  return findings
}

async function confirmationFindings(db: DbOrTx, after: number): Promise<string[]> {
  const findings: string[] = []
  for (const { accountId, name, ...confirmation } of await findConfirmations(db, after)) {
    const why = await whyNotConfirmed(db, accountId, confirmation)
    if (why) findings.push(`${name}, who confirmed payee account ${accountId}, ${why}.`)
  }
  return findings
}

async function doubtFindings(db: DbOrTx, after: number): Promise<string[]> {
  const findings: string[] = []
  for (const { accountId, doubts: stored, ...entered } of await findAccountsOfOne(db, after)) {
    const doubts = stored.length > 0 ? stored : await doubtsByHands(db, entered)
    if (doubts.length > 0)
      findings.push(
        `Payee account ${accountId} counts with one confirmation, but needs two (${doubts.join(', ')}).`,
      )
  }
  return findings
}

async function proposalFindings(db: DbOrTx, after: number): Promise<string[]> {
  const findings: string[] = []
  for (const { id, kind, madeBy, name, ...approval } of await findApprovedProposals(db, after)) {
    const why = await whyNotApprovedProposal(db, { kind, madeBy }, approval)
    if (why) findings.push(`${name}, who approved proposal ${id}, ${why}.`)
  }
  return findings
}
