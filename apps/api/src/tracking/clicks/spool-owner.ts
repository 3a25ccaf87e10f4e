import { readFileSync } from 'node:fs'

/** Identifies this process in the spool, even if a later process gets the same id. */
export const thisProcess = `${process.pid}-${startOf(process.pid) ?? 'unknown'}`

/** Whether the process named by `owner` is still running. */
export function isRunning(owner: string): boolean {
  if (owner === thisProcess) return true
  const [number, start] = owner.split('-')
  const pid = Number(number)
  // Containers reuse the same few process ids after a restart.
  if (!Number.isSafeInteger(pid) || pid === process.pid) return false
  const running = startOf(pid)
  if (running !== undefined) return running === start
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A process's start time in clock ticks since boot; undefined if the system does not provide it. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may contain blanks and brackets:
    // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
