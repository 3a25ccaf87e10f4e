import { readFileSync } from 'node:fs'

/** Whether a process with this id is running, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return !isZombie(pid)
}

/** A process that has ended but was not reaped by its parent counts as gone. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return status.slice(status.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return true
  }
}
