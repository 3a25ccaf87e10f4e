import { type AccountHand, ownPasswords } from '@tallyroom/domain/acts'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { type AsOf, placeOf } from '../../seals/index.ts'

/** What gave cause for a doubt: by whom, and when. */
export type Cause = { by: string | null; at: Date | null }

/**
 * The last sign-in of staff from a network of the payee: of the call, or of the sign-ins of the payee since a time. A
 * network is one address, or a /64 of IPv6, which one subscriber owns as a whole.
 */
export async function findStaffInNetwork(
  db: DbOrTx,
  asked: { accountId: number; ip: string; ownSince: Date; staffSince: Date },
): Promise<Cause | undefined> {
  const { rows } = await sql<Cause>`
    with own as (
      select ${asked.ip}::inet as ip
      union
      select ip
      from sessions
      where account_id = ${asked.accountId}
        and signed_in_by is null
        and started_at > ${asked.ownSince}
    )
    select account.username as by, session.started_at as at
    from sessions as session
    join accounts as account on account.id = session.account_id
    join own on session.ip
      <<= network(set_masklen(own.ip, case family(own.ip) when 6 then 64 else 32 end))
    where account.role in (${roleNumber('admin')}, ${roleNumber('superadmin')})
      and session.started_at > ${asked.staffSince}
    order by session.started_at desc
    limit 1
  `.execute(db)
  return rows[0]
}

export type HandCause = {
  kind: AccountHand
  by: string | null
  at: Date
  /** Whether the holder has ever set the password themselves. */
  isOwn: boolean
}

/** An account, and before which place in the chain of seals. */
type HandsAsked = { accountId: number } & AsOf

/**
 * For each, what others ever did to the account, the last time of each kind. A shared device counts if it is one of
 * staff.
 */
export async function findHands(db: DbOrTx, asked: readonly HandsAsked[]): Promise<HandCause[][]> {
  const stood = (hand: string) => sql`
    (
      asked.before is null
      or ${placeOf('account_hands', sql`${sql.ref(`${hand}.id`)}::text`)} < asked.before
    )
  `
  const { rows } = await sql<HandCause & { nth: number }>`
    select distinct on (asked.nth, hand.kind)
      asked.nth, hand.kind, doer.username as by, hand.made_at as at,
      exists (
        select from account_hands as own
        where own.account_id = asked.account_id and own.kind = any(${[...ownPasswords]})
          and ${stood('own')}
      ) as "isOwn"
    from unnest(
      ${asked.map(({ accountId }) => accountId)}::bigint[],
      ${asked.map(({ before }) => before ?? null)}::float8[],
      ${asked.map((_, nth) => nth)}::int[]
    ) as asked (account_id, before, nth)
    join (
      select id, account_id, kind, made_by, made_at from account_hands
      union all
      select id, made_by, kind, account_id, made_at from account_hands where kind = 'device'
    ) as hand on hand.account_id = asked.account_id
    left join accounts as doer on doer.id = hand.made_by
    where hand.made_by <> hand.account_id and ${stood('hand')}
      and (
        hand.kind <> 'device'
        or doer.role in (${roleNumber('admin')}, ${roleNumber('superadmin')})
      )
    order by asked.nth, hand.kind, hand.made_at desc
  `.execute(db)
  const found = Map.groupBy(rows, ({ nth }) => nth)
  return asked.map((_, nth) => found.get(nth) ?? [])
}

/** The last time since when a partner system signed this account in. */
export async function findPartnerSignIn(
  db: DbOrTx,
  { accountId, action, since }: { accountId: number; action: string; since: Date },
): Promise<Cause | undefined> {
  // After *Sign in as*, the superadmin acts.
  const { rows } = await sql<Cause>`
    select null as by, at
    from audit_log
    where at > ${since}
      and action_name = ${action}
      and response_code = 200
      and account_id = ${accountId}
      and acting_account_id is null
    order by at desc
    limit 1
  `.execute(db)
  return rows[0]
}

/** When the account's password was last set, by whomever. */
export async function findPasswordSetAt(db: DbOrTx, accountId: number): Promise<Date | null> {
  const account = await db
    .selectFrom('accounts')
    .select('password_set_at')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return account?.password_set_at ?? null
}
