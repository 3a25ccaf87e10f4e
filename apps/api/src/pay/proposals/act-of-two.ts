import type { WaitingProposal } from '@tallyroom/contract/pay/acts/proposals'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { Proposal, ProposalKind } from '../ledger/proposals.queries.ts'
import type { ToldOfPay } from '../statements/tell-payees.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'

/** Whose name an entry or a step bears. */
export type Doer = Pick<Viewer, 'accountId' | 'username'>

/** What one person proposes and another decides: all that differs between the kinds. */
export type ActOfTwo<Kind extends ProposalKind> = {
  /** Under which lock that changes which would make it outdated: `lockBalances`, or `lockProposals`. */
  lock: 'balances' | 'proposals'

  /** Why it can't be approved any more, in a sentence; undefined if it can. */
  whyOutdated(db: DbOrTx, proposal: Proposal<Kind>): Promise<string | undefined>

  /**
   * Does it, under its lock. Returns the id of the adjustment, rate or line that it made or settled. Null if its entry
   * names the proposal, or if it acts by being approved.
   */
  carryOut(tx: Tx, proposal: Proposal<Kind>, approver: Doer): Promise<number | null>

  /** What it does, for whoever decides. */
  present(act: Proposal<Kind>['act'], names: NamesOfActs): WaitingProposal['does']

  /** What its payee is told once it is approved. */
  tells?(act: Proposal<Kind>['act']): ToldOfPay[]
}

/** The names of what acts are about, read once for all of them. */
export type NamesOfActs = {
  payee(payee: PayeeKey): PayeeKey & { name: string }
  transfer(runLineId: number): { run: { id: number; number: string }; reference: string }
  run(runId: number): { id: number; number: string }
}
