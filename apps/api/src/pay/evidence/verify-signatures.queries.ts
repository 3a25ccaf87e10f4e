import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import { placeOf } from '../../seals/index.ts'
import type { SecondKind } from '../seconds/contents.queries.ts'
import type { DecisionsOf } from './verify-decisions.queries.ts'

/** An approval. `before` is its place in the chain of seals. */
export type Approval = {
  kind: SecondKind
  id: number
  by: number
  name: string
  at: Date
  before: number
}

/** Every approval of a run, a proposal or an account, or of these, oldest first. */
export async function findSecondSteps(db: DbOrTx, of: DecisionsOf): Promise<Approval[]> {
  const { rows } = await sql<Approval>`
    select kind, id, by, name, at, before
    from (
      select
        'run' as kind, run_id as id, made_by as by, made_by_name as name, made_at as at,
        ${placeOf('payment_run_steps', sql`concat(run_id, '/', step)`)} as before
      from payment_run_steps
      where step = 'approved' and ${isOf(of, 'runIds', 'run_id')}
      union all
      select
        'proposal', proposal_id, made_by, made_by_name, made_at,
        ${placeOf('pay_proposal_decisions', sql`proposal_id::text`)}
      from pay_proposal_decisions
      where decision = 'approved' and ${isOf(of, 'proposalIds', 'proposal_id')}
      union all
      select
        'account', account_id, decided_by, decided_by_name, decided_at,
        ${placeOf('payee_account_decisions', sql`concat(account_id, '/', decided_by)`)}
      from payee_account_decisions
      where confirmed and ${isOf(of, 'accountIds', 'account_id')}
    ) as approval
    order by before, kind, id, by
  `.execute(db)
  return rows
}

const isOf = (of: DecisionsOf, about: keyof Exclude<DecisionsOf, 'all'>, id: string) =>
  of === 'all' ? sql`true` : sql`${sql.ref(id)} = any(${[...of[about]]}::bigint[])`

/** `place`: in the chain of seals. */
export type FactorRow = Selectable<DB['act_factors']> & { place: number }

/** The second factors of all approvals, or of these. */
export const findActFactors = (db: DbOrTx, of: DecisionsOf): Promise<FactorRow[]> =>
  db
    .selectFrom('act_factors')
    .selectAll()
    .select(
      placeOf('act_factors', sql`concat_ws('/', act_factors.kind, thing_id, made_by)`).as('place'),
    )
    .$if(of !== 'all', (query) => {
      const { runIds, proposalIds, accountIds } = of === 'all' ? none : of
      return query.where((eb) =>
        eb.or(
          (
            [
              ['run', runIds],
              ['proposal', proposalIds],
              ['account', accountIds],
            ] as const
          ).map(([kind, ids]) =>
            eb.and([eb('kind', '=', kind), eb('thing_id', 'in', [...ids, 0])]),
          ),
        ),
      )
    })
    .orderBy('made_at')
    .orderBy('kind')
    .orderBy('thing_id')
    .execute()

const none = { runIds: [], proposalIds: [], accountIds: [] }
