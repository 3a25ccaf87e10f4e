import { createReadStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dayOf } from '@tallyroom/domain/new-york'
import type { Client } from 'pg'
import { errorCode } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log/log.ts'
import type { Click } from './click.ts'
import { type ClickSpool, inState } from './click-spool.ts'
import { MOST_CLICKS, type StoreAndTexts, storeClicks } from './clicks.queries.ts'
import { firstRememberedDay } from './partitions.queries.ts'
import { readSpoolLine, readSpoolLines } from './spool-line.ts'

/**
 * Stores the clicks of all spool files that wait. Idempotent. Throws if the database is unavailable; the files
 * then stay for the next attempt. Late clicks of a month that is being archived keep only their own file waiting.
 */
export async function loadSpool(options: {
  spool: ClickSpool
  openSession: () => Promise<Client>
  store: StoreAndTexts
  clock: Clock
  log: Log
}): Promise<void> {
  const { spool, openSession, store, clock, log } = options
  const waiting = await spool.claim()
  if (waiting.length === 0) return
  let session: Client | undefined
  let frozen: Error | undefined
  try {
    session = await openSession()
    for (let path = waiting[0]; path !== undefined; path = waiting[0]) {
      const loaded = await loadFile(path, { session, store, clock, log })
      if (loaded.frozen) {
        frozen = loaded.frozen
        await spool.giveBack(path)
      } else {
        if (loaded.damaged.length > 0) await keepAside(path, loaded.damaged, log)
        await rm(path)
        log.info({ clicks: loaded.stored }, 'stored clicks from the spool')
      }
      waiting.shift()
    }
    if (frozen) throw frozen
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

type Loader = { session: Client; store: StoreAndTexts; clock: Clock; log: Log }
type SpooledClick = { line: string; click: Click }

/** The number of stored clicks, the invalid lines, and the error if clicks of a frozen month are left. */
type Loaded = { stored: number; damaged: string[]; frozen?: Error }

/** Stores a file's clicks, except those of a frozen month. */
async function loadFile(path: string, loader: Loader): Promise<Loaded> {
  const loaded: Loaded = { stored: 0, damaged: [] }
  let batch: SpooledClick[] = []

  async function store(): Promise<void> {
    try {
      const refused = await storeBatch(batch, loader)
      loaded.damaged.push(...refused)
      loaded.stored += batch.length - refused.length
    } catch (error) {
      if (!isHeldBack(error, loader)) throw error
      loaded.frozen = error
    }
    batch = []
  }

  for await (const line of readSpoolLines(createReadStream(path, 'utf8'))) {
    const click = readSpoolLine(line)
    if (!click) {
      loaded.damaged.push(line)
      continue
    }
    const previous = batch.at(-1)
    if (batch.length === MOST_CLICKS || (previous && !isSameDay(previous.click, click))) {
      await store()
    }
    batch.push({ line, click })
  }
  if (batch.length > 0) await store()
  return loaded
}

const isLate = ([click]: readonly Click[], clock: Clock): boolean =>
  click !== undefined && dayOf(click.clickedAtMs) < firstRememberedDay(clock)

const isSameDay = (a: Click, b: Click): boolean => dayOf(a.clickedAtMs) === dayOf(b.clickedAtMs)

/** Returns the lines that the database rejects because of their content. */
async function storeBatch(batch: readonly SpooledClick[], loader: Loader): Promise<string[]> {
  const { session, store, clock, log } = loader
  try {
    const clicks = batch.map(({ click }) => click)
    await storeClicks(session, isLate(clicks, clock) ? 'late' : 'again', clicks, store)
    return []
  } catch (error) {
    if (!isRefused(error) || isHeldBack(error, loader)) throw error
    log.error({ err: error, clicks: batch.length }, 'the database rejects clicks from the spool')
    if (batch.length === 1) return batch.map(({ line }) => line)
    // One invalid click must not keep out the others.
    const refused: string[] = []
    for (const one of batch) refused.push(...(await storeBatch([one], loader)))
    return refused
  }
}

/** Whether the values themselves are at fault (data exceptions, constraint violations). */
const isRefused = (error: unknown): boolean => /^2[23]/.test(errorCode(error) ?? '')

const isHeldBack = (error: unknown, { store }: Loader): error is Error =>
  error instanceof Error && store.clickStore.isHeldBack(error)
