import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { MOST_SKEW_MS } from '../../lib/clock.ts'

/**
 * Counts an attempt as a failure unless the subject has to wait. It is one statement, whose row lock serializes
 * concurrent attempts.
 *
 * Returns until when the next attempt has to wait (`now` if not at all); undefined if this one has to.
 */
export async function insertOrCountAttempt(
  tx: Tx,
  {
    subject,
    now,
    patience,
    firstWaitMs,
    longestWaitMs,
  }: {
    subject: string
    now: Date
    patience: number
    firstWaitMs: number
    longestWaitMs: number
  },
): Promise<Date | undefined> {
  const { rows } = await sql<{ wait_until: Date }>`
    insert into sign_in_waits (subject, failures, last_failure_at, wait_until)
    values (${subject}, 1, ${now}, ${now})
    on conflict (subject) do update
    set
      failures = sign_in_waits.failures + 1,
      last_failure_at = excluded.last_failure_at,
      wait_until = excluded.last_failure_at + interval '1 millisecond' * case
        when sign_in_waits.failures + 1 < ${patience}::int then 0
        else least(
          ${longestWaitMs}::int,
          ${firstWaitMs}::int * power(2, least(sign_in_waits.failures + 1 - ${patience}::int, 20))
        )
      end
    where sign_in_waits.wait_until <= excluded.last_failure_at
      -- The clock was set back since: a failure without a wait, and a wait longer than the maximum.
      or sign_in_waits.wait_until <= sign_in_waits.last_failure_at
      or sign_in_waits.wait_until > ${new Date(now.getTime() + longestWaitMs + MOST_SKEW_MS)}
    returning wait_until
  `.execute(tx)
  return rows[0]?.wait_until
}

/** Until when a counted subject has to wait; in the past if it need not. */
export async function findWaitUntil(tx: Tx, subject: string): Promise<Date> {
  const { wait_until } = await tx
    .selectFrom('sign_in_waits')
    .select('wait_until')
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  return wait_until
}

/** Uncounts one failure, and removes the wait if this attempt started it: as after a failure that starts none. */
export async function uncountAttempt(
  tx: Tx,
  { subject, waitUntil }: { subject: string; waitUntil: Date },
): Promise<void> {
  await tx
    .updateTable('sign_in_waits')
    .set((eb) => ({
      failures: eb('failures', '-', 1),
      wait_until: eb
        .case()
        .when('wait_until', '=', waitUntil)
        .then(eb.ref('last_failure_at'))
        .else(eb.ref('wait_until'))
        .end(),
    }))
    .where('subject', '=', subject)
    .execute()
}

export async function deleteWait(tx: Tx, subject: string): Promise<void> {
  await tx.deleteFrom('sign_in_waits').where('subject', '=', subject).execute()
}

/** @param devices the common prefix of the subjects of an account's devices. */
export async function deleteWaitsOfDevices(tx: Tx, devices: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_waits')
    .where(sql<boolean>`starts_with(subject, ${devices})`)
    .execute()
}

export async function deleteForgottenWaits(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sign_in_waits').where('last_failure_at', '<', before).execute()
}
