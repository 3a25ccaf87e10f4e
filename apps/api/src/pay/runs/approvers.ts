import type { DbOrTx } from '../../db/database.ts'
import { type DoneDeed, findPersons, whyMayNot, type WhyNot } from '../../people/index.ts'
import type { AsOf } from '../../seals/index.ts'
import { findPayHolders } from '../terms/pay-holders.queries.ts'
import {
  findBackdated,
  findBackdatings,
  findLineDeeds,
  findPaidPeriods,
  findTemplateChangers,
  type LineDeed,
} from './deeds.queries.ts'
import type { NextPayment } from './news.queries.ts'
import { findLines, findPreparedIds, findRun } from './payment-runs.queries.ts'
import { getRun, type Run } from './run.ts'
import { findNewTerms } from './terms.ts'

export type Approver = {
  id: number
  name: string
  /** A predicate; null if they can approve. */
  whyNot: string | null
  /** From when on they can, if nothing else happens; null if that is not known. */
  from: Date | null
}

type Approved = Pick<Run, 'id' | 'template_id' | 'prepared_by' | 'lines'>

/** Everybody who may approve runs, with the reason if they can't approve this one. */
export async function findApprovers(db: DbOrTx, now: Date, run: Approved): Promise<Approver[]> {
  const holders = await findPayHolders(db)
  const ids = holders.map(({ id }) => id)
  const barOf = await findBars(db, run, { ids, now })
  return holders.map(({ id, name }) => {
    const bar = barOf(id)
    return { id, name, whyNot: bar?.why ?? null, from: bar?.until ?? null }
  })
}

/** Why somebody should not have approved a run at a moment, as a predicate; undefined if they could. */
export async function whyNotApproved(
  db: DbOrTx,
  runId: number,
  { by, at, ...asOf }: { by: number; at: Date } & AsOf,
): Promise<string | undefined> {
  const run = await findRun(db, runId)
  if (!run) return undefined
  const lines = await findLines(db, runId)
  const barOf = await findBars(db, { ...run, lines }, { ids: [by], now: at, ...asOf })
  return barOf(by)?.why
}

async function findBars(
  db: DbOrTx,
  run: Approved,
  { ids, now, ...asOf }: { ids: readonly number[]; now: Date } & AsOf,
): Promise<(accountId: number) => WhyNot | undefined> {
  const done = await findDeeds(db, run, asOf)
  const persons = await findPersons(db, now, [...ids, ...doersOf(done)], asOf)
  return (accountId) => whyMayNot('approve run', accountId, done, persons)
}

/** Whoever did some deeds or approved them. */
export const doersOf = (done: readonly DoneDeed[]): number[] =>
  done.flatMap(({ by, approved }) => (approved ? [by, approved.by] : [by]))

/** The prepared runs that this account may approve, and when the oldest was prepared. */
export async function countRunsToApprove(
  db: DbOrTx,
  now: Date,
  accountId: number,
): Promise<{ count: number; since: Date | null }> {
  let count = 0
  let since: Date | null = null
  for (const id of await findPreparedIds(db)) {
    const run = await getRun(db, id)
    const approver = (await findApprovers(db, now, run)).find((one) => one.id === accountId)
    if (!approver || approver.whyNot !== null) continue
    count++
    since ??= run.prepared_at
  }
  return { count, since }
}

/** What was done to a run, to what it pays, and to how its files look. */
async function findDeeds(db: DbOrTx, run: Approved, asOf: AsOf): Promise<DoneDeed[]> {
  const changers = await findTemplateChangers(db, run, asOf)
  return [
    { deed: 'prepared', by: run.prepared_by },
    ...(await findDeedsOfLines(db, run.id, asOf)),
    ...changers.map(({ by }) => ({ deed: 'changed template' as const, by })),
  ]
}

/**
 * What people did to what each line of a run pays, or a payee's next payment, since its payee was last paid to its account,
 * oldest first: for the approver to see, and to know who can't be the approver.
 */
export async function findDeedsOfLines(
  db: DbOrTx,
  of: number | NextPayment,
  asOf: AsOf = {},
): Promise<LineDeed[]> {
  const terms = await findNewTerms(db, of, asOf)
  const deeds = [
    ...(await findLineDeeds(db, of, asOf)),
    ...(await findBackdatedDeeds(db, of, asOf)),
    ...terms.map(({ lineId, deed, by, at, of: changed, payee }) => ({
      lineId,
      deed,
      by,
      at,
      of: deed === 'set rates' ? payee : changed,
      approved: null,
    })),
  ]
  return deeds.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

async function findBackdatedDeeds(
  db: DbOrTx,
  of: number | NextPayment,
  asOf: AsOf,
): Promise<LineDeed[]> {
  const backdatings = await findBackdatings(db)
  if (backdatings.size === 0) return []
  const paid = await findPaidPeriods(db, of, asOf)
  if (paid.length === 0) return []
  const found = await findBackdated(db, {
    periodIds: [...new Set(paid.map(({ periodId }) => periodId))],
    payeeIds: [...new Set(paid.map(({ payeeId }) => payeeId))],
  })
  return found.flatMap(({ kind, payeeId, periodId, backdatingId }) => {
    const backdating = backdatings.get(backdatingId)
    const lines = paid.filter(
      (line) => line.kind === kind && line.payeeId === payeeId && line.periodId === periodId,
    )
    if (!backdating) return []
    return lines.map(({ lineId, name }): LineDeed => ({
      lineId,
      deed: 'backdated',
      of: name,
      approved: null,
      ...backdating,
    }))
  })
}
