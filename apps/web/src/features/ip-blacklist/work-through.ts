import { MAX_IPS_DELETED } from '@tallyroom/contract/ip-blacklist'
import { isApiError } from '../../lib/api-error.ts'
import { addIp, deleteIps } from './ip-blacklist.api.ts'
import type { LineResult } from './lines.ts'

/**
 * Works through lines and reports what became of them, some at a time, until all are done or the signal says
 * stop. Rejects when going on makes no sense: signed out, not allowed, no server. Lines that were not reported
 * were not reached; to do one again does no harm.
 */
export type WorkThrough = (
  lines: readonly string[],
  run: { signal: AbortSignal; report: (results: readonly LineResult[]) => void },
) => Promise<void>

/** One call for each line (specification 2, section 7), a few at a time. */
export const addLines: WorkThrough = async (lines, { signal, report }) => {
  const failure = new AbortController()
  const stop = AbortSignal.any([signal, failure.signal])
  const queue = lines.values()
  async function work() {
    for (const line of queue) {
      if (stop.aborted) return
      report([await addLine(line)])
    }
  }
  const workers = Array.from({ length: CALLS_AT_ONCE }, work)
  try {
    await Promise.all(workers)
  } catch (error) {
    failure.abort()
    // What the others have sent still comes to an end, and is reported.
    await Promise.allSettled(workers)
    throw error
  }
}

/** More would only wait: browsers keep six connections, and the page needs some itself. */
const CALLS_AT_ONCE = 4

async function addLine(line: string): Promise<LineResult> {
  try {
    const { ip, outcome } = await persist(() => addIp(line))
    return { line, isDone: true, outcome: ip === line ? outcome : `${outcome} as ${ip}` }
  } catch (error) {
    if (!isApiError(error, 'VALIDATION_ERROR')) throw error
    return { line, isDone: false, outcome: error.data['ip']?.[0] ?? error.message }
  }
}

/** As many in one call as it takes. */
export const deleteLines: WorkThrough = async (lines, { signal, report }) => {
  for (let start = 0; start < lines.length && !signal.aborted; start += MAX_IPS_DELETED) {
    const part = lines.slice(start, start + MAX_IPS_DELETED)
    const answers = await persist(() => deleteIps(part))
    report(
      answers.map(({ outcome, within }, index) => ({
        line: part[index] ?? '',
        isDone: outcome === 'deleted',
        outcome: within ? `${outcome}, but within ${within}` : outcome,
      })),
    )
  }
}

/** Tries again after a moment while the server is out of reach: a long list outlives a restart. */
async function persist<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  for (const pauseMs of [500, 2000, 5000]) {
    try {
      return await attempt()
    } catch (error) {
      if (!isApiError(error, 'NETWORK') && !isApiError(error, 'UNAVAILABLE')) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return attempt()
}
