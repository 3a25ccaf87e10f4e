import { addDays, atNewYork, type Day, daysBetween } from '@tallyroom/domain/new-york'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import type { PasswordColumn } from '../../src/people/index.ts'
import { insertRows } from '../insert-rows.ts'
import { createRandom, type Random } from '../random.ts'
import { demoPassword } from './people.ts'
import { uuidAt } from './uuid.ts'

/** The age of the oldest login log entry in days. */
const loggedDays = 45

const hourMs = 3_600_000

/** The readable copies of the password, for all accounts except those that can move money. */
export async function sealDemoPasswords(tx: Tx, passwords: PasswordColumn): Promise<void> {
  const accounts = await tx
    .selectFrom('accounts')
    .select('id')
    .where('role', '<>', roleNumber('superadmin'))
    .where('pay', '=', false)
    .execute()
  for (const { id } of accounts) {
    await tx
      .updateTable('accounts')
      .set({ password_sealed: passwords.seal(id, demoPassword) })
      .where('id', '=', id)
      .execute()
  }
}

/**
 * Sign-ins: on most days, from a few addresses per person, mostly without signing out. All sessions are over by
 * now, so nobody is signed in.
 */
export async function insertSignIns(
  tx: Tx,
  { today, now }: { today: Day; now: Date },
): Promise<void> {
  const people = await tx
    .selectFrom('accounts')
    .leftJoin('agents', 'agents.id', 'accounts.agent_id')
    .select(['accounts.id', 'accounts.username', 'accounts.created_at'])
    .where((eb) =>
      eb.or([eb('accounts.agent_id', 'is', null), eb('agents.approved_at', 'is not', null)]),
    )
    .orderBy('accounts.id')
    .execute()
  await insertRows(
    tx,
    'sessions',
    people.flatMap((person) => sessionsOf(person, { today, now })),
  )
  await sql`
    update accounts
    set sign_in_count = counted.sessions, last_sign_in_at = counted.last
    from (
      select account_id, count(*) as sessions, max(started_at) as last
      from sessions
      group by account_id
    ) as counted
    where counted.account_id = accounts.id
  `.execute(tx)
}

function sessionsOf(
  { id, username, created_at }: { id: number; username: string; created_at: Date },
  { today, now }: { today: Day; now: Date },
) {
  const random = createRandom(`sign-ins/${username}`)
  const addresses = Array.from({ length: 1 + random.below(3) }, () => addressOf(random))
  const eagerness = random.between(0.35, 0.95)
  const first = addDays(today, -loggedDays)
  return Array.from({ length: daysBetween(first, today) + 1 }, (_, day) => addDays(first, day))
    .filter(() => random.chance(eagerness))
    .flatMap((day) => {
      const startedMs = atNewYork(day, '06:00').getTime() + random.between(0, 14) * hourMs
      const lastSeenMs = startedMs + random.between(0.05, 6) * hourMs
      const signedOut = random.chance(0.3)
      const ip = random.pick(addresses)
      const sessionId = uuidAt(Math.floor(startedMs), random)
      if (startedMs < created_at.getTime() || lastSeenMs > now.getTime()) return []
      const lastSeen = new Date(lastSeenMs)
      return {
        id: sessionId,
        account_id: id,
        started_at: new Date(startedMs),
        last_seen_at: lastSeen,
        expires_at: lastSeen,
        ended_at: signedOut ? lastSeen : null,
        end_reason: signedOut ? 'logout' : null,
        ip,
        user_agent: 'Mozilla/5.0 (X11; Linux x64) Chrome/141.0',
      }
    })
}

/** From a range reserved for benchmarks (RFC 2544). */
const addressOf = (random: Random): string => `198.19.${random.below(256)}.${1 + random.below(254)}`
