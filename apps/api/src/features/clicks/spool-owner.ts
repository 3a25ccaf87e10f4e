import { readFileSync } from 'node:fs'

/** Names this process in the spool so that it can be told from a later one with the same number. */
export const thisProcess = `${process.pid}-${startOf(process.pid) ?? 'unknown'}`

/** Whether the process that `owner` names still runs. */
export function isRunning(owner: string): boolean {
  if (owner === thisProcess) return true
  const [number, start] = owner.split('-')
  const pid = Number(number)
  // Containers give the same few numbers again after a restart.
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

/** When a process started, in ticks since the machine did; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may hold blanks and brackets: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
