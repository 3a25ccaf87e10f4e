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
    async close() {
      await database.close()
      await engine.stop()
    },
  }
}
