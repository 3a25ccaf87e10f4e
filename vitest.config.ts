import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longer than all others, the longest first. Begun last, one of them would run on alone. `npm test` leaves
 * them to `.ci/run`.
 */
const slowest = [
  'test/faults/hostile-input.test.ts',
  'test/secrets.test.ts',
  'test/bad-input.test.ts',
  'src/pay/books/books.property.test.ts',
  'src/operate/backup/backup.test.ts',
  'src/pay/evidence/verify-proposals.test.ts',
  'src/pay/paying/runs.property.test.ts',
  'test/access-matrix.test.ts',
  'src/pay/verify/every-column.test.ts',
  'src/pay/closing/earned.property.test.ts',
  'test/proof.test.ts',
  'src/pay/runs/approved-files.property.test.ts',
  'test/one-human.property.test.ts',
  'seeds/demo/seed-demo.test.ts',
  'src/pay/runs/approvers.test.ts',
  'src/pay/paying/returns.test.ts',
  'src/tracking/citus/clicks.test.ts',
  'src/people/tokens/client.test.ts',
  'src/pay/verify/verify-figures.test.ts',
  'src/pay/closing/pay.property.test.ts',
  'test/token-matrix.test.ts',
  'src/figures/statistics/explain.test.ts',
  'src/pay/paying/under-way.test.ts',
  'test/whole-system.property.test.ts',
  'src/pay/paying/bank-messages.test.ts',
  'src/pay/seconds/second-step.test.ts',
  'src/pay/acts/withholding.test.ts',
  'src/desk/common-logs/history-of-forms.test.ts',
  'src/pay/outside/received.test.ts',
  'src/pay/evidence/forged.test.ts',
  'src/db/engine/start-engine.test.ts',
  'src/pay/outside/give-up.test.ts',
  'src/pay/paying/refused-files.test.ts',
  'test/weak-sessions.test.ts',
  'src/tracking/clicks/partitions.test.ts',
  'src/pay/acts/acts-and-hands.test.ts',
  'test/factor-matrix.test.ts',
  'src/tracking/archive/click-archive.test.ts',
  'src/pay/books/withholding.test.ts',
  'src/pay/paying/payment-runs.test.ts',
  'src/pay/statement-files/statement-files.test.ts',
  'src/pay/acts/former-balance.test.ts',
  'src/start/first-stage.test.ts',
  'src/start/archive-in-child.test.ts',
  'src/pay/outside/outside.test.ts',
  'src/tracking/postbacks/new-words.test.ts',
  'test/effects.test.ts',
  'src/pay/ledger/advances.test.ts',
  'src/pay/books/journal-exports.test.ts',
  'src/figures/statistics/by-sub.test.ts',
  'test/older-world.test.ts',
  'src/pay/books/book-days.test.ts',
  'src/pay/acts/pay-proposals.test.ts',
]
/** The same among those of faults, which `npm test` leaves out in any case. */
const slowestFaults = [
  'test/faults/citus.test.ts',
  'test/faults/citus-moves.test.ts',
  'test/faults/citus-walk.test.ts',
  'test/faults/citus-clicks.test.ts',
  'test/faults/release.test.ts',
  'test/faults/server.test.ts',
  'test/faults/told.test.ts',
  'test/faults/embedded.test.ts',
  'test/faults/spool.test.ts',
]
/** What this run leaves out, as patterns. */
const leftOut = process.env.TESTS === 'quick' ? slowest : []

/** Milliseconds. What hangs ends; a busy machine is given its time. */
const testTimeout = 600_000
/** For what comes true by itself: patience, not a measure. */
const expected = { poll: { timeout: 60_000 } }

/** They wait by the clock while something is broken: `npm test -- --only=faults`. */
const faults = ['test/faults/!(hostile-input).test.ts']
/** Build releases and start them: `npm test -- --only=release`. */
const releases = ['test/release/*.test.ts']
/** Replaces a module and measures the memory of its process. */
const alone = ['test/faults/hostile-input.test.ts']

/** `password.ts` gets a cheaper cost. */
const resolve = {
  alias: [
    {
      find: /^\.\/hash-cost\.ts$/,
      replacement: join(import.meta.dirname, 'apps/api/test/cheap-hash-cost.ts'),
    },
  ],
}

const ofServer = {
  globalSetup: ['test/global-setup.ts'],
  expect: expected,
  // An error names what was found, instead of "[ Array(1) ]".
  chaiConfig: { truncateThreshold: 400 },
  testTimeout,
  hookTimeout: 300_000,
}

const begun = [...slowest, ...slowestFaults]
const moved = begun.filter((file) => !existsSync(join(import.meta.dirname, 'apps/api', file)))
if (moved.length > 0)
  throw new Error(`vitest.config.ts lists files that are no more: ${moved.join(', ')}`)

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const position = begun.findIndex((file) => moduleId.endsWith(`/${file}`))
      return position === -1 ? begun.length : position
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- of the sequencer, no array's
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    // One for each processor: a test that waits for the database leaves its own to PostgreSQL.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: 'domain',
          root: 'packages',
          include: ['*/src/**/*.test.ts'],
          isolate: false,
          testTimeout,
        },
      },
      {
        test: {
          name: 'web',
          root: 'apps/web',
          include: ['src/**/*.test.ts'],
          setupFiles: ['src/test-window.ts'],
          isolate: false,
          testTimeout,
        },
      },
      {
        resolve,
        test: {
          name: 'api',
          root: 'apps/api',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'seeds/**/*.test.ts'],
          exclude: [...faults, ...alone, ...releases, ...leftOut],
          // Loading the app for each file would take more than half of the processor time. What a test starts it ends, and
          // modules keep no state that another file could see.
          isolate: false,
          ...ofServer,
        },
      },
      {
        resolve,
        test: { name: 'alone', root: 'apps/api', include: alone, exclude: leftOut, ...ofServer },
      },
      {
        test: {
          name: 'release',
          root: 'apps/api',
          include: releases,
          // Each builds for minutes, with all processors.
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 3_000_000,
        },
      },
      {
        resolve,
        test: {
          name: 'faults',
          root: 'apps/api',
          include: faults,
          ...ofServer,
        },
      },
    ],
  },
})
