import { roleNumber } from '@tallyroom/domain/roles'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'
import type { PayeeKey } from '../pay/index.ts'

/** `confirmed`: by all required people. */
export type AccountState = 'waiting' | 'confirmed' | 'refused'

export type AccountRow = Selectable<DB['payee_accounts']> & {
  state: AccountState
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
          >= account.confirmations then 'confirmed'
        else 'waiting'
      end as state,
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

/** The number of payees whose newest account awaits confirmation, and since when. */
export async function countWaitingAccounts(
  db: DbOrTx,
): Promise<{ count: number; since: Date | null }> {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*) as count, min(account.entered_at) as since
    from payee_accounts as account
    where not exists (${decisions(sql`not decision.confirmed`)})
      and (select count(*) from (${decisions(sql`decision.confirmed`)}) as confirmed)
        < account.confirmations
      and not exists (
        select from payee_accounts as newer
        where newer.payee_kind = account.payee_kind and newer.payee_id = account.payee_id
          and newer.id > account.id
      )
  `.execute(db)
  return rows[0] ?? { count: 0, since: null }
}

const decisions = (matching: RawBuilder<unknown>) => sql`
  select 1
  from payee_account_decisions as decision
  where decision.account_id = account.id and ${matching}
`

export type NewAccount = Omit<Insertable<DB['payee_accounts']>, 'id'>

/** @returns its id */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<number> {
  const { id } = await tx
    .insertInto('payee_accounts')
    .values(account)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Violates `payee_account_decisions__pk` if the person has decided on this account before. */
export async function insertDecision(
  tx: Tx,
  decision: Insertable<DB['payee_account_decisions']>,
): Promise<void> {
  await tx.insertInto('payee_account_decisions').values(decision).execute()
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

/** Whether staff have signed in from an address since a time. */
export async function didStaffSignInFrom(db: DbOrTx, ip: string, since: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select 1
      from sessions as session
      join accounts as account on account.id = session.account_id
      where account.role in (${roleNumber('admin')}, ${roleNumber('superadmin')})
        and session.ip = ${ip}::inet
        and session.started_at > ${since}
    ) as found
  `.execute(db)
  return rows[0]?.found ?? false
}

/** Whether staff, or somebody else in the holder's office, have made one of these calls since a time, for this id if given. */
export async function wasCalled(
  db: DbOrTx,
  called: {
    actions: readonly string[]
    id: number
    /** The holder's account and office. */
    except: number
    officeId: number | undefined
    since: Date
  },
): Promise<boolean> {
  // As text: jsonb refuses the NUL that a query may contain. Within a value, quotes are escaped, so only a key matches.
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select 1
      from audit_log
      where at > ${called.since}
        and action_name = any(${[...called.actions]}::text[])
        and response_code = 200
        and coalesce(acting_account_id, account_id) <> ${called.except}
        and (
          role in (${roleNumber('admin')}, ${roleNumber('superadmin')})
          or office_id = ${called.officeId ?? null}::bigint
        )
        and get_params ~ ${`"id":"?${called.id}"?[,}]`}
    ) as found
  `.execute(db)
  return rows[0]?.found ?? false
}

/** The accounts that are encrypted with another key than the one this head identifies. */
export const findSealedOtherwise = (db: DbOrTx, head: Buffer) =>
  db
    .selectFrom('payee_accounts')
    .select(['id', 'payee_kind', 'payee_id', 'entered_at', 'sealed'])
    .where(sql<boolean>`substring(sealed from 1 for ${head.length}) <> ${head}`)
    .forNoKeyUpdate()
    .execute()

export async function updateSealed(tx: Tx, id: number, sealed: Buffer): Promise<void> {
  await tx.updateTable('payee_accounts').set({ sealed }).where('id', '=', id).execute()
}
