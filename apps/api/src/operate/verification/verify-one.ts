import { formatCount } from '@tallyroom/domain/money'
import type { Verified } from '@tallyroom/domain/verification'
import type { Db } from '../../db/database.ts'
import { verifyAuditLog } from '../../desk/index.ts'
import type { Pace } from '../../lib/log/progress.ts'
import { verifyPay } from '../../pay/index.ts'
import { verifyTotals } from '../../totals/index.ts'
import { findVerification, type Found, type VerificationRow } from './verifications.queries.ts'

/** Verifies one of them as the command line does, also against where its chain ended last time. */
export const verifyOne = (db: Db, what: Verified, pace: Pace): Promise<Found> =>
  ({ pay: findPay, logs: findLogs, totals: findTotals })[what](db, pace)

async function findPay(db: Db, pace: Pace): Promise<Found> {
  const known = knownOf(await findVerification(db, 'pay'))
  const { findings, statements, periods, seals } = await verifyPay(db, {
    pace,
    ...(known && { known }),
  })
  return {
    told: `${ofAll(findings.length)}${formatCount(statements)} statements of ${formatCount(periods)} closed periods and ${formatCount(seals.seals)} seals.`,
    findings,
    found: findings.length,
    head:
      findings.length > 0 || seals.seals === 0
        ? undefined
        : { number: seals.seals, hash: seals.hash },
  }
}

async function findLogs(db: Db, pace: Pace): Promise<Found> {
  const known = knownOf(await findVerification(db, 'logs'))
  const finding = await verifyAuditLog(db, {
    pace,
    ...(known && { known: { id: known.number, hash: known.hash } }),
  })
  if (finding.broken !== undefined) {
    const { broken } = finding
    return { told: `${broken} Later entries were not verified.`, findings: [broken], found: 1 }
  }
  const { entries, hash } = finding
  return {
    told: `${ofAll(0)}${formatCount(entries)} entries.`,
    findings: [],
    found: 0,
    head: entries === 0 ? undefined : { number: entries, hash },
  }
}

async function findTotals(db: Db, pace: Pace): Promise<Found> {
  const differences = await verifyTotals(db, { pace })
  return {
    told: `${ofAll(differences.length)}all totals and the events.`,
    // Without the values: not everybody who reads this sees what merchants pay.
    findings: differences.map(({ level, row }) => `${level} ${row} differs from the events.`),
    found: differences.length,
  }
}

const ofAll = (found: number): string =>
  found === 0
    ? 'Nothing differs in '
    : `${formatCount(found)} ${found === 1 ? 'difference' : 'differences'} in `

const knownOf = ({ head_number, head_hash }: VerificationRow) =>
  head_number === null || head_hash === null ? undefined : { number: head_number, hash: head_hash }
