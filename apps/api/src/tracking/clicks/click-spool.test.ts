import { spawnSync } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { execute } from '../../../test/test-server.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { systemClock } from '../../lib/clock.ts'
import { visitorOf } from '../../lib/net/ip-address.ts'
import { silentLog } from '../../lib/log/log.ts'
import type { Click } from './click.ts'
import { openClickSession } from './click-lanes.ts'
import { openSpool } from './click-spool.ts'
import { startKnownTexts } from './clicks-to-store.ts'
import { loadSpool } from './load-spool.ts'
import { readSpoolLine, writeSpoolLine } from './spool-line.ts'

const { db, connection, clickStore } = await testDatabase()

let folder: string
beforeEach(async () => {
  await emptyTables(connection, ['clicks', 'seen_visitors'])
  folder = await mkdtemp(join(tmpdir(), 'tallyroom-spool-'))
})
afterEach(() => rm(folder, { recursive: true }))

const click = (number: number): Click => ({
  clickedAtMs: 1_780_000_000_000 + number,
  nonce: number,
  siteId: 1,
  typeId: 2,
  agentId: 3,
  officeId: 4,
  ip: '2001:db8::1',
  visitor: '2001:db8::/64',
  uncounted: 'too many',
  userAgent: 'Mozilla/5.0 "quoted\\"',
  referrer: 'https://пример.example/\n"\\',
  subs: { sub1: 'a', sub2: 'two\u2028lines\u2029', sub5: 'ü' },
  note: 'page elsewhere',
})

const load = (spool = openSpool(folder)) =>
  loadSpool({
    spool,
    openSession: () => openClickSession(connection, 5_000),
    store: { clickStore, known: startKnownTexts() },
    clock: systemClock,
    log: silentLog,
  })

const storedNonces = async () =>
  (await db.selectFrom('clicks').select('nonce').orderBy('nonce').execute()).map(
    ({ nonce }) => nonce,
  )

const files = async () => (await readdir(folder)).toSorted()

/** The id of a process that has just ended. */
const ended = `${spawnSync('true').pid}-1`

test('a line from before reasons and visitors were stored is read', () => {
  const { uncounted: _, visitor, ...older } = click(1)
  const counted = { ...older, visitor }
  const line = (values: object) => {
    const json = JSON.stringify({ ...older, ...values })
    return `${crc32(json).toString(16).padStart(8, '0')} ${json}`
  }
  expect(readSpoolLine(line({ counted: true }))).toEqual(counted)
  expect(readSpoolLine(line({ counted: false }))).toEqual({ ...counted, uncounted: 'blacklisted' })
})

test.each(['page elsewhere', 'instead of 12/34', undefined] as const)(
  'a line with the note %s is read as it was written',
  (note) => {
    const written = { ...click(1), note }
    const line = writeSpoolLine(written)
    expect(line.endsWith('\n')).toBe(true)
    expect(readSpoolLine(line.slice(0, -1))).toEqual(written)
  },
)

test('neither a part of a line nor an altered line is a click', () => {
  const line = writeSpoolLine(click(1)).slice(0, -1)
  for (let end = 0; end < line.length; end++) {
    expect(readSpoolLine(line.slice(0, end))).toBeUndefined()
    expect(readSpoolLine(`${line.slice(0, end)}~${line.slice(end + 1)}`)).toBeUndefined()
  }
})

test('after loading, spooled clicks are in the database and the files are gone', async () => {
  const spool = openSpool(folder)
  await Promise.all([1, 2, 3].map((number) => spool.append(click(number))))
  await spool.release()
  await spool.append(click(4))
  await spool.release()
  await load(spool)
  expect(await storedNonces()).toEqual([1, 2, 3, 4])
  expect(await files()).toEqual([])
})

test('a file that is being written is not loaded', async () => {
  const spool = openSpool(folder)
  await spool.append(click(1))
  await load(openSpool(folder))
  expect(await storedNonces()).toEqual([])
  expect(await files()).toHaveLength(1)
  await spool.append(click(2))
  await spool.release()
  await load(spool)
  expect(await storedNonces()).toEqual([1, 2])
})

