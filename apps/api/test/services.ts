import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppServices } from '../src/app.ts'
import { parseConfig } from '../src/config.ts'
import type { GivesBack } from '../src/people/agents/gives-back.ts'
import { giveBackBy } from '../src/pay/periods/give-back.ts'
import type { Layout } from '../src/db/citus/layout.ts'
import { fixedClock, type FixedClock } from '../src/lib/clock.ts'
import { silentLog } from '../src/lib/log.ts'
import type { TestDatabase } from './database.ts'

export type TestServices = AppServices & {
  /** Of the test's database. */
  layout: Layout
  clock: FixedClock
  /** As `app.ts` makes it, by the clock of these services. */
  giveBack: GivesBack['giveBack']
}

/** The folder for mails that no test reads. */
const dataDir = join(tmpdir(), `tallyroom-tests-${process.getuid?.() ?? 0}`)

/**
 * What features are built from, with a test's database. The clock stands still on Sunday,
 * 2026-03-01, ten in the morning in New York; the configuration is read from `environment`.
 */
export const testServices = (
  { db, connection, layout, clickStore, ledger, erasing }: TestDatabase,
  { environment = {}, ...given }: Partial<AppServices> & { environment?: NodeJS.ProcessEnv } = {},
): TestServices => {
  const clock = fixedClock('2026-03-01T15:00:00Z')
  return {
    giveBack: giveBackBy({ clock }),
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
