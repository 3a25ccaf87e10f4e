import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { addMonths, type Day, monthOf } from '@tallyroom/domain/new-york'
import { insertRows } from '../../db/rows.queries.ts'
import type { Tx } from '../../db/database.ts'
import { exists, syncToDisk } from '../../lib/disk.ts'
import type { Reach } from '../../lib/log/progress.ts'
import { liftStatementTimeout, verifyDays } from '../../totals/index.ts'
import { ensurePartitions, findPartitions } from '../clicks/partitions.queries.ts'
import { ArchiveError, type ArchiveServices, nameOf } from './archives.ts'
import {
  type Archive,
  countFiner,
  daysOf,
  findArchives,
  findStrayMonths,
  insertSeals,
  sumSeals,
  tryDropPartition,
} from './archives.queries.ts'
import { checkFile } from './check-file.ts'
import { ContentHash, hashFile, readClickFile, writeClickFile } from './click-file.ts'
import { notArchived, whenFree } from './when-free.ts'

/** For this long after the end of a month, sales may still arrive and clicks may still be spooled. */
const DAYS_AFTER_MONTH = 31

export type ArchiveStep = 'locked' | 'written' | 'checked' | 'named' | 'sealed' | 'dropped'

type AtStep = (step: ArchiveStep) => void | Promise<void>

type ArchiveOptions = {
  /** The first day of the first month to keep. */
  before: Day
  /** Called after each step, for tests. */
  atStep?: AtStep
  reach?: Reach
}

/**
 * Moves whole months of clicks into Parquet files, oldest first, each in its own transaction: either the month's file
 * and sums have replaced its clicks, or nothing has changed. If it dies, run it again. Redirects do not wait for it.
 *
 * @returns the months that this run has archived.
 * @throws ArchiveError
 */
export async function archiveClicks(
  services: ArchiveServices,
  { before, atStep = noStep, reach }: ArchiveOptions,
): Promise<Archive[]> {
  const { db, clickStore, clock, folder } = services
  await clickStore.months.expectReady(db)
  const newest = newestMonth(clock.now())
  if (before > addMonths(newest, 1)) {
    throw new ArchiveError(
      `Months are archived ${DAYS_AFTER_MONTH} days after their end. Use --before ${nameOf(addMonths(newest, 1))} at most.`,
    )
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const month of await findStrayMonths(db, before)) {
    await ensurePartitions(db, clock, { from: month, to: month })
  }
  const archived: Archive[] = []
  const months = await findPartitions(db, 'clicks', before)
  for (const [place, month] of months.entries()) {
    reach?.(place, months.length, 'months')
    const archive = await clickStore.months.whileStill(db, month, {
      refuse: (tx) => refuseDoubtful(tx, month),
      move: (tx) => moveMonth(tx, services, month, atStep),
    })
    if (archive) archived.push(archive)
  }
  return archived
}

function noStep(): void {}

/** The newest month that can be archived now. */
function newestMonth(now: Date): Day {
  const limit = now.getTime() - DAYS_AFTER_MONTH * 86_400_000
  // The month that contains the limit had not ended by then.
  return addMonths(monthOf(new Date(limit).toISOString().slice(0, 10)), -1)
}

/**
 * Moves a month that nobody can change from the database into its file. Returns undefined for a month without clicks, whose
 * partition stays.
 */
async function moveMonth(
  tx: Tx,
  { clickStore: { months }, folder }: ArchiveServices,
  month: Day,
  atStep: AtStep,
): Promise<Archive | undefined> {
  await liftStatementTimeout(tx)
  await refuseDoubtful(tx, month)
  await atStep('locked')

  const file = `clicks-${nameOf(month)}.parquet`
  const path = join(folder, file)
  const part = `${path}.part`
  // Deleted if the transaction fails, because no row refers to it then.
  let made = part
  try {
    const written = await writeClickFile(part, months.read(tx, month))
    if (written.clicks === 0) {
      await rm(part)
      return undefined
    }
    await atStep('written')

    await insertSeals(tx, month)
    await checkFile(part, written, await sumSeals(tx, month))
    const archive = { month, file, ...written, ...(await hashFile(part)) }
    await atStep('checked')

    await refuseOtherFile(path)
    await rename(part, path)
    made = path
    await syncToDisk(folder)
    await atStep('named')

    const { contentSha256, ...columns } = archive
    await insertRows(tx, 'click_archives', {
      ...columns,
      content_sha256: contentSha256,
      archived_at: tx.now,
    })
    await atStep('sealed')
    await months.commitAsOne(tx)
    await whenFree(notArchived(month), (patienceMs) => tryDropPartition(tx, month, patienceMs))
    await atStep('dropped')
    return archive
  } catch (error) {
    await rm(made, { force: true })
    throw error
  }
}

/** @throws ArchiveError if the month can't be archived as it is. */
async function refuseDoubtful(tx: Tx, month: Day): Promise<void> {
  const name = nameOf(month)
  if ((await findArchives(tx)).some((archive) => archive.month === month)) {
    throw new ArchiveError(`${name} is archived but has clicks again. Restore its archive first.`)
  }
  const [difference] = await verifyDays(tx, daysOf(month))
  if (difference) {
    const { level, row, expected, actual } = difference
    throw new ArchiveError(
      [
        `The totals of ${name} differ from its clicks and sales, so it is not archived:`,
        `${level} ${row}: the events give ${expected}, the totals have ${actual}.`,
        'Run totals verify, find the cause, then run totals rebuild.',
      ].join('\n'),
    )
  }
  const finer = await countFiner(tx, month)
  if (finer > 0) {
    throw new ArchiveError(
      `${finer} clicks of ${name} have timestamps finer than a millisecond, which a file cannot store.`,
    )
  }
}

/**
 * A killed run leaves a file of clicks that no row refers to. It can be overwritten, because the month's clicks are
 * all in the database and may have changed since. Anything else with that name is not ours.
 */
async function refuseOtherFile(path: string): Promise<void> {
  if (!(await exists(path))) return
  try {
    for await (const _ of readClickFile(path, new ContentHash()));
  } catch (cause) {
    throw new ArchiveError(`${path} exists and contains something else. Move it away.`, { cause })
  }
}
