import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { makeClickIds } from '../../src/tracking/clicks/click-id-signer.ts'
import { isUnavailable } from '../../src/db/transaction.ts'
import { verifyTotals } from '../../src/totals/index.ts'
import { provideSecrets } from '../../src/lib/secrets.ts'
import { findWrites, judgeAudit } from './clerk.ts'
import type { FaultWorld } from './fault-world.ts'
import type { Sent } from './load.ts'

/** Compares what was promised with what is stored. */
export type Verdict = {
  clicks: Tally
  sales: SalesTally
  writes: Tally
  /** How the levels of the totals differ from the events. */
  totals: string[]
  /** What is wrong with the hash chain of the common logs, or missing from it. */
  audit: string[]
  unexpected: string[]
}

export type Tally = {
  sent: number
  answered: number
  stored: number
  /** Promised, but missing. */
  lost: string[]
  /** Stored more than once. */
  doubled: string[]
  /** Stored, but never sent, or different from what was sent. */
  invented: string[]
}

/** A sale whose click has not arrived is not lost: its postback waits. */
export type SalesTally = Tally & { waiting: string[] }

/** Every reason why a verdict is not "nothing lost, nothing counted twice". */
export const flawsOf = ({ clicks, sales, writes, totals, audit, unexpected }: Verdict) =>
  Object.entries({
    'lost clicks': clicks.lost,
    'doubled clicks': clicks.doubled,
    'invented clicks': clicks.invented,
    'lost sales': sales.lost,
    'sales that still wait for their clicks': sales.waiting,
    'doubled sales': sales.doubled,
    'invented sales': sales.invented,
    'lost writes': writes.lost,
    'doubled writes': writes.doubled,
    'invented writes': writes.invented,
    'differences of totals': totals,
    'flaws of the common logs': audit,
    'unexpected answers': unexpected,
  }).flatMap(([flaw, found]) =>
    found.length > 0 ? [`${found.length} ${flaw}: ${found.slice(0, 5).join(' | ')}`] : [],
  )

/**
 * Waits until the server has nothing left to load or to settle, then compares. The server must be ready. The fifth try of a
 * waiting postback comes a minute after the first, the sixth after two, so `patienceMs` should not be shorter.
 */
export async function judge(
  world: Pick<FaultWorld, 'connection' | 'dataDir'>,
  sent: Sent,
  patienceMs = 130_000,
): Promise<Verdict> {
  const { db, close } = openDatabase(world.connection, {
    max: 2,
    applicationName: 'faults',
    asOwner: true,
  })
  try {
    await untilAllIsIn(db, world, patienceMs)
    const differences = await verifyRecovered(db, patienceMs)
    return {
      clicks: await judgeClicks(db, world, sent),
      sales: await judgeSales(db, sent),
      writes: await judgeWrites(db, sent),
      totals: differences.map((one) => JSON.stringify(one)),
      audit: await judgeAudit(db, sent),
      unexpected: sent.unexpected,
    }
  } finally {
    await close()
  }
}

/** A cluster that has lost a worker takes up to a minute to recover what it had prepared. */
async function verifyRecovered(db: Db, patienceMs: number): ReturnType<typeof verifyTotals> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await verifyTotals(db)
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadline) throw error
      await sleep(1_000)
    }
  }
}

async function untilAllIsIn(
  db: Db,
  { dataDir }: Pick<FaultWorld, 'dataDir'>,
  patienceMs: number,
): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await isSpoolEmpty(dataDir)) || (await isAnyWaiting(db))) {
    if (performance.now() > deadline) return
    await sleep(100)
  }
}

/** Partial lines, which were never acknowledged, are saved as `.damaged`. */
async function isSpoolEmpty(dataDir: string): Promise<boolean> {
  const names = await readdir(join(dataDir, 'spool')).catch(() => [])
  return names.every((name) => name.endsWith('.damaged'))
}

async function isAnyWaiting(db: Db): Promise<boolean> {
  const waiting = await db.selectFrom('waiting_postbacks').select('postback_id').limit(1).execute()
  return waiting.length > 0
}

