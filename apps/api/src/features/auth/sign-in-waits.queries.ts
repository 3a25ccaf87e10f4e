import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { MOST_SKEW_MS } from '../../lib/clock.ts'

/**
 * Counts an attempt as a failure unless the subject has to wait. One statement, whose row lock lets
 * attempts at the same moment pass one by one.
 *
 * Gives until when the next attempt has to wait, `now` for not at all; undefined when this one has to.
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
      -- When the clock was put back since: a failure that nobody has to wait for, a wait longer than any.
      or sign_in_waits.wait_until <= sign_in_waits.last_failure_at
      or sign_in_waits.wait_until > ${new Date(now.getTime() + longestWaitMs + MOST_SKEW_MS)}
    returning wait_until
  `.execute(tx)
  return rows[0]?.wait_until
}

/** Until when a subject that has been counted must wait; in the past when it need not. */
export async function findWaitUntil(tx: Tx, subject: string): Promise<Date> {
  const { wait_until } = await tx
    .selectFrom('sign_in_waits')
    .select('wait_until')
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  return wait_until
}

/** Takes one failure back, and the wait with it if it was this attempt that began it. */
export async function uncountAttempt(
  tx: Tx,
  { subject, waitUntil, now }: { subject: string; waitUntil: Date; now: Date },
): Promise<void> {
  await tx
    .updateTable('sign_in_waits')
    .set((eb) => ({
      failures: eb('failures', '-', 1),
      wait_until: eb
        .case()
        .when('wait_until', '=', waitUntil)
        .then(now)
        .else(eb.ref('wait_until'))
        .end(),
    }))
    .where('subject', '=', subject)
    .execute()
}

export async function deleteWait(tx: Tx, subject: string): Promise<void> {
  await tx.deleteFrom('sign_in_waits').where('subject', '=', subject).execute()
}

/** @param devices how the subjects of an account's devices begin. */
export async function deleteWaitsOfDevices(tx: Tx, devices: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_waits')
    .where(sql<boolean>`starts_with(subject, ${devices})`)
    .execute()
}
