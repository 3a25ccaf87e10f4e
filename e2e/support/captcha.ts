import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../../apps/api/src/db/database.ts'
import { startEngine } from '../../apps/api/src/db/engine/start-engine.ts'
import { hashAnswer } from '../../apps/api/src/features/auth/captchas.ts'
import { silentLog } from '../../apps/api/src/lib/log.ts'
import { provideSecrets } from '../../apps/api/src/lib/secrets.ts'
import { now } from './day.ts'

/** Changes that the tests make directly in the database. */
export type Captchas = {
  /** Sets the captcha's answer, which can't be read because only a keyed hash is stored. */
  decide(check: string, answer: string): Promise<void>
  /** Moves the start of the account's open sessions back by an hour. */
  ageSessions(username: string): Promise<void>
  /** Moves the next mail of every saved view to now. */
  makeViewsDue(): Promise<void>
  /** Switches pay on, and owes an office an amount. */
  owe(username: string, centavos: number): Promise<void>
  /** Adds an admin who may pay, with the demo's password. */
  addPayer(username: string): Promise<void>
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
    async ageSessions(username) {
      await database.db
        .updateTable('sessions')
        .set({ started_at: sql`started_at - interval '1 hour'` })
        .from('accounts')
        .whereRef('accounts.id', '=', 'sessions.account_id')
        .where('accounts.username', '=', username)
        .executeTakeFirstOrThrow()
    },
    async makeViewsDue() {
      await database.db
        .updateTable('saved_views')
        .set({ mail_due_at: new Date(now().getTime() - 60_000) })
        .where('mail', 'is not', null)
        .execute()
    },
    async owe(username, centavos) {
      const { db } = database
      const made = { made_at: now(), made_by: 1 }
      const started = await db
        .insertInto('pay_state')
        .values({ started_at: now(), first_day: '2026-01-01' })
        .onConflict((conflict) => conflict.doNothing())
        .returning('epoch')
        .executeTakeFirst()
      if (started) {
        await db
          .insertInto('pay_settings')
          .values({
            from_day: '2026-01-01',
            payees: 'offices',
            period_length: 'beWeek',
            avp: 'instead',
            minimum_centavos: 0,
            minimum_cents: 0,
            set_at: now(),
            set_by: 1,
          })
          .execute()
      }
      await db
        .insertInto('balance_entries')
        .columns([
          'payee_kind',
          'payee_id',
          'currency',
          'amount',
          'kind',
          'statement_id',
          'made_at',
          'made_by',
        ])
        .expression((eb) =>
          eb
            .selectFrom('accounts')
            .select([
              eb.val('office').as('payee_kind'),
              sql<number>`office_id`.as('payee_id'),
              eb.val('PHP').as('currency'),
              sql<number>`${centavos}::bigint`.as('amount'),
              eb.val('statement').as('kind'),
              sql<number>`${Math.floor(Math.random() * 2 ** 40)}::bigint`.as('statement_id'),
              sql<Date>`${made.made_at}::timestamptz`.as('made_at'),
              sql<number>`${made.made_by}::bigint`.as('made_by'),
            ])
            .where('username', '=', username),
        )
        .execute()
    },
    async addPayer(username) {
      await sql`
        insert into accounts (role, username, username_look, password_hash, created_at, pay)
        select role, ${username}, ${username}, password_hash, created_at, true
        from accounts where username = 'admin'
      `.execute(database.db)
    },
    async close() {
      await database.close()
      await engine.stop()
    },
  }
}
