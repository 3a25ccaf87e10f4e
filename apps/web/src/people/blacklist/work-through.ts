import { MAX_IPS_DELETED, ipBlacklistEndpoints } from '@tallyroom/contract/people/blacklist'
import { call } from '../../lib/call.ts'
import { isApiError } from '../../lib/api-error.ts'
import { deleteIps } from './ip-blacklist.api.ts'
import type { LineResult } from './lines.ts'

/**
 * Processes lines and reports results in batches, until all are done or the signal aborts. Rejects when it is
 * pointless to continue: signed out, forbidden, or no server. Lines without a result were not processed. Every
 * line can safely be repeated.
 */
export type WorkThrough = (
  lines: readonly string[],
  run: { signal: AbortSignal; report: (results: readonly LineResult[]) => void },
) => Promise<void>

/** One call per line (specification 2, section 7), a few in parallel. */
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
    // Calls in flight still finish and are reported.
    await Promise.allSettled(workers)
    throw error
  }
}

/** Browsers open six connections per host over HTTP/1.1, and the page needs some of them. */
const CALLS_AT_ONCE = 4

async function addLine(line: string): Promise<LineResult> {
  try {
    const { ip, outcome } = await persist(() =>
      call(ipBlacklistEndpoints.addBlackListIp, { body: { ip: line } }),
    )
    return { line, isDone: true, outcome: ip === line ? outcome : `${outcome} as ${ip}` }
  } catch (error) {
    if (!isApiError(error, 'VALIDATION_ERROR')) throw error
    return { line, isDone: false, outcome: error.data['ip']?.[0] ?? error.message }
  }
}

/** Calls with as many lines as the API accepts. */
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

/** Retries while the server is unreachable, so that a long list survives a restart. */
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
