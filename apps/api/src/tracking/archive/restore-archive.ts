import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Day } from '@tallyroom/domain/new-york'
import { inTransaction } from '../../db/transaction.ts'
import { exists } from '../../lib/disk.ts'
import { liftStatementTimeout } from '../../totals/index.ts'
import { fillPartition } from '../clicks/partitions.queries.ts'
import { ArchiveError, type ArchiveServices, busy, lockArchives, nameOf } from './archives.ts'
import { type Archive, countUnsealed, deleteArchive, findArchives } from './archives.queries.ts'
import { insertClicks } from './click-rows.queries.ts'
import { ContentHash, hashFile, readClickFile } from './click-file.ts'
import { purgeArchives } from './purge-archives.ts'
import { findPurges } from './purges.queries.ts'

/**
 * Restores the clicks of an archived month and deletes its file. Either all of them are restored exactly, or
 * nothing changes.
 *
 * @throws ArchiveError
 */
export async function restoreArchive(services: ArchiveServices, month: Day): Promise<Archive> {
  const {
    db,
    clickStore: { months },
    folder,
  } = services
  await months.expectReady(db)
  await purgeArchives(services)
  const archive = await inTransaction(db, async (tx) => {
    await lockArchives(tx)
    await liftStatementTimeout(tx)
    const found = (await findArchives(tx)).find((each) => each.month === month)
    if (!found) throw new ArchiveError(`${nameOf(month)} is not archived.`)
    // An agent was deleted since the purge above. Their clicks must not come back.
    if ((await findPurges(tx)).some((purge) => purge.month === month)) throw busy()
    const path = join(folder, found.file)
    if (!(await exists(path))) throw new ArchiveError(`${path} is missing. Copy it there first.`)
    if ((await hashFile(path)).sha256 !== found.sha256) throw damaged(path)

    // Before the month is attached, because clicks wait from then on.
    await months.commitAsOne(tx)
    const hash = new ContentHash()
    await fillPartition(tx, month, {
      place: (table) => months.place(tx, table),
      async fill(partition, isNew) {
        for await (const clicks of readClickFile(path, hash)) {
          await insertClicks(tx, partition, clicks)
        }
        const content = hash.digest()
        const isSame =
          content.clicks === found.clicks && content.contentSha256 === found.contentSha256
        // Clicks that arrived since the archiving are not in the sums.
        if (!isSame || (isNew && (await countUnsealed(tx, month)) > 0)) throw damaged(path)
        // Here, because clicks wait as soon as the month is attached.
        await deleteArchive(tx, month)
      },
    })
    return found
  })
  await rm(join(folder, archive.file), { force: true })
  return archive
}

const damaged = (path: string) =>
  new ArchiveError(
    `${path} is not the file that was archived, or it is damaged. Restore it from your copy of the folder.`,
  )
