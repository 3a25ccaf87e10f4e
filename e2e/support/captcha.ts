import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../../apps/api/src/db/database.ts'
import { startEngine } from '../../apps/api/src/db/engine/start-engine.ts'
import { recordGrant } from '../../apps/api/src/people/accounts/pay-grants.queries.ts'
import { hashAnswer } from '../../apps/api/src/people/auth/captchas.ts'
import { silentLog } from '../../apps/api/src/lib/log/log.ts'
import { provideSecrets } from '../../apps/api/src/lib/secrets.ts'
import { now } from './day.ts'

/** Changes that the tests make directly in the database. */
export type Captchas = {
  /** Sets the captcha's answer, which can't be read because only a keyed hash is stored. */
  decide(check: string, answer: string): Promise<void>
  /** Moves the last proof of the holder back by an hour, in all of the account's sessions. */
  ageProofs(username: string): Promise<void>
  /** Lets the proof in all of the account's sessions last for the run, however slow the machine. */
  keepProofs(username: string): Promise<void>
  /** Moves the next mail of every saved view to now. */
  makeViewsDue(): Promise<void>
  /**
   * Charges back a sale that an office was paid for by its rate, on a day. Returns the payout in centavos.
   */
  chargeBack(username: string, day: string): Promise<number>
  /** Adds an admin who may pay, or a superadmin who may delete agents, with the demo's password. */
  addColleague(username: string, permission: 'pay' | 'delete_agents'): Promise<void>
  close(): Promise<void>
}

/** Connects to the database of the running server. */
export async function openCaptchas(dataDir: string): Promise<Captchas> {
  const engine = await startEngine({ dataDir, log: silentLog })
  const database: Database = openDatabase(engine.connection, { max: 1, applicationName: 'e2e' })
  const { secret } = await provideSecrets(join(dataDir, 'secret.key'))
  return {
    async decide(check, answer) {
      await database.db
        .updateTable('captchas')
        .set({ answer_hash: hashAnswer(secret, check, answer) })
        .where('id', '=', check)
        .executeTakeFirstOrThrow()
    },
    ageProofs: (username) => moveProofs(username, '-1 hour'),
    keepProofs: (username) => moveProofs(username, '1 day'),
    async makeViewsDue() {
      await database.db
        .updateTable('saved_views')
        .set({ mail_due_at: new Date(now().getTime() - 60_000) })
        .where('mail', 'is not', null)
        .execute()
    },
    async chargeBack(username, day) {
      const { rows } = await sql<{ centavos: number }>`
        insert into sale_events
        select (jsonb_populate_record(sale, jsonb_build_object(
          'id', gen_random_uuid(), 'quantity', -1, 'reverses', sale.id, 'reversal', 'chargeback',
          'occurred_at', ${day}::date + time '22:00', 'recorded_at', ${day}::date + time '22:00',
          'earning_cents', -sale.earning_cents, 'payout_centavos', -sale.payout_centavos, 'lpp', -sale.lpp
        ))).*
        from sale_events as sale
        join bookings as booking on booking.agent_id = sale.agent_id and booking.event_id = sale.id
        join accounts as account on account.office_id = sale.office_id
        where account.username = ${username} and booking.paid_by = 'rate' and sale.quantity = 1
          and sale.event_type = 0
          and not exists (select from sale_events as reversal where reversal.reverses = sale.id)
        order by sale.recorded_at desc
        limit 1
        returning -payout_centavos as centavos
      `.execute(database.db)
      const [reversal] = rows
      if (!reversal) throw new Error(`${username} has no booked sale`)
      return reversal.centavos
    },
    async addColleague(username, permission) {
      const { rows } = await sql<{ id: number }>`
        insert into accounts (role, username, username_look, password_hash, created_at, ${sql.ref(permission)})
        select role, ${username}, ${username}, password_hash, created_at, true
        from accounts where username = ${permission === 'pay' ? 'admin' : 'superadmin'}
        returning id
      `.execute(database.db)
      for (const { id } of rows)
        await recordGrant(database.db, { accountId: id, granted: true, by: 'operator', at: now() })
    },
    async close() {
      await database.close()
      await engine.stop()
    },
  }

  async function moveProofs(username: string, by: string) {
    await database.db
      .updateTable('sessions')
      .set({ proved_at: sql`proved_at + ${by}::interval` })
      .from('accounts')
      .whereRef('accounts.id', '=', 'sessions.account_id')
      .where('accounts.username', '=', username)
      .executeTakeFirstOrThrow()
  }
}
