import { lstat, open } from 'node:fs/promises'

/** Whether the path exists, even as a broken link. */
export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Resolves once a file, or the names in a folder, would survive a power failure. */
export async function syncToDisk(path: string): Promise<void> {
  if (process.platform === 'win32') return // can't open folders
  const entry = await open(path, 'r')
  try {
    await entry.sync()
  } finally {
    await entry.close()
  }
}
