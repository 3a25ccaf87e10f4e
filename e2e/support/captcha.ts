import { join } from 'node:path'
import { openDatabase, type Database } from '../../apps/api/src/db/database.ts'
import { startEngine } from '../../apps/api/src/db/engine/start-engine.ts'
import { hashAnswer } from '../../apps/api/src/features/auth/captchas.ts'
import { silentLog } from '../../apps/api/src/lib/log.ts'
import { provideSecrets } from '../../apps/api/src/lib/secrets.ts'

/** Makes a picture's answer known. Nobody can read it from the database: only a keyed hash is kept. */
export type Captchas = {
  /** From now on `answer` is what the picture of this check shows. */
  decide(check: string, answer: string): Promise<void>
  close(): Promise<void>
}

/** Joins the database of the running server. The only thing that is faked in these tests. */
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
    async close() {
      await database.close()
      await engine.stop()
    },
  }
}
