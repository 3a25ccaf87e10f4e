import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'

/** The memory that this process may use, and the free space on the database's disk, both in bytes. */
type Machine = { memory: number; freeDisk: number }

/** Measures the machine that the database in `folder` runs on. */
export async function measureMachine(folder: string): Promise<Machine> {
  const { bavail, bsize } = await statfs(folder)
  // 0 without a limit, or larger than the machine.
  const limit = process.constrainedMemory() || Infinity
  return { memory: Math.min(limit, totalmem()), freeDisk: bavail * bsize }
}

/**
 * PostgreSQL's settings for a machine that also runs the app. After a crash, at most about half of `max_wal_size` has
 * to be replayed. 170 MB take a second of CPU time, so a higher value would slow down restarts.
 */
export function settingsFor({ memory, freeDisk }: Machine): Record<string, string> {
  return {
    shared_buffers: megabytes(within(memory / 8, 128 * MB, 1024 * MB)),
    max_wal_size: megabytes(within(freeDisk / 10, 64 * MB, 512 * MB)),
    min_wal_size: megabytes(within(freeDisk / 40, 32 * MB, 128 * MB)),
    wal_compression: 'pglz',
  }
}

const MB = 1024 * 1024

const within = (bytes: number, least: number, most: number): number =>
  Math.min(Math.max(bytes, least), most)

const megabytes = (bytes: number): string => `${Math.floor(bytes / MB)}MB`
