import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { ArchiveError } from './archives.ts'
import { type Sum, SUMMED_BY } from './archives.queries.ts'
import { type ArchivedClick, type Content, ContentHash, readClickFile } from './click-file.ts'

/**
 * Reads a file back and compares it with what was written, and its sums with the seals.
 *
 * @throws ArchiveError if anything differs.
 */
export async function checkFile(
  path: string,
  written: Content,
  sealed: readonly Sum[],
): Promise<void> {
  const hash = new ContentHash()
  const sums = new Map<string, Omit<Sum, 'dimension' | 'value'>>()
  for await (const clicks of readClickFile(path, hash)) {
    for (const click of clicks) addTo(sums, click)
  }
  const read = hash.digest()
  const isSame = read.clicks === written.clicks && read.contentSha256 === written.contentSha256
  const agrees =
    sums.size === sealed.length &&
    sealed.every(({ dimension, value, clicks, raws, uniques }) => {
      const sum = sums.get(`${dimension} ${value}`)
      return sum?.clicks === clicks && sum.raws === raws && sum.uniques === uniques
    })
  if (!isSame || !agrees) {
    throw new ArchiveError(`${path} does not contain what was written. Check the disk.`)
  }
}

function addTo(sums: Map<string, Omit<Sum, 'dimension' | 'value'>>, click: ArchivedClick): void {
  for (const column of SUMMED_BY) {
    const key = `${column} ${column === 'day' ? newYorkDayOf(click.clicked_at) : click[column]}`
    const sum = sums.get(key) ?? { clicks: 0, raws: 0, uniques: 0 }
    sum.clicks += 1
    if (click.counted) sum.raws += 1
    if (click.counted && click.is_unique) sum.uniques += 1
    sums.set(key, sum)
  }
}

/** Clicks are stored roughly in order of time, and computing the day in a time zone is slow. */
function newYorkDayOf(at: Date): Day {
  const hour = Math.floor(at.getTime() / 3_600_000)
  if (hour !== lastHour.hour) lastHour = { hour, day: dayOf(at) }
  return lastHour.day
}
let lastHour = { hour: Number.NaN, day: '' }
