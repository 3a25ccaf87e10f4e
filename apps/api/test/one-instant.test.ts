import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'tallyroom-lint-'))
afterAll(() => rm(folder, { recursive: true }))

/** What the linter says of a source text, a line each. */
async function said(source: string): Promise<string[]> {
  const config = join(folder, 'config.json')
  const file = join(folder, 'act.ts')
  await writeFile(file, source)
  await writeFile(
    config,
    JSON.stringify({
      jsPlugins: [join(root, 'scripts/one-instant.mjs')],
      categories: { correctness: 'off' },
      rules: { 'tallyroom/one-instant': 'error' },
    }),
  )
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
  const args = [oxlint, '-c', config, '--format=unix', file]
  const { stdout } = await promisify(execFile)(process.execPath, args).catch(
    (error: unknown) => error as { stdout: string }, // it found something
  )
  return stdout.split('\n').flatMap((line) => /\d: (.*) \[Error/.exec(line)?.[1] ?? [])
}

const NO_CLOCK = 'A transaction is in scope, so there is no clock: take tx.now.'
const BEFORE = 'It was read from the clock before the transaction: take tx.now.'

test.each([
  ['reads it', 'inTransaction(db, (tx) => save(tx, clock.now()))', NO_CLOCK],
  [
    'reads that of the services',
    'inTransaction(db, async (tx) => { const at = services.clock.now(); return save(tx, at) })',
    NO_CLOCK,
  ],
  ['hands it on', 'inTransaction(db, (tx) => save(tx, { clock }))', NO_CLOCK],
  [
    'uses what was read before',
    'async () => { const now = clock.now(); await inTransaction(db, (tx) => save(tx, now)) }',
    BEFORE,
  ],
  [
    'uses what was reckoned from it before',
    'async () => { const end = new Date(clock.now().getTime() + 1); await inTransaction(db, (tx) => save(tx, end)) }',
    BEFORE,
  ],
  [
    'is handed to a function that reads it',
    'async (db: DbOrTx) => save(db, clock.now())',
    NO_CLOCK.replace('tx.now', 'nowOf(db)'),
  ],
])('the linter refuses an act whose transaction %s', async (_, act, expected) => {
  expect(await said(`export const act = ${act}`)).toEqual([expected])
})

test.each([
  ['its instant', 'inTransaction(db, (tx) => save(tx, tx.now))'],
  [
    'a clock before it',
    'async () => { const now = clock.now(); if (now > end) return; await inTransaction(db, (tx) => save(tx, tx.now)) }',
  ],
  ['a field of that name', 'inTransaction(db, (tx) => save(tx, { clock: 7 }))'],
])('it has nothing against %s', async (_, act) => {
  expect(await said(`export const act = ${act}`)).toEqual([])
})
