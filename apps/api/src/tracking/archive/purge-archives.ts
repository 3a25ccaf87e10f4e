import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inTransaction } from '../../db/transaction.ts'
import { exists, syncToDisk } from '../../lib/disk.ts'
import { liftStatementTimeout } from '../../totals/index.ts'
import { ArchiveError, type ArchiveServices, lockArchives } from './archives.ts'
import type { Archive } from './archives.queries.ts'
import {
  type ArchivedClick,
  ContentHash,
  hashFile,
  readClickFile,
  writeClickFile,
} from './click-file.ts'
import {
  clearPurges,
  findPurges,
  findReplaced,
  forgetReplaced,
  replaceFile,
} from './purges.queries.ts'

/**
 * Rewrites the files of archived months without the agents deleted since. An old file is deleted once
 * the new one is on disk and recorded. Run it again if it dies.
 *
 * @returns the number of files that were written.
 * @throws ArchiveError if another run changes archives, or a file is missing or damaged.
 */
export async function purgeArchives({
  db,
  folder,
}: Pick<ArchiveServices, 'db' | 'folder'>): Promise<number> {
  await removeReplaced({ db, folder })
  const purges = await findPurges(db)
  for (const { month } of purges) {
    await inTransaction(db, async (tx) => {
      await lockArchives(tx)
      await liftStatementTimeout(tx)
      const purge = (await findPurges(tx)).find((each) => each.month === month)
      if (!purge) return
      const file = await writeWithout(folder, purge)
      await replaceFile(tx, purge, file)
      await clearPurges(tx, purge)
    })
    await removeReplaced({ db, folder })
  }
  return purges.length
}

async function writeWithout(
  folder: string,
  { agentIds, ...archive }: Archive & { agentIds: number[] },
): Promise<Archive> {
  const path = join(folder, archive.file)
  if (!(await exists(path))) {
    throw new ArchiveError(
      `${path} is missing, but contains clicks of a deleted agent. Put it back.`,
    )
  }
  const file = nextName(archive.file)
  const newPath = join(folder, file)
  const before = new ContentHash()
  const deleted = new Set(agentIds)
  const written = await writeClickFile(newPath, without(readClickFile(path, before), deleted))
  if (before.digest().contentSha256 !== archive.contentSha256) {
    throw new ArchiveError(`${path} is damaged. Restore it from your copy of the folder.`)
  }
  const after = new ContentHash()
  for await (const _ of readClickFile(newPath, after));
  if (after.digest().contentSha256 !== written.contentSha256) {
    throw new ArchiveError(`${newPath} does not contain what was written. Check the disk.`)
  }
  await syncToDisk(folder)
  return { ...archive, file, ...written, ...(await hashFile(newPath)) }
}

async function* without(
  chunks: AsyncIterable<ArchivedClick[]>,
  agentIds: ReadonlySet<number>,
): AsyncGenerator<ArchivedClick[]> {
  for await (const clicks of chunks) yield clicks.filter((click) => !agentIds.has(click.agent_id))
}

/** `clicks-2026-01.parquet` is followed by `clicks-2026-01.2.parquet`. */
function nextName(file: string): string {
  const [, month = '', version = '1'] =
    /^(clicks-\d{4}-\d{2})(?:\.(\d+))?\.parquet$/.exec(file) ?? []
  return `${month}.${Number(version) + 1}.parquet`
}

/** Deletes files that have been rewritten, including those left by a run that died. */
async function removeReplaced({
  db,
  folder,
}: Pick<ArchiveServices, 'db' | 'folder'>): Promise<void> {
  for (const { month, file } of await findReplaced(db)) {
    await rm(join(folder, file), { force: true })
    await forgetReplaced(db, month, file)
  }
}
