import { roleNumber } from '@tallyroom/domain/roles'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import { changeSealed, sealRows } from '../../seals/index.ts'
import { CONFIRMATIONS_NEEDED } from '../ledger/balances.queries.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'

/** `confirmed`: by all required people. */
export type AccountState = 'waiting' | 'confirmed' | 'refused'

export type AccountRow = Selectable<DB['payee_accounts']> & {
  state: AccountState
  /** How many people must confirm it. */
  needed: number
  /** Other payees with the same account, at or since the time when it was entered. */
  shares: PayeeKey[]
  /** Whether the payee said that they did not enter it. */
  disowned: boolean
  decisions: { by: number; name: string; confirmed: boolean; reason: string | null; at: string }[]
}

/** Accounts, oldest first: all, those of one payee, or those with the given ids. */
export async function findAccounts(
  db: DbOrTx,
  which: { payee: PayeeKey } | { ids: readonly number[] } | 'all',
): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select
      account.*,
      case
        when exists (${decisions(sql`not decision.confirmed`)}) then 'refused'
        when (select count(*) from (${decisions(sql`decision.confirmed`)}) as confirmed)
          >= ${CONFIRMATIONS_NEEDED} then 'confirmed'
        else 'waiting'
      end as state,
      ${CONFIRMATIONS_NEEDED} as needed,
      coalesce(
        (
          select json_agg(
            json_build_object('kind', share.payee_kind, 'id', share.payee_id)
            order by share.payee_kind desc, share.payee_id
          )
          from payee_account_shares as share
          where share.account_id = account.id
        ),
        '[]'
      ) as shares,
      exists (select from pay_holds as hold where hold.account_id = account.id) as disowned,
      coalesce(
        (
          select json_agg(
            json_build_object(
              'by', decision.decided_by,
              'name', decision.decided_by_name,
              'confirmed', decision.confirmed,
              'reason', decision.reason,
              'at', to_char(decision.decided_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
            )
            order by decision.decided_at
          )
          from payee_account_decisions as decision
          where decision.account_id = account.id
        ),
        '[]'
      ) as decisions
    from payee_accounts as account
    where ${
      which === 'all'
        ? sql`true`
        : 'payee' in which
          ? sql`account.payee_kind = ${which.payee.kind} and account.payee_id = ${which.payee.id}`
          : sql`account.id = any(${[...which.ids]}::bigint[])`
    }
    order by account.id
  `.execute(db)
  return rows
}

/** Every payee's newest account, if it awaits confirmation, oldest first. */
export async function findWaiting(db: DbOrTx): Promise<AccountRow[]> {
  const { rows } = await sql<{ id: number }>`
    select account.id
    from payee_accounts as account
    where not exists (${decisions(sql`not decision.confirmed`)})
      and (select count(*) from (${decisions(sql`decision.confirmed`)}) as confirmed)
        < ${CONFIRMATIONS_NEEDED}
      and not exists (${newer})
  `.execute(db)
  return rows.length === 0 ? [] : findAccounts(db, { ids: rows.map(({ id }) => id) })
}

/** A newer account of the same payee. */
const newer = sql`
  select from payee_accounts as newer
  where newer.payee_kind = account.payee_kind and newer.payee_id = account.payee_id
    and newer.id > account.id
`

const decisions = (matching: RawBuilder<unknown>) => sql`
  select 1
  from payee_account_decisions as decision
  where decision.account_id = account.id and ${matching}
`

/** The accounts that sign in as each of these payees, by `payeeText`. */
export async function findPayeeSignIns(
  db: DbOrTx,
  payees: readonly PayeeKey[],
): Promise<ReadonlyMap<string, number[]>> {
  const idsOf = (kind: PayeeKey['kind']) =>
    payees.flatMap((payee) => (payee.kind === kind ? [payee.id] : []))
  const { rows } = await sql<PayeeKey & { accountId: number }>`
    select 'office' as kind, office_id as id, id as "accountId"
    from accounts
    where role = ${roleNumber('company')} and office_id = any(${idsOf('office')}::integer[])
    union all
    select 'agent', agent_id, id
    from accounts
    where agent_id = any(${idsOf('agent')}::integer[])
  `.execute(db)
  const byPayee = Map.groupBy(rows, payeeText)
  return new Map([...byPayee].map(([key, found]) => [key, found.map(({ accountId }) => accountId)]))
}

/** The accounts that payees on hold say they did not enter, oldest first. */
export async function findDisowned(
  db: DbOrTx,
): Promise<(PayeeKey & { accountId: number; saidAt: Date })[]> {
  const { rows } = await sql<PayeeKey & { accountId: number; saidAt: Date }>`
    select kind, id, "accountId", "saidAt"
    from (
      select distinct on (payee_kind, payee_id)
        payee_kind as kind, payee_id as id, held, account_id as "accountId",
        (
          select min(said.set_at) from pay_holds as said
          where said.account_id = pay_holds.account_id
        ) as "saidAt"
      from pay_holds
      order by payee_kind, payee_id, pay_holds.id desc
    ) as newest
    where held and "accountId" is not null
    order by "saidAt", kind, id
  `.execute(db)
  return rows
}

/** Approved runs that may still pay to these accounts, because their files, or results, are outstanding. */
export async function findRunsThatPay(db: DbOrTx, accountIds: readonly number[]) {
  const { rows } = await sql<{ accountId: number; id: number; number: string }>`
    select distinct line.account_id as "accountId", run.id, run.number
    from payment_run_lines as line
    join payment_runs as run on run.id = line.run_id
    where line.open
      and line.account_id = any(${[...accountIds]}::bigint[])
      and exists (
        select from payment_run_steps as step where step.run_id = run.id and step.step = 'approved'
      )
    order by run.id
  `.execute(db)
  return rows
}

/** Locks a payee's accounts to serialize decisions about them. */
export const lockAccounts = (tx: Tx, { kind, id }: PayeeKey) =>
  tx
    .selectFrom('payee_accounts')
    .select('id')
    .where('payee_kind', '=', kind)
    .where('payee_id', '=', id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Whether the network pays this kind of payee now or soon, or owes this one something. */
export async function isPaid(db: DbOrTx, { kind, id }: PayeeKey): Promise<boolean> {
  const { rows } = await sql<{ paid: boolean }>`
    select
      (
        select payees = ${kind === 'office' ? 'offices' : 'agents'}
        from pay_settings
        order by from_day desc, id desc
        limit 1
      ) is true
      or exists (
        select 1 from balance_entries where payee_kind = ${kind} and payee_id = ${id}
      ) as paid
  `.execute(db)
  return rows[0]?.paid ?? false
}

/** The accounts that are encrypted or digested with other keys than those that these heads identify. */
export const findSealedOtherwise = (db: DbOrTx, head: { sealed: Buffer; digest: Buffer }) =>
  db
    .selectFrom('payee_accounts')
    .select(['id', 'payee_kind', 'payee_id', 'entered_at', 'institution', 'sealed'])
    .where(
      sql<boolean>`(
        substring(sealed from 1 for ${head.sealed.length}) <> ${head.sealed}
        or number_digest is null
        or substring(number_digest from 1 for ${head.digest.length}) <> ${head.digest}
      )`,
    )
    .forNoKeyUpdate()
    .execute()

export const updateSealed = (
  tx: Tx,
  id: number,
  values: { sealed: Buffer; number_digest: Buffer },
) =>
  changeSealed(tx, 'payee_accounts', { id }, () =>
    tx.updateTable('payee_accounts').set(values).where('id', '=', id).execute(),
  )

/** The other payees who ever entered the same account, in a fixed order. @param digests of the account, by every key */
export async function findSharers(
  db: DbOrTx,
  { kind, id }: PayeeKey,
  digests: readonly Buffer[],
): Promise<PayeeKey[]> {
  const { rows } = await sql<PayeeKey>`
    select distinct payee_kind as kind, payee_id as id
    from payee_accounts
    where number_digest = any(${[...digests]}::bytea[])
      and (payee_kind, payee_id) <> (${kind}, ${id})
    order by payee_kind, payee_id
  `.execute(db)
  return rows
}

/** The other payees who ever entered the same account as one of these, by the account's id. */
export async function findShared(
  db: DbOrTx,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, PayeeKey[]>> {
  const { rows } = await sql<PayeeKey & { accountId: number }>`
    select distinct
      account.id as "accountId", other.payee_kind as kind, other.payee_id as id
    from payee_accounts as account
    join payee_accounts as other
      on other.number_digest = account.number_digest
      and (other.payee_kind, other.payee_id) <> (account.payee_kind, account.payee_id)
    where account.id = any(${[...accountIds]}::bigint[])
    order by account.id, other.payee_kind, other.payee_id
  `.execute(db)
  const shared = Map.groupBy(rows, ({ accountId }) => accountId)
  return new Map(
    [...shared].map(([id, payees]) => [
      id,
      payees.map(({ kind, id: payeeId }) => ({ kind, id: payeeId })),
    ]),
  )
}

/** Records the other payees of an account. Once recorded, it needs two confirmations. */
export async function insertShares(
  tx: Tx,
  accountId: number,
  payees: readonly PayeeKey[],
  now: Date,
): Promise<void> {
  if (payees.length === 0) return
  const shares = await tx
    .insertInto('payee_account_shares')
    .values(
      payees.map(({ kind, id }) => ({
        account_id: accountId,
        payee_kind: kind,
        payee_id: id,
        noted_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['account_id', 'payee_kind', 'payee_id'])
    .execute()
  for (const share of shares) await sealRows(tx, 'payee_account_shares', share)
}

/** Does so for every payee's newest account that awaits confirmation. Others were decided about without knowing. */
export async function noteSharesOfWaiting(tx: Tx, now: Date): Promise<void> {
  const { rows } = await sql<{ account_id: number; payee_kind: string; payee_id: number }>`
    insert into payee_account_shares (account_id, payee_kind, payee_id, noted_at)
    select distinct account.id, other.payee_kind, other.payee_id, ${now}::timestamptz
    from payee_accounts as account
    join payee_accounts as other
      on other.number_digest = account.number_digest
      and (other.payee_kind, other.payee_id) <> (account.payee_kind, account.payee_id)
    where not exists (${decisions(sql`not decision.confirmed`)})
      and (select count(*) from (${decisions(sql`decision.confirmed`)}) as confirmed)
        < ${CONFIRMATIONS_NEEDED}
      and not exists (${newer})
    on conflict do nothing
    returning account_id, payee_kind, payee_id
  `.execute(tx)
  for (const share of rows) await sealRows(tx, 'payee_account_shares', share)
}
