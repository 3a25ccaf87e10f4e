import {
  createFirstSuperadmin,
  fillUsernameLooks,
  passwordColumn,
  resealAuthenticators,
  resealPasswords,
} from '../people/index.ts'
import { ensurePartitions, makeSiteKeys } from '../tracking/index.ts'
import { fillSettlements, resealPayeeAccounts, resealPaymentFiles } from '../pay/index.ts'
import { resealWebhooks } from '../desk/index.ts'
import { beginSeals } from '../seals/index.ts'
import type { Config } from '../config.ts'
import { provideAppLogin } from '../db/app-login.ts'
import type { Connection } from '../db/connection.ts'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { type EngineVersion, findEngineVersion } from '../db/newest-minors.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log/log.ts'
import type { Progress } from '../lib/log/progress.ts'
import type { Secrets } from '../lib/secrets.ts'
import { findDatabase, type FoundDatabase, storesOf } from './stores.ts'
import { FinalError } from '../lib/operator-error.ts'
import { hasPublicPassword, isDemoWorld, seed } from '../../seeds/index.ts'

export type Prepared = {
  /** The only superadmin after the first start, to be printed once. */
  firstSuperadmin: { username: string; password: string } | undefined
  /** Whether the database holds the demo world, whose sign-ins may be printed. */
  demo: boolean
  database: FoundDatabase
  engine: EngineVersion
}

/**
 * Prepares the database: schema, partitions, and accounts on the first start.
 *
 * @throws FinalError if an operator has to complete an upgrade first, or if anybody could sign in to a sample world.
 */
export async function prepareDatabase(
  config: Config,
  connection: Connection,
  secrets: Secrets,
  log: Log,
  progress: Progress,
): Promise<Prepared> {
  await progress.step('Schema', (reach) => migrate(connection, log, { reach }))
  const owner = openDatabase(connection, {
    max: 2,
    applicationName: 'tallyroom start',
    asOwner: true,
  })
  try {
    const found = await provideAppLogin(connection, owner.db, log)
    const database = await findDatabase(found, owner.db, log)
    await ensurePartitions(owner.db, systemClock)
    await seed(config.seed, {
      owner: owner.db,
      ...storesOf(database),
      clock: systemClock,
      secret: secrets.secret,
      passwords: passwordColumn({ config, ...secrets }),
      log,
      progress,
    })
    await progress.step('Accounts and keys', async () => {
      await fillSettlements({ db: owner.db })
      // What an upgrade found is sealed before anything changes it.
      await beginSeals({ db: owner.db })
      await resealPasswords({ config, db: owner.db, log, ...secrets })
      await resealAuthenticators({ db: owner.db, log, ...secrets })
      await resealPayeeAccounts({ db: owner.db, log, ...secrets })
      await resealPaymentFiles({ db: owner.db, log, ...secrets })
      await resealWebhooks({ db: owner.db, log, ...secrets })
      await fillUsernameLooks({ db: owner.db, log })
      await makeSiteKeys({ db: owner.db, ...secrets }).reseal()
    })
    if (!config.allowsInsecure && (await hasPublicPassword(owner.db))) throw new FinalError(PUBLIC)
    const firstSuperadmin = await createFirstSuperadmin({ db: owner.db })
    const demo = config.seed === 'demo' && (await isDemoWorld(owner.db))
    return {
      firstSuperadmin,
      demo,
      database,
      engine: await findEngineVersion(owner.db, connection),
    }
  } finally {
    await owner.close()
  }
}

const PUBLIC =
  'The database was filled with SEED=demo or SEED=big, and its accounts still have the password that everybody knows. Others can reach this server, so it does not start with it. Use an empty database. To allow it anyway, set ALLOW_INSECURE_HOST=yes'
