import { spawnSync } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

export type SmallDisk = {
  /** Fills the remaining space. */
  fill(): Promise<void>
  /** Frees it again. */
  free(): Promise<void>
  unmount(): void
}

/**
 * A separate disk of this many kilobytes, mounted on a folder; undefined if mounting is not
 * allowed.
 */
export async function mountSmallDisk(
  folder: string,
  kilobytes: number,
): Promise<SmallDisk | undefined> {
  await mkdir(folder)
  const { status } = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${kilobytes}k,mode=711`,
    'tallyroom',
    folder,
  ])
  if (status !== 0) return undefined
  const filler = join(folder, 'filler')
  return {
    async fill() {
      const file = await open(filler, 'a')
      try {
        for (;;) await file.write(Buffer.alloc(4_096))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        await file.close()
      }
    },
    free: () => rm(filler, { force: true }),
    unmount: () => void spawnSync('umount', ['--lazy', folder]),
  }
}
