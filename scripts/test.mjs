// `npm test`: installs what is needed, then runs all checks and the tests but the slowest; all with TESTS=thorough.
// `npm test -- --only=api` runs only the server's tests, on TEST_DATABASE_URL if set, which may be a Citus.
// `npm test -- --only=engine` runs those that show what differs between databases, and a fifth of the others, drawn anew; with
// TEST_DRAW=none only the former.
// `npm test -- --only=cluster` runs the server's tests on the Citus at TEST_DATABASE_URL: first those that ask a distributed table;
// of those that are left at CLUSTER_UNTIL, in milliseconds since 1970, a fifth, and ten minutes later a tenth.
// `npm test -- --only=faults` kills, stops and freezes the app and its database, which `npm test` does not.
// `npm test -- --only=release` builds a release twice, compares the two, and runs it as a container, which `npm test` does not.
// `npm test -- --only=day` runs only the main pages on another date: TEST_NOW, or a random one.

import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { buildWebIfStale } from './build-web.mjs'
import { findRuntime } from './check-runtime.mjs'
import { provideChromium } from './chromium.mjs'
import { drawDay } from './draw-day.mjs'
import { installIfStale } from './install.mjs'
import { path, root, say } from './project.mjs'

const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length)
const reports = path('.cache/test-reports')
/** Where each test file that asks a distributed table writes its name. Kept for the next run, which begins with these on a cluster. */
const metByFile = path('.cache/meets-cluster.txt')
const total = { passed: 0, failed: 0 }
const isThorough = process.env.TESTS === 'thorough'

/** Selects what is drawn: browser tests, and files on a cluster. */
const draw = process.env.E2E_DRAW ?? randomBytes(3).toString('hex')

/** Failed tests, each with how its error begins. Repeated at the end, where they are not lost among the others. */
const failures = []

/** Test files between two looks at the clock: some minutes on a cluster. */
const LOT = 60

/** Playwright's names of these tests: file and title. */
const pagesOfDays =
  /\b(boards|exports|payroll|statistics|tracking|visibility)\.spec|accessibility\.spec.*\/(home|stats|logs|avp-schedule)\b/

/** Parts of the paths of tests that depend on the database. */
const differing = [
  'src/db/',
  'src/totals/',
  'src/pay/evidence/',
  'src/pay/verify/',
  'property.test',
  'test/on-citus',
  'test/older-world',
  'test/access-matrix.test',
  'test/connections',
  'test/archive-under-load',
]

const parts = {
  api: (node) => vitest(node, ['--project', 'api', '--project', 'alone']),
  engine: otherEngine,
  cluster: onCluster,
  faults: (node) => vitest(node, ['--project', 'faults']),
  release: (node) => vitest(node, ['--project', 'release']),
  day: anotherDay,
}

try {
  const part = only === undefined ? everything : parts[only]
  if (!part) throw new Error(`--only=${only}: there are ${Object.keys(parts).join(', ')}.`)
  installIfStale()
  const node = findRuntime()
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  await part(node)
} catch (error) {
  console.error(error.message)
  total.failed++
}
for (const name of failures) console.log(`✗ ${name}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

async function everything(node) {
  sayWhatRuns()
  const env = { CHROMIUM_PATH: provideChromium() }
  buildWebIfStale(node)
  // Tests mostly wait for the database, so the checks run one by one in the remaining CPU time.
  const checks = checkAll(node)
  // A part of the files does not say for the others that they ask none.
  if (isThorough) rmSync(metByFile, { force: true })
  await vitest(node, ['--project', '!faults', '--project', '!release'], {
    ...env,
    TEST_MEETS_CLUSTER: metByFile,
    TESTS: process.env.TESTS ?? 'quick',
  })
  const said = await checks
  if (isThorough) await playwright(node, { ...env, ...drawTests() })
  else await playwright(node, env, ['--grep', '@core'])
  // Printed here, so that it is not lost among the tests.
  console.log(said.join('\n'))
}

/** One browser test in five, drawn anew each time. `TESTS=thorough` runs them all for two minutes before. */
function drawTests() {
  return { E2E_DRAW: draw, ...(isThorough && { E2E_ALL_UNTIL: String(Date.now() + 2 * 60_000) }) }
}

/** What runs, and what does not, in the first lines. */
function sayWhatRuns() {
  if (isThorough) {
    say(
      `All tests but --only=…; of the browser’s all for two minutes, then one in five: E2E_DRAW=${draw} draws the same ones again.`,
    )
    return
  }
  say('Types, lint, unit tests, most of the server’s, and a journey of each role in the browser.')
  say(
    'npm run test:all runs the rest: slow tests, all browser tests, faults, another day, other databases.',
  )
}

/**
 * The server's tests that show what differs between databases: schema, locks, plans, counting under load. Of the others a fifth,
 * drawn anew, because they ran on the embedded engine.
 */
async function otherEngine(node) {
  const lot = process.env.TEST_DRAW ?? randomBytes(3).toString('hex')
  if (lot !== 'none')
    say(`One of the server's test files in five: TEST_DRAW=${lot} draws the same ones again`)
  const files = testsOfServer().filter(
    (file) => isDiffering(file) || (lot !== 'none' && isDrawn(file, lot)),
  )
  await vitest(node, ['--project', 'api', ...files])
}

function isDiffering(file) {
  return differing.some((part) => file.includes(part))
}

/** Whether a file is in a fifth of all, or another share. */
function isDrawn(file, lot, share = 5) {
  return createHash('sha256').update(lot).update(file).digest()[0] % share === 0
}