async function judgeClicks(
  db: Db,
  { dataDir }: Pick<FaultWorld, 'dataDir'>,
  sent: Sent,
): Promise<Tally> {
  const secrets = await provideSecrets(join(dataDir, 'secret.key'))
  const clickIds = makeClickIds(secrets.secret, secrets.formerSecrets)
  const { rows } = await sql<StoredClick>`
    select subs[1] as marker, clicked_at as "clickedAt", agent_id as "agentId", type_id as "typeId", nonce
    from clicks
    where subs[1] is null or starts_with(subs[1], ${`${sent.run}-`})
  `.execute(db)
  const invented: string[] = []
  for (const { marker, clickedAt, ...fields } of rows) {
    const click = sent.clicks.get(marker ?? '')
    const clickId = clickIds.sign({ ...fields, clickedAtMs: clickedAt.getTime() })
    if (!click) invented.push(`${marker} was never sent`)
    else if (click.clickId !== undefined && click.clickId !== clickId) {
      invented.push(`${marker} was given ${click.clickId} and is stored as ${clickId}`)
    }
  }
  const answered = [...sent.clicks].filter(([, { clickId }]) => clickId !== undefined)
  return {
    sent: sent.clicks.size,
    answered: answered.length,
    stored: rows.length,
    ...compare(
      answered.map(([marker]) => marker),
      rows.map(({ marker }) => marker ?? ''),
    ),
    invented,
  }
}

type StoredClick = {
  marker: string | null
  clickedAt: Date
  agentId: number
  typeId: number
  nonce: number
}

async function judgeSales(db: Db, sent: Sent): Promise<SalesTally> {
  const { rows } = await sql<{ transaction: string; clickId: string }>`
    select transaction_id as transaction, click_id as "clickId"
    from sale_events
    where transaction_id is null or starts_with(transaction_id, ${`${sent.run}-`})
  `.execute(db)
  const promised = [...sent.sales].filter(([, sale]) => sale.promised)
  const { lost: missing, doubled } = compare(
    promised.map(([transaction]) => transaction),
    rows.map(({ transaction }) => transaction),
  )
  const waiting = await findWaiting(db, sent)
  const toldTwice = [...sent.sales].filter(([, { recorded }]) => recorded > 1)
  return {
    sent: sent.sales.size,
    answered: promised.length,
    stored: rows.length,
    lost: missing.filter((transaction) => !waiting.has(transaction)),
    waiting: missing.filter((transaction) => waiting.has(transaction)),
    doubled: [...doubled, ...toldTwice.map(([transaction]) => transaction)],
    invented: rows.flatMap(({ transaction, clickId }) =>
      sent.sales.get(transaction)?.clickId === clickId ? [] : [transaction],
    ),
  }
}

/** The transaction ids of what waits for its click. */
async function findWaiting(db: Db, { run }: Sent): Promise<Set<string | null>> {
  const { rows } = await sql<{ transaction: string | null }>`
    select postback.transaction_id as transaction
    from waiting_postbacks as waiting
    join postbacks as postback on postback.id = waiting.postback_id
    where starts_with(postback.transaction_id, ${`${run}-`})
  `.execute(db)
  return new Set(rows.map(({ transaction }) => transaction))
}

async function judgeWrites(db: Db, sent: Sent): Promise<Tally> {
  const stored = await findWrites(db, sent)
  const answered = [...sent.writes].filter(([, { answers }]) => answers.includes(200))
  const { lost, doubled } = compare(
    answered.map(([ip]) => ip),
    stored,
  )
  const toldTwice = [...sent.writes].filter(([, { added }]) => added > 1)
  return {
    sent: sent.writes.size,
    answered: answered.length,
    stored: stored.length,
    lost,
    doubled: [...doubled, ...toldTwice.map(([ip]) => ip)],
    invented: stored.filter((ip) => !sent.writes.has(ip)),
  }
}

function compare(promised: readonly string[], stored: readonly string[]) {
  const times = new Map<string, number>()
  for (const one of stored) times.set(one, (times.get(one) ?? 0) + 1)
  return {
    lost: promised.filter((one) => !times.has(one)),
    doubled: [...times].filter(([, count]) => count > 1).map(([one]) => one),
  }
}
