import { dayOf } from '@tallyroom/domain/new-york'
import type { DbOrTx } from '../../db/database.ts'
import {
  findFactorDays,
  findKeyChanges,
  findPublicKeys,
  findSignInRules,
  type Signed,
  signedAbout,
} from '../../people/index.ts'
import { findBegunAt } from '../../seals/index.ts'
import { findNumbersOfRuns } from '../runs/payment-runs.queries.ts'
import { findContents, SECOND_KINDS, type SecondKind } from '../seconds/contents.queries.ts'
import type { DecisionsOf } from './verify-decisions.queries.ts'
import {
  type Approval,
  type FactorRow,
  findActFactors,
  findSecondSteps,
} from './verify-signatures.queries.ts'

/**
 * Compares what was approved with what the approver's second factor confirmed: the hash that their passkey has signed, and what
 * stands there now. Of a code, only that hash was kept, which somebody who makes the seals anew could make anew as well.
 */
export async function signatureFindings(db: DbOrTx, of: DecisionsOf): Promise<string[]> {
  const begun = await findBegunAt(db, 'act_factors')
  // `verifySeals` says so.
  if (begun === undefined) return []
  const factors = await findActFactors(db, of)
  const steps = await findSecondSteps(db, of)
  const titleOf = await titles(db, [...factors.map(thingOf), ...steps])
  // An old process may still approve, or add a passkey, during an upgrade. That is named each night, and stops no payment.
  const hadKey = of === 'all' ? await keysOf(db, factors) : () => true
  const wrong = await wrongFactors(db, factors, steps, hadKey)
  const missing = of === 'all' ? await missingFactors(db, factors, steps, begun) : []
  return [
    ...wrong.map(({ factor, what }) => what(factor.made_by_name, titleOf(thingOf(factor)))),
    ...missing.map(
      (step) =>
        `${step.name} approved ${titleOf(step)} without the second factor that this needed.`,
    ),
  ]
}

type Thing = { kind: SecondKind; id: number }

const thingOf = ({ kind, thing_id }: FactorRow): Thing => ({
  kind: kind as SecondKind, // act_factors__kind
  id: thing_id,
})

/** By which a step and its factor belong together. */
const keyOf = ({ kind, id }: Thing, by: number): string => `${kind} ${id} ${by}`

async function titles(db: DbOrTx, things: readonly Thing[]): Promise<(thing: Thing) => string> {
  const runIds = things.flatMap(({ kind, id }) => (kind === 'run' ? [id] : []))
  const numbers = await findNumbersOfRuns(db, [...new Set(runIds)])
  return ({ kind, id }) => {
    if (kind === 'run') return numbers.get(id) ?? `run ${id}`
    return kind === 'account' ? `payee account ${id}` : `proposal ${id}`
  }
}

type Wrong = { factor: FactorRow; what: (name: string, title: string) => string }

async function wrongFactors(
  db: DbOrTx,
  factors: readonly FactorRow[],
  steps: readonly Approval[],
  hadKey: (factor: FactorRow) => boolean,
): Promise<Wrong[]> {
  const contents = await contentsOf(db, factors)
  const keys = await findPublicKeys(
    db,
    factors.map(({ made_by }) => made_by),
  )
  const approved = new Set(steps.map((step) => keyOf(step, step.by)))
  const found: Wrong[] = []
  for (const factor of factors) {
    const { made_by, credential_id, public_key, content } = factor
    const present = keys.get(`${made_by} ${credential_id?.toString('hex')}`)
    const signed = signedOf(factor)
    if (signed && !(await signedAbout(signed))?.equals(content))
      found.push({
        factor,
        what: (name, title) => `The passkey of ${name} has not signed the approval of ${title}.`,
      })
    else if (present && public_key && !present.equals(public_key))
      found.push({
        factor,
        what: (name, title) =>
          `The key by which ${name} approved ${title} is not that of their passkey.`,
      })
    else if (!hadKey(factor))
      found.push({
        factor,
        what: (name, title) =>
          `The key by which ${name} approved ${title} was not that of a passkey of theirs.`,
      })
    else if (!contents.get(keyOf(thingOf(factor), 0))?.equals(content))
      found.push({
        factor,
        what: (name, title) => `${title} is not what ${name} approved: it was changed afterwards.`,
      })
    else if (!approved.has(keyOf(thingOf(factor), made_by)))
      found.push({
        factor,
        what: (name, title) => `${name} confirmed ${title}, and has not approved it.`,
      })
  }
  return found
}

/**
 * Whether a key was that of a passkey of the approver, when they approved. The order is that of the chain of seals, not that of
 * clocks. Of approvals from before it was kept, nobody can say, and a code has no key.
 */
async function keysOf(
  db: DbOrTx,
  factors: readonly FactorRow[],
): Promise<(factor: FactorRow) => boolean> {
  const begun = (await findBegunAt(db, 'passkey_changes')) ?? Infinity
  const changes = await findKeyChanges(
    db,
    factors.map(({ made_by }) => made_by),
  )
  const changesOf = Map.groupBy(changes, ({ accountId, credentialId, publicKey }) =>
    [accountId, credentialId.toString('hex'), publicKey.toString('hex')].join(' '),
  )
  return ({ made_by, credential_id, public_key, place }) => {
    if (!credential_id || !public_key || place < begun) return true
    const key = [made_by, credential_id.toString('hex'), public_key.toString('hex')].join(' ')
    return changesOf.get(key)?.findLast((change) => change.place < place)?.kind === 'added'
  }
}

/** What stands there now. */
async function contentsOf(
  db: DbOrTx,
  factors: readonly FactorRow[],
): Promise<ReadonlyMap<string, Buffer>> {
  const all = new Map<string, Buffer>()
  for (const kind of SECOND_KINDS) {
    const ids = factors.filter((one) => one.kind === kind).map(({ thing_id }) => thing_id)
    for (const [id, content] of await findContents(db, kind, ids))
      all.set(keyOf({ kind, id }, 0), content)
  }
  return all
}

/** Undefined for a code. All or none of the columns are there, as `act_factors__passkey` says. */
function signedOf(row: FactorRow): Signed | undefined {
  const { rp_id, credential_id, public_key, authenticator_data, client_data, signature } = row
  if (!rp_id || !credential_id || !public_key) return undefined
  if (!authenticator_data || !client_data || !signature) return undefined
  return {
    rpId: rp_id,
    credentialId: credential_id,
    publicKey: public_key,
    authenticatorData: authenticator_data,
    clientData: client_data,
    signature,
  }
}

/**
 * Approvals without a factor, by whom has had one since before, or on a later day than the one from which nobody approves
 * without: on that day itself, some may have before it was chosen.
 */
async function missingFactors(
  db: DbOrTx,
  factors: readonly FactorRow[],
  steps: readonly Approval[],
  begun: number,
): Promise<Approval[]> {
  const known = new Set(factors.map((factor) => keyOf(thingOf(factor), factor.made_by)))
  const without = steps.filter((step) => step.before > begun && !known.has(keyOf(step, step.by)))
  const since = await findFactorDays(
    db,
    without.map(({ by }) => by),
  )
  const { secondActs } = await findSignInRules(db)
  return without.filter(({ by, at }) => {
    const had = since.get(by)
    return (had && had < at) || (secondActs !== null && secondActs < dayOf(at))
  })
}
