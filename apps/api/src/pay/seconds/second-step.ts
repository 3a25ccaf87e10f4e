import type { Tx } from '../../db/database.ts'
import { type Giver, takeFactorFor } from '../../people/index.ts'
import { insertSealedRows } from '../../seals/index.ts'
import { insertProposalDecision } from '../ledger/proposals.queries.ts'
import { findContents } from './contents.queries.ts'

/** That somebody approves what another person has prepared or entered. */
export type SecondStep =
  | { kind: 'run'; id: number }
  /** `madeId`: the row that approving made. */
  | { kind: 'proposal'; id: number; madeId: number | null }
  | { kind: 'account'; id: number; reason: string | null }

/**
 * Writes a second step, with the second factor by which its doer confirmed what they decide. No other code writes one. Call it
 * when what is decided stands as it stays: a run's files are kept.
 *
 * @throws as {@link takeFactorFor}
 */
export async function writeSecondStep(tx: Tx, giver: Giver, step: SecondStep): Promise<void> {
  const { kind, id } = step
  const content = (await findContents(tx, kind, [id])).get(id)
  if (!content) throw new Error(`there is no ${kind} ${id} to approve`)
  const factor = await takeFactorFor(tx, giver, 'approve', content)
  await insertStep(tx, giver, step)
  if (!factor) return
  const { signed } = factor
  await insertSealedRows(tx, 'act_factors', {
    kind,
    thing_id: id,
    ...madeBy(tx, giver),
    content,
    rp_id: signed?.rpId ?? null,
    credential_id: signed?.credentialId ?? null,
    public_key: signed?.publicKey ?? null,
    authenticator_data: signed?.authenticatorData ?? null,
    client_data: signed?.clientData ?? null,
    signature: signed?.signature ?? null,
  })
}

const madeBy = ({ now }: Tx, { viewer }: Giver) => ({
  made_at: now,
  made_by: viewer.accountId,
  made_by_name: viewer.username,
})

async function insertStep(tx: Tx, giver: Giver, step: SecondStep): Promise<void> {
  const { accountId, username } = giver.viewer
  switch (step.kind) {
    case 'run':
      return insertSealedRows(tx, 'payment_run_steps', {
        run_id: step.id,
        step: 'approved',
        ...madeBy(tx, giver),
      })
    case 'proposal': {
      const by = { id: accountId, name: username }
      const decision = { kind: 'approved', reason: null, madeAt: tx.now, madeBy: by } as const
      return insertProposalDecision(tx, step.id, decision, step.madeId)
    }
    case 'account':
      return insertSealedRows(tx, 'payee_account_decisions', {
        account_id: step.id,
        decided_by: accountId,
        decided_by_name: username,
        confirmed: true,
        reason: step.reason,
        decided_at: tx.now,
      })
  }
}