/**
 * The server's tests: first those that show what differs, and those that have asked a distributed table, as `npm test` has found.
 * Once the time is over, one in five of what is left; on a slow machine, which is late already, one in ten.
 */
async function onCluster(node) {
  const until = Number(process.env.CLUSTER_UNTIL ?? Infinity)
  const met = existsSync(metByFile)
    ? new Set(readFileSync(metByFile, 'utf8').split('\n'))
    : new Set()
  const isFirst = (file) => isDiffering(file) || met.has(file)
  const files = testsOfServer()
  let left = [...files.filter(isFirst), ...files.filter((file) => !isFirst(file))]
  say(
    `${left.length} test files on the cluster; ${files.filter(isFirst).length} ask a distributed table.`,
  )
  while (left.length > 0 && Date.now() < until) {
    await vitest(node, ['--project', 'api', ...left.slice(0, LOT)])
    left = left.slice(LOT)
  }
  if (left.length === 0) return
  const isLate = Date.now() > until + 10 * 60_000
  const drawn = left.filter((file) => isDrawn(file, draw, isLate ? 10 : 5))
  say(`The time is over. Of ${left.length} test files ${drawn.length} are drawn: E2E_DRAW=${draw}`)
  if (drawn.length > 0) await vitest(node, ['--project', 'api', ...drawn])
}

/** Paths in the project, without those of the embedded engine and of faults. */
function testsOfServer() {
  return ['src', 'test', 'seeds'].flatMap((folder) =>
    readdirSync(path(`apps/api/${folder}`), { recursive: true, encoding: 'utf8' })
      .map((file) => `apps/api/${folder}/${file}`)
      .filter((file) => file.endsWith('.test.ts') && !/db\/engine\/|test\/faults\//.test(file)),
  )
}

/** Runs the pages that show days and figures, on another date. */
async function anotherDay(node) {
  const env = { CHROMIUM_PATH: provideChromium() }
  buildWebIfStale(node)
  const { kind, now } = process.env.TEST_NOW ? { now: process.env.TEST_NOW } : drawDay()
  say(`The main pages at ${now}${kind ? ` (${kind})` : ''}, one in five: E2E_DRAW=${draw}`)
  await playwright(node, { ...env, ...drawTests(), TEST_NOW: now }, ['--grep', pagesOfDays.source])
  if (total.failed > 0) say(`To repeat: TEST_NOW=${now} npm test -- --only=day`)
}

/** Each check counts as one test. Returns its output. */
async function checkAll(node) {
  const said = []
  for (const [name, program, ...args] of [
    ['format', 'node_modules/oxfmt/bin/oxfmt', '--check'],
    // One checker a project: on two cores several ask the same questions of the database's types, a third more CPU time and twice the
    // memory.
    ['types', 'node_modules/typescript/bin/tsc', '-b', '--checkers', '1'],
    ['lint', 'node_modules/oxlint/bin/oxlint', '--type-aware'],
    ['unused code', 'node_modules/knip/bin/knip.js'],
    ['shape', 'scripts/house.mjs'],
  ]) {
    const { status, output } = await run(node, program, args, { stdio: 'pipe' })
    said.push(status === 0 ? `✓ ${name}` : output)
    if (status !== 0) addFailure(name, output)
    total[status === 0 ? 'passed' : 'failed']++
  }
  return said
}

async function vitest(node, args, env = {}) {
  const report = path('.cache/test-reports/vitest.json')
  const { status } = await run(
    node,
    'node_modules/vitest/vitest.mjs',
    ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { env },
  )
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readReport(report)
  for (const { name, status: ofFile, message, assertionResults } of testResults) {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    for (const { fullName, failureMessages } of failed)
      addFailure(`${file}: ${fullName}`, failureMessages.join(' '))
    if (ofFile === 'failed' && failed.length === 0) addFailure(file, message)
  }
  count(status, numPassedTests, numFailedTests)
}

async function playwright(node, env, args = []) {
  const report = path('.cache/test-reports/playwright.json')
  const { status } = await run(
    node,
    'node_modules/@playwright/test/cli.js',
    ['test', '--config=e2e/playwright.config.ts', '--reporter=list,json', ...args],
    { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
  )
  const { stats: { expected = 0, unexpected = 0 } = {}, suites = [] } = readReport(report)
  collectFailed(suites)
  count(status, expected, unexpected)
}

/** Playwright nests its suites: files, then groups within them. */
function collectFailed(suites) {
  for (const { file, specs = [], suites: inner = [] } of suites) {
    for (const { ok, title, tests } of specs)
      if (!ok) addFailure(`e2e/${file}: ${title}`, tests[0]?.results[0]?.error?.message)
    collectFailed(inner)
  }
}

/** In one line, without the stack. */
function addFailure(name, error = '') {
  const [message = ''] = stripVTControlCharacters(error).split(/\n\s+at /)
  const said = message.replaceAll(/\s+/g, ' ').trim()
  failures.push(said ? `${name} · ${said.slice(0, 1_200)}` : name)
}

/**
 * A runner that fails without a failed test counts as a failure: a file that does not load, or an unhandled
 * error.
 */
function count(status, passed, failed) {
  total.passed += passed
  total.failed += failed === 0 && status !== 0 ? 1 : failed
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** `status` is null if the program was ended by a signal. */
function run(node, program, args, { stdio = 'inherit', env = {} } = {}) {
  const child = spawn(node, [path(program), ...args], {
    cwd: root,
    stdio,
    env: { ...process.env, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, output }))
  })
}
