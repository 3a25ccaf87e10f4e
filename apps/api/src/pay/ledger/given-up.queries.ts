import { sql } from 'kysely'
import type { Currency } from '@tallyroom/domain/pay'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRows } from '../../db/rows.queries.ts'
import { insertSealed } from '../../seals/index.ts'
import type { Advance } from './advances.queries.ts'
import { openOf } from './advances.ts'
import { type BalanceKey, isOneOf, type Compared } from './balances.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'

/** What of a payee's debts was given up and not received since, in minor units of each currency in which there is some. */
export async function findGivenUp(
  db: DbOrTx,
  { kind, id }: PayeeKey,
): Promise<{ currency: Currency; amount: number }[]> {
  const { rows } = await sql<{ currency: Currency; amount: number }>`
    select currency, sum(amount)::bigint as amount
    from balance_entries
    where kind = 'given up' and payee_kind = ${kind} and payee_id = ${id}
      and (amount > 0 or proposal_id is not null)
    group by currency
    having sum(amount) <> 0
    order by currency
  `.execute(db)
  return rows
}

/** Whether what a payee was owed and owed was given up, be it nothing: it is once. */
export async function wasGivenUp(db: DbOrTx, { kind, id }: PayeeKey): Promise<boolean> {
  const row = await db
    .selectFrom('given_up')
    .select('id')
    .where('payee_kind', '=', kind)
    .where('payee_id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether anything has come into a payee's balances, or left them, since deletions give up what is left: since the seals of that began.
 */
export async function hasMovedSince(db: DbOrTx, { kind, id }: PayeeKey): Promise<boolean> {
  const entry = await db
    .selectFrom('balance_entries')
    .select('id')
    .where('payee_kind', '=', kind)
    .where('payee_id', '=', id)
    .where('made_at', '>=', (eb) =>
      eb
        .selectFrom('pay_seals')
        .select((of) => of.fn.min('begun_at').as('at'))
        .where('table_name', '=', 'given_up')
        .where('kind', '=', 'begun'),
    )
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}

/**
 * Inserts what was given up of a payee, be it nothing, and the entries that end it: for each advance its loss and its end, which leave the
 * balance as it is, and then the balance.
 *
 * @param advances those of which something is open
 */
export async function insertGivenUp(
  tx: Tx,
  { kind, id, currency }: BalanceKey,
  { balance, advances }: { balance: number; advances: readonly Advance[] },
  by: { id: number; name: string },
): Promise<void> {
  const of = { payee_kind: kind, payee_id: id, currency, made_at: tx.now, made_by: by.id }
  await insertSealed(tx, 'given_up', {
    ...of,
    balance,
    advances: advances.reduce((sum, one) => sum + openOf(one), 0),
    made_by_name: by.name,
  })
  const entries = advances.flatMap((one) => {
    const advance = { advance_id: one.proposalId }
    return [
      { ...advance, amount: openOf(one), kind: 'given up' },
      { ...advance, amount: -openOf(one), kind: 'advance given up' },
    ]
  })
  // The last, so that what it leaves is nothing.
  const all = [...entries, { advance_id: null, amount: -balance, kind: 'given up' }]
  await insertRows(
    tx,
    'balance_entries',
    all.filter(({ amount }) => amount !== 0).map((entry) => ({ ...of, ...entry })),
  )
}

/** Entries that differ from what was given up, and what was given up of somebody who is still there, as sentences. */
export async function findGivenUpDifferences(
  db: DbOrTx,
  { limit, only }: Compared,
): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    with
      entry as (
        select *, sum(amount) over (partition by payee_kind, payee_id, currency order by id) as after
        from balance_entries
        where ${isOneOf(only)}
      ),
      gone as (
        select * from entry
        where kind = 'advance given up' or (kind = 'given up' and proposal_id is null)
      ),
      given as (select * from given_up where ${isOneOf(only)}),
      came as (
        select payee_kind, payee_id, currency, min(id) as id from gone group by payee_kind, payee_id, currency
      ),
      -- What was open of each advance by then.
      opened as (
        select
          given.*, advance.proposal_id as advance_id,
          advance.amount + coalesce(sum(less.amount) filter (where less.id < came.id), 0) as open
        from given
        join came using (payee_kind, payee_id, currency)
        join entry as advance
          on advance.payee_kind = given.payee_kind and advance.payee_id = given.payee_id
          and advance.currency = given.currency and advance.kind = 'advance' and advance.id < came.id
        left join (
          select id, coalesce(advance_id, proposal_id) as of_advance, amount
          from entry
          where kind in ('instalment', 'given back')
        ) as less on less.of_advance = advance.proposal_id
        group by
          given.id, given.payee_kind, given.payee_id, given.currency, given.balance, given.advances, given.made_at,
          given.made_by, given.made_by_name, advance.id, advance.proposal_id, advance.amount
      ),
      expected as (
        select
          payee_kind, payee_id, currency, -balance as amount, 'given up' as kind, null::bigint as advance_id,
          made_at, made_by
        from given
        where balance <> 0
        union all
        select payee_kind, payee_id, currency, open, 'given up', advance_id, made_at, made_by
        from opened
        where open <> 0
        union all
        select payee_kind, payee_id, currency, -open, 'advance given up', advance_id, made_at, made_by
        from opened
        where open <> 0
      )
    select distinct format(
      'What was given up of %s %s in %s differs from the entries of its balance.', payee_kind, payee_id, currency
    ) as what
    from (
      select
        coalesce(expected.payee_kind, gone.payee_kind) as payee_kind,
        coalesce(expected.payee_id, gone.payee_id) as payee_id, coalesce(expected.currency, gone.currency) as currency
      from expected
      full join gone
        on gone.payee_kind = expected.payee_kind and gone.payee_id = expected.payee_id
        and gone.currency = expected.currency and gone.kind = expected.kind
        and coalesce(gone.advance_id, 0) = coalesce(expected.advance_id, 0)
      where (gone.amount, gone.made_at, gone.made_by)
        is distinct from (expected.amount, expected.made_at, expected.made_by)
        or gone.statement_id is not null or gone.run_line_id is not null
        or gone.advance_id is null and gone.after <> 0
      union all
      select given.payee_kind, given.payee_id, given.currency
      from given
      left join (
        select payee_kind, payee_id, currency, sum(open) as open from opened group by payee_kind, payee_id, currency
      ) as advances
        on advances.payee_kind = given.payee_kind and advances.payee_id = given.payee_id
        and advances.currency = given.currency
      where given.advances <> coalesce(advances.open, 0)
    ) as found
    union all
    select format('What was given up of %s %s is of somebody who was not deleted.', given.payee_kind, given.payee_id)
    from given
    left join agents as agent on agent.id = given.payee_id
    where given.payee_kind <> 'agent' or agent.id is not null
    order by 1
    limit ${limit}
  `.execute(db)
  return rows.map(({ what }) => what)
}
