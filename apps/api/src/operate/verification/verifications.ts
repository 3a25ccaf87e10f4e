import type { verificationEndpoints } from '@tallyroom/contract/operate/verification'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { VERIFIED } from '@tallyroom/domain/verification'
import { isHeld, locks } from '../../db/locks.ts'
import type { Services } from '../../services.ts'
import { findVerifications } from './verifications.queries.ts'

/** What the last verifications found. */
export async function listVerifications({
  db,
}: Pick<Services, 'db'>): Promise<AnswerOf<(typeof verificationEndpoints)['verifications']>> {
  const rows = await findVerifications(db)
  const areRunning = await isHeld(db, locks.verification)
  return {
    items: VERIFIED.flatMap((what) => {
      const row = rows.find((one) => one.what === what)
      if (!row) return []
      const { asked_at: asked, started_at: started, ended_at: ended } = row
      return [
        {
          what,
          isAsked: asked !== null && (started === null || asked > started),
          isRunning: areRunning && started !== null && (ended === null || started > ended),
          last: ended && {
            endedAt: ended.toISOString(),
            tookMs: row.took_ms ?? 0,
            told: row.told,
            findings: row.findings,
            found: row.found,
            head: row.head_number === null ? null : `${row.head_number}:${row.head_hash}`,
          },
        },
      ]
    }),
  }
}
