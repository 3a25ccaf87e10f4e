import { readFileSync } from 'node:fs'

/** Whether a process of this id runs, whosever it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return !isZombie(pid)
}

/** Ended, but its parent has not asked yet: as good as gone. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return status.slice(status.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return true
  }
}
