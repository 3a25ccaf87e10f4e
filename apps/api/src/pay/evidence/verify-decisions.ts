import type { DbOrTx } from '../../db/database.ts'
import { findGranted } from '../../people/index.ts'
import { findBegunAt } from '../../seals/index.ts'
import { doubtsByHands } from '../accounts/doubts.ts'
import { whyNotConfirmed } from '../accounts/confirmers.ts'
import { findPayHolders } from '../terms/pay-holders.queries.ts'
import { whyNotApproved } from '../runs/approvers.ts'
import { whyNotApprovedProposal } from '../proposals/proposal-approvers.ts'
import { signatureFindings } from './verify-signatures.ts'
import {
  type DecisionsOf,
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
 * Does not detect a decision that somebody entered in the name of a person who could have made it, with a key of their own or without
 * a second factor.
 *
 * @param most how many findings of one kind are listed. `of`: what is about to be paid, for who does not need all.
 */
export async function decisionFindings(
  db: DbOrTx,
  most: number,
  of: DecisionsOf = 'all',
): Promise<string[]> {
  const after = await findBegunAt(db, 'account_hands')
  // `verifySeals` says so.
  if (after === undefined) return []
  const asked = { after, of, limit: most }
  const findings = [
    await approvalFindings(db, asked),
    await findLineDifferences(db, asked),
    await findFileDifferences(db, asked),
    await confirmationFindings(db, asked),
    await doubtFindings(db, asked),
    await proposalFindings(db, asked),
    await grantFindings(db),
    await signatureFindings(db, of),
  ]
  return findings.flatMap((ofKind) => ofKind.slice(0, most))
}

type Asked = { after: number; of: DecisionsOf }

/** Names who may pay although nobody granted it. */
export async function grantFindings(db: DbOrTx): Promise<string[]> {
  const begun = await findBegunAt(db, 'pay_grants')
  if (begun === undefined) return []
  const names = await findUngranted(db)
  return names.map((name) => `${name} may pay, but was not granted it in Tallyroom.`)
}

/** The names of those who may pay, but were not granted it when that was last decided. */
export async function findUngranted(db: DbOrTx): Promise<string[]> {
  const holders = await findPayHolders(db)
  const granted = await findGranted(
    db,
    holders.map(({ id }) => id),
  )
  return holders.filter(({ id }) => !granted.has(id)).map(({ name }) => name)
}

async function approvalFindings(db: DbOrTx, asked: Asked): Promise<string[]> {
  const findings: string[] = []
  for (const { runId, number, name, ...approval } of await findApprovals(db, asked)) {
    const why = await whyNotApproved(db, runId, approval)
    if (why) findings.push(`${name}, who approved ${number}, ${why}.`)
  }
  return findings
}

async function confirmationFindings(db: DbOrTx, asked: Asked): Promise<string[]> {
  const confirmations = await findConfirmations(db, asked)
  const whyNot = await whyNotConfirmed(db, confirmations)
  return confirmations.flatMap(({ accountId, name }, nth) =>
    whyNot[nth] === undefined
      ? []
      : [`${name}, who confirmed payee account ${accountId}, ${whyNot[nth]}.`],
  )
}

async function doubtFindings(db: DbOrTx, asked: Asked): Promise<string[]> {
  const accounts = await findAccountsOfOne(db, asked)
  const byHands = await doubtsByHands(db, accounts)
  return accounts.flatMap(({ accountId, doubts: stored }, nth) => {
    const doubts = stored.length > 0 ? stored : (byHands[nth] ?? [])
    return doubts.length === 0
      ? []
      : [
          `Payee account ${accountId} counts with one confirmation, but needs two (${doubts.join(', ')}).`,
        ]
  })
}

async function proposalFindings(db: DbOrTx, asked: Asked): Promise<string[]> {
  const approvals = await findApprovedProposals(db, asked)
  const whyNot = await whyNotApprovedProposal(db, approvals)
  return approvals.flatMap(({ id, name }, nth) =>
    whyNot[nth] === undefined ? [] : [`${name}, who approved proposal ${id}, ${whyNot[nth]}.`],
  )
}
