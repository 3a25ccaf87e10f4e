import type { Day } from '@tallyroom/domain/new-york'
import type { Verified } from '@tallyroom/domain/verification'
import type { Selectable } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.ts'

export type VerificationRow = Omit<Selectable<DB['verifications']>, 'what'> & { what: Verified }

export const findVerifications = (db: DbOrTx): Promise<VerificationRow[]> =>
  db.selectFrom('verifications').selectAll().$castTo<VerificationRow>().execute()

export const findVerification = (db: DbOrTx, what: Verified): Promise<VerificationRow> =>
  db
    .selectFrom('verifications')
    .selectAll()
    .where('what', '=', what)
    .$castTo<VerificationRow>()
    .executeTakeFirstOrThrow()

export async function askVerification(db: Db, what: Verified, at: Date): Promise<void> {
  await db.updateTable('verifications').set({ asked_at: at }).where('what', '=', what).execute()
}

export async function startVerification(db: Db, what: Verified, at: Date): Promise<void> {
  await db.updateTable('verifications').set({ started_at: at }).where('what', '=', what).execute()
}

/** What a verification found. */
export type Found = {
  told: string
  findings: readonly string[]
  found: number
  /** Where its chain ends; undefined without one, or if that is not known. */
  head?: { number: number; hash: string } | undefined
}

/** Stores what a verification found. @param night the night for which it ran; undefined if somebody asked for it */
export async function storeVerification(
  tx: Tx,
  what: Verified,
  {
    night,
    endedAt,
    tookMs,
    ...result
  }: Found & { night: Day | undefined; endedAt: Date; tookMs: number },
): Promise<void> {
  const { told, findings, found, head } = result
  await tx
    .updateTable('verifications')
    .set({
      ended_at: endedAt,
      took_ms: tookMs,
      told,
      findings: [...findings],
      found,
      ...(night !== undefined && { night }),
      // A chain whose end was not reached keeps the last end that was.
      ...(head && { head_number: head.number, head_hash: head.hash }),
    })
    .where('what', '=', what)
    .execute()
}