describe('of a process that has ended', () => {
  test.each(['writing', 'loading'])('a file in the state %s is loaded', async (state) => {
    await writeFile(join(folder, `1-ab.${state}.${ended}`), writeSpoolLine(click(1)))
    await load()
    expect(await storedNonces()).toEqual([1])
    expect(await files()).toEqual([])
  })

  test('a file is loaded even if another process has the same process id', async () => {
    await writeFile(join(folder, `1-ab.writing.${process.ppid}-1`), writeSpoolLine(click(1)))
    await load()
    expect(await storedNonces()).toEqual([1])
  })
})

test('a partial last line and damaged lines are saved separately, and the rest is loaded', async () => {
  const file = join(folder, `1-ab.writing.${ended}`)
  await writeFile(file, writeSpoolLine(click(1)))
  await appendFile(file, writeSpoolLine(click(2)).replace('2001', '3001'))
  await appendFile(file, writeSpoolLine(click(3)))
  const torn = writeSpoolLine(click(4)).slice(0, 40)
  await appendFile(file, torn)
  await load()
  expect(await storedNonces()).toEqual([1, 3])
  expect(await files()).toEqual(['1-ab.damaged'])
  expect((await readFile(join(folder, '1-ab.damaged'), 'utf8')).split('\n').at(-2)).toBe(torn)
  await load()
  expect(await files()).toEqual(['1-ab.damaged'])
})

test.each([
  ['zero bytes', Buffer.alloc(100_000)],
  ['zero bytes after half a line', Buffer.concat([halfALine(), Buffer.alloc(4_096)])],
  ['what is no text', Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x0a, 0xe2, 0x80])],
  ['half a character', Buffer.from([0xe2])],
])('at its end, %s costs no complete click', async (_, end) => {
  const file = join(folder, `1-ab.writing.${ended}`)
  await writeFile(file, [1, 2].map((number) => writeSpoolLine(click(number))).join(''))
  await appendFile(file, end)
  await load()
  expect(await storedNonces()).toEqual([1, 2])
  expect(await files()).toEqual(['1-ab.damaged'])
})

function halfALine(): Buffer {
  return Buffer.from(writeSpoolLine(click(3)).slice(0, 60))
}

test('while the database accepts nothing, the files stay', async () => {
  const spool = openSpool(folder)
  await spool.append(click(1))
  await spool.release()
  const failing = loadSpool({
    spool,
    openSession: () => Promise.reject(new Error('out of reach')),
    store: { clickStore, known: startKnownTexts() },
    clock: systemClock,
    log: silentLog,
  })
  await expect(failing).rejects.toThrow('out of reach')
  await load(openSpool(folder))
  expect(await storedNonces()).toEqual([1])
})

test('after its day’s visitors are forgotten, a spooled click is unique only if it is its visitor’s first', async () => {
  const spool = openSpool(folder)
  const visits = ['2001:db8::1', '2001:db8::2', '192.0.2.7', '192.0.2.7'].map((ip, number) => ({
    ...click(number),
    ip,
    visitor: visitorOf(ip),
    uncounted: undefined,
  }))
  for (const visit of visits) {
    await emptyTables(connection, ['seen_visitors'])
    await spool.append(visit)
    await spool.release()
    await load(spool)
  }
  const stored = await db.selectFrom('clicks').select('is_unique').orderBy('nonce').execute()
  expect(stored.map(({ is_unique }) => is_unique)).toEqual([true, false, true, false])
})

test('a late click from an address that is the network of a cut one is its visitor’s first', async () => {
  const spool = openSpool(folder)
  const visit = { ...click(0), ip: '192.0.2.7', visitor: '192.0.2.7', uncounted: undefined }
  await spool.append(visit)
  await spool.release()
  await load(spool)
  await execute(connection, `update clicks set ip = '192.0.2.0/24'; delete from seen_visitors`)
  await spool.append({ ...visit, nonce: 1, ip: '192.0.2.0', visitor: '192.0.2.0' })
  await spool.release()
  await load(spool)
  const stored = await db.selectFrom('clicks').select('is_unique').orderBy('nonce').execute()
  expect(stored.map(({ is_unique }) => is_unique)).toEqual([true, true])
})
