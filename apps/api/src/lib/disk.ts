import { lstat, open } from 'node:fs/promises'

/** Whether anything has this path, be it a link that leads nowhere. */
export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Resolves when a file, or the names in a folder, would outlast a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  if (process.platform === 'win32') return // which can't open a folder
  const entry = await open(path, 'r')
  try {
    await entry.sync()
  } finally {
    await entry.close()
  }
}
