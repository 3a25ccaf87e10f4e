import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { durationText, reachText, readableOutput, terminalProgress } from './terminal.ts'

const said: string[] = []
const to = Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.WriteStream
to.on('data', (chunk: Buffer) => said.push(chunk.toString()))

test('a step says what is done of how much, how fast, and how long the rest takes', () => {
  const reached = { done: 1_200, all: 4_800, unit: 'rows', ms: 4_000 }
  expect(reachText(reached)).toBe(
    `${'█'.repeat(6)}${'░'.repeat(18)} 25 %  1,200 of 4,800 rows · 300/s · 12 s left`,
  )
  expect(reachText({ ...reached, all: undefined })).toBe('1,200 rows · 300/s')
  expect(reachText({ ...reached, all: 0 })).toBe('1,200 rows · 300/s')
  expect(reachText({ done: 50, all: 100, unit: undefined, ms: 500 })).toBe(
    `${'█'.repeat(12)}${'░'.repeat(12)} 50 %`,
  )
  // More than was estimated.
  expect(reachText({ ...reached, done: 5_000 })).toContain('100 %  5,000 of 4,800 rows')
})

test.each([
  [0, '0.0 s'],
  [9_949, '9.9 s'],
  [10_000, '10 s'],
  [59_499, '59 s'],
  [59_999, '1 min 00 s'],
  [185_000, '3 min 05 s'],
])('%i ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test('elsewhere than on a terminal, a finished step is a line, and a failed one is told by who catches it', async () => {
  said.length = 0
  const progress = terminalProgress(to)
  expect(await progress.step('Schema', async (reach) => (reach(1, 2, 'migrations'), 7))).toBe(7)
  await expect(progress.step('Seed', () => Promise.reject(new Error('no room')))).rejects.toThrow(
    'no room',
  )
  expect(said.join('')).toMatch(/^✔ Schema {26}\d\.\d s\n$/)
})

test('people see warnings in a sentence, failures with their stack, and no details of a running step', async () => {
  const lines: string[] = []
  const log = readableOutput({ write: (line) => lines.push(line) }, false)
  const entry = (level: number, msg: string, err?: object) =>
    log.write(JSON.stringify({ level, time: 0, pid: 1, msg, err }))
  entry(30, 'started')
  entry(40, 'waiting for the database', { message: 'refused', stack: 'Error: refused\n at x' })
  await terminalProgress(to).step('Schema', async () => {
    entry(30, 'migrated the database')
    entry(50, 'it broke', { type: 'Error', message: 'gone', stack: 'Error: gone\n at x' })
  })
  expect(lines.map((line) => line.replace(/^\[[\d:]+\] /, '').trimEnd())).toEqual([
    'INFO: started',
    'WARN: waiting for the database: refused',
    expect.stringMatching(/^ERROR: it broke\n[^]*Error: gone/),
  ])
})
