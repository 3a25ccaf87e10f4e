import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppServices } from '../src/app.ts'
import { parseConfig } from '../src/config.ts'
import type { GivesBack } from '../src/people/agents/gives-back.ts'
import type { FindsEarnings } from '../src/people/sellers/sellers.ts'
import { findEarnings } from '../src/figures/sellers/earnings.ts'
import { giveBack } from '../src/pay/acts/give-back.ts'
import type { Layout } from '../src/db/citus/layout.ts'
import type { SettableClock } from '../src/lib/clock.ts'
import { silentLog } from '../src/lib/log/log.ts'
import type { TestDatabase } from './database.ts'

export type TestServices = AppServices & {
  /** Of the test's database. */
  layout: Layout
  clock: SettableClock
  giveBack: GivesBack['giveBack']
  findEarnings: FindsEarnings['findEarnings']
}

/** The folder for mails that no test reads. */
const dataDir = join(tmpdir(), `tallyroom-tests-${process.getuid?.() ?? 0}`)

/** What features are built from, with a test's database and its clock; the configuration is read from `environment`. */
export const testServices = (
  { db, clock, connection, layout, clickStore, ledger, erasing }: TestDatabase,
  { environment = {}, ...given }: Partial<AppServices> & { environment?: NodeJS.ProcessEnv } = {},
): TestServices => {
  return {
    giveBack,
    findEarnings,
    // Generous, because a machine that runs more than tests is slow, and should still pass.
    config: parseConfig({ BUSY_AFTER_MS: '0', DATA_DIR: dataDir, ...environment }),
    db,
    pulse: { feel: async () => 'beats', unlessSilent: (work) => work },
    connection,
    layout,
    clickStore,
    ledger,
    erasing,
    reportDb: db,
    log: silentLog,
    secret: Buffer.alloc(32, 'tests'),
    formerSecrets: [],
    ...given,
    clock,
  }
}
