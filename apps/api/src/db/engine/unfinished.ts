import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { exists, syncToDisk } from '../../lib/disk.ts'
import { isAlive } from './is-alive.ts'

/**
 * Creates the folder `target` unless it exists. `make` fills a temporary folder, which is renamed once
 * complete. So an interrupted run leaves nothing half made, and of two concurrent runs one wins.
 */
export async function makeWhole(
  target: string,
  make: (unfinished: string) => Promise<void>,
): Promise<void> {
  if (await exists(target)) return
  await removeAbandoned(target)
  const unfinished = `${target}.${process.pid}.tmp`
  try {
    await make(unfinished)
    await rename(unfinished, target)
    await syncToDisk(dirname(target))
  } catch (error) {
    if (!(await exists(target))) throw error
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Removes what killed processes, or an earlier one with our process id, left behind. */
async function removeAbandoned(target: string): Promise<void> {
  const dir = dirname(target)
  for (const name of await readdir(dir)) {
    if (!name.startsWith(`${basename(target)}.`)) continue
    const pid = /\.(\d+)\.tmp/.exec(name)?.[1]
    if (pid === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
    await rm(join(dir, name), { recursive: true, force: true })
  }
}
