import { isDay } from '@tallyroom/domain/new-york'
import { parseConfig } from '../config.ts'
import type { Db } from '../db/database.ts'
import {
  type Archive,
  archiveClicks,
  findArchives,
  nameOf,
  purgeArchives,
  restoreArchive,
  tendArchives,
} from '../tracking/index.ts'
import { systemClock } from '../lib/clock.ts'
import type { Command, Owned } from './command.ts'

/** Commands that move clicks out of the database and back. */
export const archiveCommands: Record<string, Command> = {
  'clicks archive': {
    says: 'moves whole months of clicks before MONTH (YYYY-MM) into files; the app may keep running',
    takes: '--before MONTH',
    run: archiveMonths,
  },
  'clicks archive-due': {
    says: 'archives the months that are due by ARCHIVE_AFTER_MONTHS and purges deleted agents; the app does so hourly',
    run: archiveDue,
  },
  'clicks restore-archive': {
    says: 'restores the clicks of an archived month',
    takes: 'MONTH',
    run: restoreMonth,
  },
}

/** Tells whoever makes backups what else to keep. */
export async function notInBackup({ db }: Owned): Promise<string[]> {
  const { length } = await findArchives(db)
  if (length === 0) return []
  const folder = parseConfig(process.env).archiveDir
  return [`It does not include the files of ${length} archived months in ${folder}: copy them too.`]
}

/** Tells whoever cuts addresses where complete ones remain. */
export async function keptInArchives(db: Db): Promise<string[]> {
  const months = (await findArchives(db)).map(({ month }) => nameOf(month))
  if (months.length === 0) return []
  return [
    `Archived clicks keep their addresses (${months.join(', ')}): restore a month, cut again, then archive it.`,
  ]
}

async function archiveMonths({ db, stores, progress }: Owned, month: string): Promise<number> {
  const before = firstDayOf(month)
  if (before === undefined) return 64
  const folder = parseConfig(process.env).archiveDir
  const found = await stores()
  const archived = await progress.step('Archiving clicks', (reach) =>
    archiveClicks({ db, ...found, clock: systemClock, folder }, { before, reach }),
  )
  const purged = await purgeArchives({ db, folder })
  print(archived)
  if (purged > 0) console.log(`Deleted agents were removed from ${purged} older files.`)
  console.log(
    archived.length === 0
      ? `There are no clicks to archive before ${month}.`
      : `The files are in ${folder}. Copy them to another machine: they are not in backups.`,
  )
  return 0
}

/** Prints nothing if nothing was due. */
async function archiveDue({ db, stores }: Owned): Promise<number> {
  const { archiveDir: folder, archiveAfterMonths } = parseConfig(process.env)
  const services = { db, ...(await stores()), clock: systemClock, folder }
  print(await tendArchives(services, archiveAfterMonths))
  return 0
}

function print(archived: readonly Archive[]): void {
  for (const { month, file, clicks, bytes } of archived) {
    console.log(
      `${nameOf(month)}: ${clicks} clicks in ${file}, ${(bytes / 1_000_000).toFixed(1)} MB`,
    )
  }
}

async function restoreMonth({ db, stores, progress }: Owned, month: string): Promise<number> {
  const first = firstDayOf(month)
  if (first === undefined) return 64
  const { archiveDir: folder, archiveAfterMonths } = parseConfig(process.env)
  const services = { db, ...(await stores()), clock: systemClock, folder }
  const { clicks } = await progress.step('Restoring clicks', () => restoreArchive(services, first))
  console.log(`${month} has its ${clicks} clicks again. Its file was deleted.`)
  if (archiveAfterMonths !== undefined) {
    console.log(
      `ARCHIVE_AFTER_MONTHS is ${archiveAfterMonths}: the app archives months of that age again within the hour. To keep them, set it to off and restart the app.`,
    )
  }
  return 0
}

/** Rejects a text that is not a month. */
function firstDayOf(month: string): string | undefined {
  if (isDay(`${month}-01`)) return `${month}-01`
  console.error('MONTH must be a year and a month, such as 2026-01.')
  return undefined
}
