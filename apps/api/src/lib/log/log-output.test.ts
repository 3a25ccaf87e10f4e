import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { logOutput } from './log-output.ts'

const folder = mkdtempSync(join(tmpdir(), 'tallyroom-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('lines arrive whole and in order', () => {
  const path = join(folder, 'log')
  const file = openSync(path, 'a')
  const output = logOutput(file)
  for (const line of ['one\n', 'zwei ü\n', `${'x'.repeat(200_000)}\n`]) output.write(line)
  closeSync(file)
  expect(readFileSync(path, 'utf8')).toBe(`one\nzwei ü\n${'x'.repeat(200_000)}\n`)
})

test.runIf(process.platform === 'linux')('a full disk ends nothing', () => {
  const file = openSync('/dev/full', 'a')
  const output = logOutput(file)
  expect(() => output.write('a line\n')).not.toThrow()
  closeSync(file)
  expect(() => output.write('another\n')).not.toThrow()
})
