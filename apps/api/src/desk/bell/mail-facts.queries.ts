import { FACT_KINDS, type Topic, topicOf, usualChoice } from '@tallyroom/domain/facts'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import { selectAccounts } from '../../people/index.ts'

const kinds = FACT_KINDS.flatMap((kind) => {
  const topic = topicOf(kind)
  if (!topic) return []
  return [{ kind, topic, staff: usualChoice(topic, 'admin'), sellers: usualChoice(topic, 'agent') }]
})

const staffRoles = [roleNumber('superadmin'), roleNumber('admin')]

/**
 * Takes facts that nobody has looked at, and stores for whom each waits as a mail. Whether they may read of it is looked up when
 * the mail is written. Returns how many facts it took.
 */
export async function spreadFacts(
  tx: Tx,
  when: { now: Date; notBefore: Date; digestAt: Date; pauseMs: number; most: number },
): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from untold_facts
      where fact_id in (select fact_id from untold_facts limit ${when.most})
      returning fact_id
    ),
    told as materialized (
      select fact.*, kind.topic, kind.staff, kind.sellers
      from taken
      join facts as fact on fact.id = taken.fact_id
      join jsonb_to_recordset(${JSON.stringify(kinds)}::jsonb)
        as kind (kind text, topic text, staff text, sellers text) on kind.kind = fact.kind
      where fact.happened_at >= ${when.notBefore} and fact.account_id is null
    ),
    reached as (
      select told.id, told.topic, told.by_account_id, account.id as account_id, told.staff as usual
      from told
      cross join accounts as account
      where account.role = any(${staffRoles}::integer[])
      union
      select told.id, told.topic, told.by_account_id, account.id, told.sellers
      from told
      join accounts as account on account.office_id = told.office_id
      union
      select told.id, told.topic, told.by_account_id, account.id, told.sellers
      from told
      join accounts as account on account.agent_id = told.agent_id
    ),
    wanted as (
      select reached.*, coalesce(chosen.choice, reached.usual) as choice, mailed.mailed_at
      from reached
      left join notification_choices as chosen
        on chosen.account_id = reached.account_id and chosen.topic = reached.topic
      left join mailed_topics as mailed
        on mailed.account_id = reached.account_id and mailed.topic = reached.topic
      where reached.by_account_id is distinct from reached.account_id
    ),
    stored as (
      insert into fact_mails (account_id, fact_id, topic, digest, due_at)
      select
        account_id, id, topic, choice = 'digest',
        case
          when choice = 'digest' then ${when.digestAt}::timestamptz
          else greatest(
            ${when.now}::timestamptz,
            mailed_at + ${when.pauseMs}::integer * interval '1 millisecond'
          )
        end
      from wanted
      where choice <> 'off'
      on conflict do nothing
    )
    select count(*) as taken from taken
  `.execute(tx)
  return rows[0]?.taken ?? 0
}

/** An account's topic, one of whose mails at once is due. The longest wait comes first. */
export async function findDueTopics(db: Db, now: Date, most: number) {
  const { rows } = await sql<{ accountId: number; topic: Topic }>`
    select account_id as "accountId", topic
    from fact_mails
    where not digest
    group by account_id, topic
    having min(due_at) <= ${now}
    order by min(due_at), account_id, topic
    limit ${most}
  `.execute(db)
  return rows
}

/** An account whose digest is due, and whether the day's figures are to be in it. */
export type DueDigest = { accountId: number; withDay: boolean }

/**
 * The accounts whose digest is due: something waits for it, or they want the figures of each day and have not been mailed since
 * `since`, when it was last due.
 */
export async function findDueDigests(
  db: Db,
  { now, since, most }: { now: Date; since: Date; most: number },
): Promise<DueDigest[]> {
  const { rows } = await sql<DueDigest>`
    select account_id as "accountId", bool_or(day) as "withDay"
    from (
      select account_id, false as day from fact_mails where digest and due_at <= ${now}
      union all
      select chosen.account_id, true
      from notification_choices as chosen
      left join mailed_topics as mailed
        on mailed.account_id = chosen.account_id and mailed.topic = 'day'
      where chosen.topic = 'day' and chosen.choice = 'digest'
        and greatest(chosen.chosen_at, mailed.mailed_at) < ${since}
    ) as due
    group by account_id
    order by account_id
    limit ${most}
  `.execute(db)
  return rows
}

/** Takes what waits to be mailed to an account: of a topic at once, or what is due of its digest. Returns the facts' ids. */
export async function takeWaiting(
  tx: Tx,
  accountId: number,
  which: { topic: Topic } | { digestDueBy: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from fact_mails
    where account_id = ${accountId} and ${
      'topic' in which
        ? sql`topic = ${which.topic} and not digest`
        : sql`digest and due_at <= ${which.digestDueBy}`
    }
    returning fact_id as id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Tries again later what can't be mailed now. */
export async function postpone(db: Db, accountId: number, until: Date): Promise<void> {
  await db
    .updateTable('fact_mails')
    .set({ due_at: until })
    .where('account_id', '=', accountId)
    .where('due_at', '<', until)
    .execute()
}

/** Mails in time what a clock that was ahead has put off. `atOnceBy` and `digestBy`: when such mails are due at the latest. */
export async function bringFactMailsForward(
  db: Db,
  { now, atOnceBy, digestBy }: { now: Date; atOnceBy: Date; digestBy: Date },
): Promise<void> {
  await sql`
    update fact_mails
    set due_at = case when digest then ${digestBy}::timestamptz else ${now}::timestamptz end
    where due_at > case when digest then ${digestBy}::timestamptz else ${atOnceBy}::timestamptz end
  `.execute(db)
  await db
    .updateTable('mailed_topics')
    .set({ mailed_at: now })
    .where('mailed_at', '>', atOnceBy)
    .execute()
}

/** Remembers that an account was mailed about a topic. */
export async function rememberMailed(
  tx: Tx,
  { accountId, topic }: { accountId: number; topic: Topic },
  at: Date,
): Promise<void> {
  await tx
    .insertInto('mailed_topics')
    .values({ account_id: accountId, topic, mailed_at: at })
    .onConflict((on) =>
      on
        .columns(['account_id', 'topic'])
        .doUpdateSet({ mailed_at: (row) => row.ref('excluded.mailed_at') }),
    )
    .execute()
}

/** The account as it is now. */
export const findMailReader = (db: DbOrTx, accountId: number) =>
  selectAccounts(db).where('accounts.id', '=', accountId).executeTakeFirst()

/** Forgets the mails about facts that are due. */
export async function skipDueFactMails(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('untold_facts').execute()
  await tx.deleteFrom('fact_mails').where('due_at', '<=', now).execute()
}
