import { parseConfig } from '../src/config.ts'
import type { Db } from '../src/db/database.ts'
import type { Services } from '../src/http/services.ts'
import { fixedClock, type FixedClock } from '../src/lib/clock.ts'
import { silentLog } from '../src/lib/log.ts'

export type TestServices = Services & { clock: FixedClock }

/** What features are built from, on a test's database. The clock stands on a Sunday morning in New York. */
export const testServices = (
  db: Db,
  { environment = {}, ...given }: Partial<Services> & { environment?: NodeJS.ProcessEnv } = {},
): TestServices => ({
  config: parseConfig(environment),
  db,
  reportDb: db,
  connection: { kind: 'server', url: 'postgres://not.given.invalid' },
  log: silentLog,
  secret: Buffer.alloc(32, 'tests'),
  ...given,
  clock: fixedClock('2026-03-01T15:00:00Z'),
})
