import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { testDatabase } from './database.ts'
import { makeApp } from './faults/app-process.ts'
import { until } from './until.ts'

/**
 * `npm start` supervises its server. In all tests but one, the server is a fake that follows
 * instructions at each start.
 */

const home = await mkdtemp(join(tmpdir(), 'tallyroom-run-server-'))
afterAll(() => rm(home, { recursive: true, force: true }))
const program = join(home, 'server.mjs')
const starts = join(home, 'starts')
const { connection } = await testDatabase()
const script = new URL('../../../scripts/run-server.mjs', import.meta.url).href

let runner: ChildProcess | undefined
let said = ''
afterEach(() => runner?.kill('SIGKILL'))

test('a server that dies is started again: at once, then after pauses that grow, and never in silence', async () => {
  void run(['serve, die', 'serve, die', 'serve, stay'])
  await until(async () => (await startsSoFar()) === 3, 20_000)
  expect(said.match(/The server ended \(SIGKILL\)\. Restarting it at once\./g)).toHaveLength(1)
  expect(said).toContain('Restarting it in 1 s (failure 2 in a row).')
})

test('a restarted server that fails before it is ready is retried', async () => {
  void run(['serve, die', 'exit 1', 'serve, stay'])
  await until(async () => (await startsSoFar()) === 3, 20_000)
  expect(said).toContain('The server ended (exit code 1). Restarting it in 1 s')
})

test.each([
  ['whose configuration is refused', ['exit 78'], 78],
  ['whose new configuration is refused', ['serve, die', 'exit 78'], 78],
  ['that could not start at all', ['exit 1'], 1],
  ['that ended as it was meant to', ['exit 0'], 0],
])('a server %s is left alone, and its exit code is ours', async (_, life, code) => {
  const ended = run(life)
  expect(await ended).toEqual({ code })
  expect(await startsSoFar()).toBe(life.length)
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops it for good', async (signal) => {
  const ended = run(['serve, stay'])
  await until(async () => (await startsSoFar()) === 1, 20_000)
  await until(async () => said.includes('staying'), 20_000)
  runner?.kill(signal)
  expect(await ended).toEqual({ code: 0 })
  expect(await startsSoFar()).toBe(1)
})

test('it can be stopped during the pause before a restart', async () => {
  const ended = run(['serve, die', 'serve, die', 'serve, die', 'serve, stay'])
  await until(async () => said.includes('in 2 s'), 20_000)
  runner?.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0 })
  expect(await startsSoFar()).toBe(3)
})

test('a server keeps its compiled code before it is killed, so that the next one starts faster', async () => {
  const compiled = join(home, 'compiled')
  const app = await makeApp({
    dataDir: join(home, 'data'),
    databaseUrl: connection.url,
    environment: { NODE_COMPILE_CACHE: compiled },
  })
  await app.start()
  await app.kill()

  expect((await readdir(compiled, { recursive: true })).length).toBeGreaterThan(1_000)
})

/** Runs it to completion. */
async function run(life: readonly string[]): Promise<{ code: number }> {
  said = ''
  const [code] = (await once(start(life), 'exit')) as [number] // no signal ends it
  return { code }
}

/** Starts at once, so that the test sees only its own starts. */
function start(life: readonly string[]): ChildProcess {
  writeFileSync(starts, '')
  writeFileSync(program, standIn(life))
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { runServer } from ${JSON.stringify(script)}
      runServer(process.execPath, ${JSON.stringify(program)})`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  runner = child
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => (said += text))
  }
  return child
}

const startsSoFar = async () => (await readFile(starts, 'utf8')).length

const standIn = (life: readonly string[]) => `
  import { appendFileSync, readFileSync } from 'node:fs'
  appendFileSync(${JSON.stringify(starts)}, 'x')
  const act = ${JSON.stringify(life)}[readFileSync(${JSON.stringify(starts)}, 'utf8').length - 1]
  const [first, then] = act.split(', ')
  if (first.startsWith('exit')) process.exit(Number(first.slice(5)))
  process.on('SIGTERM', () => process.exit(0)).on('SIGINT', () => process.exit(0))
  process.on('disconnect', () => process.exit(0)) // killed with its supervisor, after the test
  process.send('serving', () => {
    if (then === 'die') process.kill(process.pid, 'SIGKILL')
    console.log('staying')
    setInterval(() => undefined, 1_000)
  })
`
