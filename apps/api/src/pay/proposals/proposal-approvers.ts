import type { Act } from '@tallyroom/domain/acts'
import type { DbOrTx } from '../../db/database.ts'
import { findPersons, findPersonsEver, whyMayNot } from '../../people/index.ts'
import type { AsOf } from '../../seals/index.ts'
import { findPayHolders } from '../terms/pay-holders.queries.ts'
import type { Proposal } from '../ledger/proposals.queries.ts'

/** Somebody who may pay, and why they can't approve a proposal, as a predicate: `entered it`. */
export type ProposalApprover = {
  id: number
  name: string
  whyNot: string | null
  /** From when on they can, if nothing else happens; null if that is not known. */
  from: Date | null
}

/** The act of approving each kind, in the table of acts. */
const actOf = {
  adjustment: 'approve adjustment',
  'exchange rate': 'approve exchange rate',
  result: 'approve result',
  return: 'approve return',
  'refused file': 'approve refused file',
  'payment outside': 'approve payment outside',
  'money received': 'approve money received',
  correction: 'approve correction',
  conversion: 'approve conversion',
  'tax rate': 'approve tax rate',
  limits: 'approve limits',
} as const satisfies Record<Proposal['act']['kind'], Act>

/** Everybody who may approve these proposals, with the reason if they can't. */
export async function findProposalApprovers(
  db: DbOrTx,
  now: Date,
  proposals: readonly Proposal[],
): Promise<(proposal: Proposal) => ProposalApprover[]> {
  if (proposals.length === 0) return () => []
  const holders = await findPayHolders(db)
  const authors = proposals.map(({ madeBy }) => madeBy.id)
  const persons = await findPersons(db, now, [...holders.map(({ id }) => id), ...authors])
  return ({ act, madeBy }) =>
    holders.map(({ id, name }) => {
      const bar = whyMayNot(actOf[act.kind], id, [{ deed: 'proposed', by: madeBy.id }], persons)
      return { id, name, whyNot: bar?.why ?? null, from: bar?.until ?? null }
    })
}

/** An approval: of what by whom, who had made it, and when. */
export type ProposalApproval = {
  kind: Proposal['act']['kind']
  madeBy: number
  by: number
  at: Date
} & AsOf

/** For each approval, why they should not have made it, as a predicate; undefined if they could. */
export async function whyNotApprovedProposal(
  db: DbOrTx,
  approvals: readonly ProposalApproval[],
): Promise<(string | undefined)[]> {
  const personsAt = await findPersonsEver(
    db,
    approvals.flatMap(({ by, madeBy }) => [by, madeBy]),
  )
  return approvals.map(
    ({ kind, madeBy, by, at, ...asOf }) =>
      whyMayNot(actOf[kind], by, [{ deed: 'proposed', by: madeBy }], personsAt(at, asOf))?.why,
  )
}
