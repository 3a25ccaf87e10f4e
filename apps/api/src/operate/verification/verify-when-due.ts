import { FINDINGS_KEPT } from '@tallyroom/contract/operate/verification'
import type { ProofAlarm } from '@tallyroom/domain/alarms'
import { addDays, atNewYork, type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { NIGHT, VERIFIED, type Verified, verifiedLabels } from '@tallyroom/domain/verification'
import { setTimeout as sleep } from 'node:timers/promises'
import { isHeld, locks } from '../../db/locks.ts'
import { onlyOneRun } from '../../db/only-one.ts'
import { inTransaction, isUnavailable } from '../../db/transaction.ts'
import { endProof, findingsInShort, raiseProof } from '../../desk/index.ts'
import { writeFacts } from '../../notices/index.ts'
import type { Services } from '../../services.ts'
import { verifyOne } from './verify-one.ts'
import {
  findVerification,
  findVerifications,
  type Found,
  startVerification,
  storeVerification,
  type VerificationRow,
} from './verifications.queries.ts'

type Needed = Pick<Services, 'db' | 'clock' | 'log'>

/** Between two parts of a verification, so that it leaves room for others. */
const PAUSE_MS = 20
/** After so many nights without one, it does not wait for the next: the machine may be off at night. */
const NIGHTS_MISSED = 2

/** Which alarm a difference raises, and which ones are over without one. */
const alarmsOf: Record<Verified, { raises: ProofAlarm; ends: readonly ProofAlarm[] }> = {
  pay: { raises: 'pay-differs', ends: ['pay-differs', 'money-refused'] },
  logs: { raises: 'logs-differ', ends: ['logs-differ'] },
  totals: { raises: 'totals-differ', ends: ['totals-differ'] },
}

/**
 * Verifies pay, the common logs and the totals if it is night in New York, if that was missed, or if somebody has asked for it: one
 * after the other, by one process, each in a snapshot. Waits while a backup is restored or a period is closed. Stores what
 * it finds, raises alarms and ends them. Runs every minute.
 */
export async function verifyWhenDue(services: Needed, stopping?: AbortSignal): Promise<void> {
  const { db, clock } = services
  const isAnyDue = async () =>
    (await findVerifications(db)).some((row) => isDue(row, clock.now()) !== undefined)
  if (!(await isAnyDue())) return
  await onlyOneRun(db, locks.verification, async () => {
    for (const what of VERIFIED) {
      if (stopping?.aborted) return
      const due = isDue(await findVerification(db, what), clock.now())
      if (due === undefined) continue
      if ((await isHeld(db, locks.restore)) || (await isHeld(db, locks.closePeriod))) return
      await verify(services, what, { ...due, stopping })
    }
  })
}

type Due = { night: Day | undefined }

/** Why a verification is due: for a night, or because somebody asked. Undefined if it is not. */
function isDue(row: VerificationRow, now: Date): Due | undefined {
  const today = todayNewYork(now)
  const isNight = now >= atNewYork(today, NIGHT.from) && now < atNewYork(today, NIGHT.before)
  const last = row.night ?? ''
  if (last < today && (isNight || last < addDays(today, -NIGHTS_MISSED))) return { night: today }
  const isAsked =
    row.asked_at !== null && (row.started_at === null || row.asked_at > row.started_at)
  return isAsked ? { night: undefined } : undefined
}

async function verify(
  services: Needed,
  what: Verified,
  { night, stopping }: Due & { stopping: AbortSignal | undefined },
): Promise<void> {
  const { db, clock, log } = services
  const begun = performance.now()
  await startVerification(db, what, clock.now())
  const pace = async () => {
    stopping?.throwIfAborted()
    await sleep(PAUSE_MS)
  }
  let result: Found
  try {
    result = await verifyOne(db, what, pace)
  } catch (error) {
    // Tried again in a minute.
    if (stopping?.aborted || isUnavailable(error)) throw error
    log.error({ err: error, what }, 'a verification failed')
    const why = 'The verification could not be finished. The server log says why.'
    result = { told: why, findings: [why], found: 1 }
  }
  const { head, found } = result
  const tookMs = Math.round(performance.now() - begun)
  const findings = result.findings.slice(0, FINDINGS_KEPT)
  const said = { what, head: head && `${head.number}:${head.hash}`, found, tookMs }
  if (found > 0) log.error({ ...said, findings: findings.slice(0, 10) }, 'verified: differences')
  else log.info(said, 'verified')
  await inTransaction(db, async (tx) => {
    await storeVerification(tx, what, { ...result, findings, night, endedAt: tx.now, tookMs })
    const { raises, ends } = alarmsOf[what]
    if (found > 0) await raiseProof(tx, raises, findingsInShort(findings, found))
    else await endProof(tx, ends)
    const all = await findVerifications(tx)
    if (night !== undefined && all.every((one) => one.night === night))
      await writeFacts(tx, [{ kind: 'proof.verified', of: 'network', subject: ofNight(all) }], {
        at: tx.now,
        byAccountId: null,
      })
  })
}

/** What the night found, with the heads of the chains: in a mail, they are kept where nobody who has the database can change them. */
function ofNight(all: readonly VerificationRow[]): { title: string; text: string } {
  const rows = VERIFIED.flatMap((what) => all.find((row) => row.what === what) ?? [])
  const differ = rows.filter(({ found }) => found > 0).map(({ what }) => verifiedLabels[what])
  return {
    title: differ.length === 0 ? 'Verified: nothing differs' : `Differences: ${differ.join(', ')}`,
    text: rows
      .map(({ what, told, head_number, head_hash }) =>
        [
          `${verifiedLabels[what]}: ${told}`,
          ...(head_number === null ? [] : [`Keep this: ${head_number}:${head_hash}`]),
        ].join('\n'),
      )
      .join('\n'),
  }
}
