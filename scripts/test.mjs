// `npm test`: installs what is missing, then runs every check and test there is.
// `npm test -- --only=api` runs the server's tests alone, on TEST_DATABASE_URL when that is set.
// `npm test -- --only=day` runs the main pages alone on another day: that of TEST_NOW, or one that is drawn.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { buildWebIfStale } from './build-web.mjs'
import { findRuntime } from './check-runtime.mjs'
import { provideChromium } from './chromium.mjs'
import { drawDay } from './draw-day.mjs'
import { installIfStale } from './install.mjs'
import { path, root, say } from './project.mjs'

const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length)
const reports = path('.cache/test-reports')
/** Playwright's names of these tests: file and title. */
const pagesOfDays =
  /\b(boards|exports|payroll|statistics|tracking|visibility)\.spec|accessibility\.spec.*\/(home|stats|logs|avp-schedule)\b/
const total = { passed: 0, failed: 0 }

try {
  if (only !== undefined && only !== 'api' && only !== 'day')
    throw new Error(`--only=${only}: there are "api" and "day".`)
  installIfStale()
  const node = findRuntime()
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  if (only === 'api') vitest(node, ['--project', 'api'])
  else if (only === 'day') anotherDay(node)
  else everything(node)
} catch (error) {
  console.error(error.message)
  total.failed++
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

function everything(node) {
  const chromium = provideChromium()
  buildWebIfStale(node)
  check(node, 'format', 'oxfmt/bin/oxfmt', ['--check'])
  check(node, 'lint', 'oxlint/bin/oxlint', ['--type-aware'])
  check(node, 'types', 'typescript/bin/tsc', ['-b'])
  check(node, 'unused code', 'knip/bin/knip.js', [])
  vitest(node, [], { CHROMIUM_PATH: chromium })
  playwright(node, { CHROMIUM_PATH: chromium })
}

/** What shows days and their figures, at another time than all other tests. */
function anotherDay(node) {
  const chromium = provideChromium()
  buildWebIfStale(node)
  const { kind, now } = process.env.TEST_NOW ? { now: process.env.TEST_NOW } : drawDay()
  say(`The main pages at ${now}${kind ? ` (${kind})` : ''}`)
  const env = { CHROMIUM_PATH: chromium, TEST_NOW: now }
  playwright(node, env, ['--grep', pagesOfDays.source])
  if (total.failed > 0) say(`Again on that day: TEST_NOW=${now} npm test -- --only=day`)
}

/** One tool, which counts as one test. */
function check(node, name, program, args) {
  const { status, stdout, stderr } = run(node, program, args, { stdio: 'pipe' })
  if (status !== 0) console.log(`${stdout}${stderr}`)
  console.log(`${status === 0 ? '✓' : '✗'} ${name}`)
  total[status === 0 ? 'passed' : 'failed']++
}

function vitest(node, args, env = {}) {
  const report = path('.cache/test-reports/vitest.json')
  const { status } = run(
    node,
    'vitest/vitest.mjs',
    ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { env },
  )
  const { numPassedTests = 0, numFailedTests = 0 } = readReport(report)
  count(status, numPassedTests, numFailedTests)
}

function playwright(node, env, args = []) {
  const report = path('.cache/test-reports/playwright.json')
  const { status } = run(
    node,
    '@playwright/test/cli.js',
    ['test', '--config=e2e/playwright.config.ts', '--reporter=list,json', ...args],
    { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
  )
  const { expected = 0, unexpected = 0 } = readReport(report).stats ?? {}
  count(status, expected, unexpected)
}

/** A runner that fails without a failed test has failed too: a file that does not load, an unhandled error. */
function count(status, passed, failed) {
  total.passed += passed
  total.failed += failed === 0 && status !== 0 ? 1 : failed
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function run(node, program, args, { stdio = 'inherit', env = {} } = {}) {
  return spawnSync(node, [path('node_modules', program), ...args], {
    cwd: root,
    stdio,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
}
