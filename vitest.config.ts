import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than all others, the longest first. Begun last, one of them would run on alone. */
const slowest = [
  'test/bad-input.test.ts',
  'test/faults/citus.test.ts',
  'test/faults/citus-moves.test.ts',
  'test/access-matrix.test.ts',
  'test/faults/citus-walk.test.ts',
  'test/faults/citus-clicks.test.ts',
  'test/faults/hostile-input.test.ts',
  'test/faults/release.test.ts',
  'operate/backup/backup.test.ts',
  'pay/paying/runs.property.test.ts',
  'test/one-human.property.test.ts',
  'seeds/demo/seed-demo.test.ts',
  'pay/runs/approvers.test.ts',
  'test/faults/server.test.ts',
  'test/faults/told.test.ts',
  'postbacks/exactly-once.property.test.ts',
  'test/faults/embedded.test.ts',
  'pay/verify/every-column.test.ts',
  'tracking/archive/click-archive.test.ts',
  'db/engine/start-engine.test.ts',
  'test/faults/spool.test.ts',
]

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

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const position = slowest.findIndex((file) => moduleId.endsWith(`/${file}`))
      return position === -1 ? slowest.length : position
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
          exclude: [...faults, ...alone, ...releases],
          // Loading the app for each file would take more than half of the processor time. What a test starts it ends, and
          // modules keep no state that another file could see.
          isolate: false,
          ...ofServer,
        },
      },
      { resolve, test: { name: 'alone', root: 'apps/api', include: alone, ...ofServer } },
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
