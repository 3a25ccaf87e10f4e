import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/** What a second person approves. */
export const SECOND_KINDS = ['run', 'proposal', 'account'] as const
export type SecondKind = (typeof SECOND_KINDS)[number]

/**
 * The SHA-256 of what approving decides, by id: of a run, which lines it pays into which accounts, and the bytes of its files; of a
 * proposal or an account, what was entered. It is the same forever: what the app changes of these rows later is not in it, and
 * neither is a column that was null. Those that are not there are left out.
 */
export async function findContents(
  db: DbOrTx,
  kind: SecondKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  if (ids.length === 0) return new Map()
  const found = await finders[kind](db, [...new Set(ids)])
  return new Map(found.map(({ id, ...content }) => [id, hashOf({ kind, id, content })]))
}

const isOneOf = (column: string, ids: readonly number[]) =>
  sql<boolean>`${sql.ref(column)} = any(${[...ids]}::bigint[])`

type Found = { id: number } & Record<string, unknown>

const finders: Record<SecondKind, (db: DbOrTx, ids: readonly number[]) => Promise<Found[]>> = {
  async run(db, ids) {
    const runs = await db
      .selectFrom('payment_runs')
      .select(['id', 'number', 'currency', 'execution_day'])
      .where(isOneOf('id', ids))
      .execute()
    const lines = await db
      .selectFrom('payment_run_lines')
      .select(['run_id', 'reference', 'amount', 'account_id'])
      .where(isOneOf('run_id', ids))
      .where('removed_because', 'is', null)
      .orderBy('id')
      .execute()
    // Those with a later date are chosen by whoever takes the file.
    const files = await db
      .selectFrom('payment_run_files')
      .select(['run_id', 'name', 'sha256'])
      .where(isOneOf('run_id', ids))
      .where('redates', 'is', null)
      .orderBy('place')
      .execute()
    const linesOf = Map.groupBy(lines, ({ run_id }) => run_id)
    const filesOf = Map.groupBy(files, ({ run_id }) => run_id)
    return runs.map((run) => ({
      ...run,
      lines: (linesOf.get(run.id) ?? []).map(({ reference, amount, account_id }) => [
        reference,
        amount,
        account_id,
      ]),
      files: (filesOf.get(run.id) ?? []).map(({ name, sha256 }) => [name, sha256.toString('hex')]),
    }))
  },

  proposal: (db, ids) =>
    db.selectFrom('pay_proposals').selectAll().where(isOneOf('id', ids)).execute(),

  // Its number is encrypted with a secret that changes, and compared by its seal.
  account: (db, ids) =>
    db
      .selectFrom('payee_accounts')
      .select([
        'id',
        'payee_kind',
        'payee_id',
        'channel',
        'institution',
        'last_characters',
        'currency',
        'entered_at',
        'entered_by',
        'confirmations',
        'doubts',
        'paid_from',
      ])
      .where(isOneOf('id', ids))
      .execute(),
}

function hashOf({ kind, id, content }: { kind: SecondKind; id: number; content: object }): Buffer {
  const entries = Object.entries(content)
    .filter(([, value]) => value !== null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([kind, id, entries]))
    .digest()
}
