import { createHash } from 'node:crypto'
import { dayOf } from '@tallyroom/domain/new-york'
import type { Click } from './click.ts'

/** Clicks of one New York day, ready to be stored. */
export type ClickBatch = {
  day: string
  /** In the order in which every process inserts, or two of them would wait for each other's keys. */
  clicks: readonly Click[]
  /** By place: whether the click is the one of its visitor that may be unique. */
  isFirst: readonly boolean[]
  referrerIds: readonly (number | undefined)[]
  /** Those that the database may not have yet, by id. */
  newReferrers: readonly (readonly [id: number, referrer: string])[]
}

export function batchOf(clicks: readonly Click[], knownReferrers: KnownReferrers): ClickBatch {
  const sorted = clicks.toSorted(byVisitor)
  const referrerIds = sorted.map(({ referrer }) => (referrer ? referrerId(referrer) : undefined))
  const newReferrers = new Map<number, string>()
  for (const [index, id] of referrerIds.entries()) {
    if (id !== undefined && !knownReferrers.has(id))
      newReferrers.set(id, sorted[index]?.referrer ?? '')
  }
  return {
    day: dayOf(sorted[0]?.clickedAtMs ?? 0),
    clicks: sorted,
    isFirst: sorted.map((click, index) => isFirstOfVisitor(click, sorted[index - 1])),
    referrerIds,
    newReferrers: [...newReferrers].toSorted(([a], [b]) => a - b),
  }
}

/** Referrers that the database is known to have, so that they are not sent again. */
export type KnownReferrers = { has(id: number): boolean; add(id: number): void }

export function startKnownReferrers(most = 20_000): KnownReferrers {
  const known = new Set<number>()
  return {
    has: (id) => known.has(id),
    add(id) {
      // Sending a known one again is harmless, so forgetting needs no order.
      if (known.size >= most) known.clear()
      known.add(id)
    },
  }
}

/** The first 52 bits of the text's SHA-256. */
export function referrerId(referrer: string): number {
  const hash = createHash('sha256').update(referrer).digest()
  return hash.readUIntBE(0, 6) * 16 + (hash.readUInt8(6) >>> 4)
}

/** Visitors together, and of each the counted clicks first. */
function byVisitor(a: Click, b: Click): number {
  return (
    a.agentId - b.agentId ||
    a.typeId - b.typeId ||
    (a.ip === b.ip ? Number(b.counted) - Number(a.counted) : a.ip < b.ip ? -1 : 1)
  )
}

/** Whether the click is the one of its visitor that may be unique. `previous` is the one before it by visitor. */
function isFirstOfVisitor(click: Click, previous: Click | undefined): boolean {
  return (
    click.counted &&
    !(
      previous?.counted &&
      previous.ip === click.ip &&
      previous.typeId === click.typeId &&
      previous.agentId === click.agentId
    )
  )
}
