import { readdir, readFile } from 'node:fs/promises'

/** Processes, each with all that it starts. `machine` names them in the table of a bench. */
export type Measured = { machine: string; pid: number }

/** CPU time in microseconds by machine. Empty where there is no `/proc`. */
export type CpuTimes = ReadonlyMap<string, number>

/**
 * The CPU time that processes and their children have used until now. It includes children that have ended, in steps
 * of 10 ms. Unlike a rate, it does not depend on who else uses the cores, or which of them the scheduler chooses.
 */
export async function readCpuTimes(measured: readonly Measured[]): Promise<CpuTimes> {
  const processes = await readProcesses()
  const times = new Map<string, number>()
  for (const { machine, pid } of measured) {
    if (processes.has(pid)) times.set(machine, timeOf(pid, processes) + (times.get(machine) ?? 0))
  }
  return times
}

/** What was used between two readings, per request. */
export function perRequest(before: CpuTimes, after: CpuTimes, requests: number): CpuTimes {
  return new Map(
    [...after].map(([machine, us]) => [machine, (us - (before.get(machine) ?? 0)) / requests]),
  )
}

/** The parent of a process, which for a session of PostgreSQL is the server. */
export async function parentOf(pid: number): Promise<number | undefined> {
  return (await readProcesses()).get(pid)?.parent
}

type Process = { parent: number; us: number }

function timeOf(pid: number, processes: ReadonlyMap<number, Process>): number {
  let sum = processes.get(pid)?.us ?? 0
  for (const [child, { parent }] of processes) if (parent === pid) sum += timeOf(child, processes)
  return sum
}

async function readProcesses(): Promise<Map<number, Process>> {
  const found = new Map<number, Process>()
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // The name of the program, in parentheses, may contain anything. The first field after it is the state.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent] = fields
    if (parent === undefined) continue
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0)
    found.set(Number(name), { parent, us: ticks * US_PER_TICK })
  }
  return found
}

/** `USER_HZ` is 100 on every Linux that Node runs on. */
const US_PER_TICK = 10_000
