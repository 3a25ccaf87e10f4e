// `npm run test:faults`: the faults that `.ci/run` tests briefly, at length, with a table of what
// was sent, answered and stored. Takes half an hour. Arguments are passed to vitest: `npm run
// test:faults -- embedded`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../../..')
const folder = mkdtempSync(join(tmpdir(), 'tallyroom-faults-report-'))
const report = join(folder, 'report.jsonl')

const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project=api',
    '--project=faults',
    '--project=alone',
    // One after the other, because each needs the machine for itself.
    '--no-file-parallelism',
    ...(process.argv.length > 2
      ? process.argv.slice(2).map((name) => `test/faults/${name}`)
      : ['test/faults/', 'statistics/explain.test']),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TESTS: 'long', FAULTS_REPORT: report },
  },
)
if (existsSync(report)) printTable(readFileSync(report, 'utf8').trim().split('\n'))
rmSync(folder, { recursive: true })
process.exitCode = status ?? 1

function printTable(lines: readonly string[]): void {
  const rows: { what: string }[] = lines.map((line) => JSON.parse(line))
  // oxlint-disable-next-line no-console -- this table is the purpose of the program
  console.table(Object.fromEntries(rows.map(({ what, ...figures }) => [what, figures])))
}
