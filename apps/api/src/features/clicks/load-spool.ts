import { createReadStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dayOf } from '@tallyroom/domain/new-york'
import type { Client } from 'pg'
import { errorCode } from '../../db/transaction.ts'
import type { Log } from '../../lib/log.ts'
import type { Click } from './click.ts'
import { type ClickSpool, inState } from './click-spool.ts'
import { type ClickStore, MOST_CLICKS, storeClicks } from './clicks.queries.ts'
import { frozenSuffix } from './partitions.queries.ts'
import { readSpoolLine, readSpoolLines } from './spool-line.ts'

/**
 * Stores the clicks of all spool files that wait. Idempotent. Throws if the database is unavailable; the files
 * then stay for the next attempt.
 */
export async function loadSpool(options: {
  spool: ClickSpool
  openSession: () => Promise<Client>
  store: ClickStore
  log: Log
}): Promise<void> {
  const { spool, openSession, store, log } = options
  const waiting = await spool.claim()
  if (waiting.length === 0) return
  let session: Client | undefined
  try {
    session = await openSession()
    for (let path = waiting[0]; path !== undefined; path = waiting[0]) {
      const { stored, damaged } = await loadFile(path, { session, store, log })
      if (damaged.length > 0) await keepAside(path, damaged, log)
      await rm(path)
      waiting.shift()
      log.info({ clicks: stored }, 'stored clicks from the spool')
    }
  } finally {
    for (const path of waiting) await spool.giveBack(path)
    await session?.end().catch(() => undefined)
  }
}

async function keepAside(path: string, lines: readonly string[], log: Log): Promise<void> {
  const keptIn = inState(path, 'damaged')
  await writeFile(keptIn, lines.map((line) => `${line}\n`).join(''), { mode: 0o600, flush: true })
  log.error(
    { lines: lines.length, keptIn },
    'some lines of the spool cannot be stored: saving them separately',
  )
}

type Loader = { session: Client; store: ClickStore; log: Log }
type SpooledClick = { line: string; click: Click }

/** Stores a file's clicks. Returns their number and the invalid lines. */
async function loadFile(
  path: string,
  loader: Loader,
): Promise<{ stored: number; damaged: string[] }> {
  const damaged: string[] = []
  let stored = 0
  let batch: SpooledClick[] = []

  async function store(): Promise<void> {
    const refused = await storeBatch(batch, loader)
    damaged.push(...refused)
    stored += batch.length - refused.length
    batch = []
  }

  for await (const line of readSpoolLines(createReadStream(path, 'utf8'))) {
    const click = readSpoolLine(line)
    if (!click) {
      damaged.push(line)
      continue
    }
    const previous = batch.at(-1)
    if (batch.length === MOST_CLICKS || (previous && !isSameDay(previous.click, click))) {
      await store()
    }
    batch.push({ line, click })
  }
  if (batch.length > 0) await store()
  return { stored, damaged }
}

const isSameDay = (a: Click, b: Click): boolean => dayOf(a.clickedAtMs) === dayOf(b.clickedAtMs)

/** Returns the lines that the database rejects because of their content. */
async function storeBatch(batch: readonly SpooledClick[], loader: Loader): Promise<string[]> {
  const { session, store, log } = loader
  try {
    const clicks = batch.map(({ click }) => click)
    await storeClicks(session, 'again', clicks, store)
    return []
  } catch (error) {
    if (!isRefused(error)) throw error
    log.error({ err: error, clicks: batch.length }, 'the database rejects clicks from the spool')
    if (batch.length === 1) return batch.map(({ line }) => line)
    // One invalid click must not keep out the others.
    const refused: string[] = []
    for (const one of batch) refused.push(...(await storeBatch([one], loader)))
    return refused
  }
}

/** Whether the values themselves are at fault (data exceptions, constraint violations). */
const isRefused = (error: unknown): boolean =>
  /^2[23]/.test(errorCode(error) ?? '') && !isFrozen(error)

/** Whether a month of a distributed database is being archived. Workers name the constraint only in the message. */
const isFrozen = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(frozenSuffix)
