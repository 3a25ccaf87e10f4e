import { saysUnstored } from '@tallyroom/domain/click-id'
import { sql } from 'kysely'
import { ratesFor, ratesOf } from '../../catalogue/index.ts'
import { columns } from '../../db/list-query.ts'
import { untilShownEverywhere } from '../../db/citus/between-phases.ts'
import { commitEverywhere, workInSequence } from '../../db/citus/layout.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { locks, shareLock, takeLock } from '../../db/locks.ts'
import { withinTransaction } from '../../db/transaction.ts'
import { findSealedClick } from '../archive/sealed-clicks.queries.ts'
import { findClick } from '../clicks/clicks.queries.ts'
import { findRepricedSale, raiseBackdated } from '../sales/held-rates.queries.ts'
import type { ExtraRow, SaleLedger, Written } from '../sales/ledger.ts'
import type { ReportedClick } from '../sales/report.ts'
import { totalsOf } from '../sales/price-event.ts'
import { isOpen, saleLedger } from '../sales/sales.queries.ts'

/** Keys, events and postbacks are on different machines: one statement for each, in one transaction. */
export const ledgerOnCluster: SaleLedger = {
  ...saleLedger,
  async findOrigin(db, click, at) {
    const row = await findClick(db, click)
    if (!row && saysUnstored(click)) return findUnstored(db, click, at)
    return {
      origin: row && {
        officeId: row.officeId,
        fraud: row.isBlacklisted,
        referrerId: row.referrerId,
      },
      rates: await ratesOf(db, click.typeId, row?.officeId, at, click.agentId),
    }
  },

  insertOnce(db, newKey, event, alsoInsert) {
    const { key, reported, former, blockers = [], orderLock, soldAt, backdated } = newKey
    const rows: ExtraRow[] = [{ table: 'sale_events', row: event }, ...alsoInsert]
    for (const row of totalsOf(event, soldAt)) rows.push({ table: 'totals_pending', row })

    async function write(tx: Tx): Promise<Written> {
      if (!(await isCurrent(tx, event.type_id, backdated))) return 'backdated'
      if (orderLock !== undefined && !(await isOpenAlone(tx, orderLock))) return 'taken'
      if (await areTaken(tx, former, blockers)) return 'taken'
      const isFirst = await saleLedger.insertFurtherKey(tx, key, {
        saleKey: key,
        eventId: event.id,
        agentId: event.agent_id,
        typeId: event.type_id,
        clickId: event.click_id,
        reported,
      })
      if (!isFirst) return 'taken'
      for (const row of rows) await insert(tx, row)
      await commitEverywhere(tx)
      return 'written'
    }
    return withinTransaction(db, write)
  },

  async insertFurtherKey(tx, key, holder) {
    const isFirst = await saleLedger.insertFurtherKey(tx, key, holder)
    // Its postback is on the coordinator.
    if (isFirst) await commitEverywhere(tx)
    return isFirst
  },

  async findRepriced(tx, sale) {
    await holdRates(tx, sale.type_id)
    await untilShownEverywhere(tx)
    return findRepricedSale(tx, sale)
  },

  async stopSales(tx, typeId) {
    // What follows writes sales on all machines, then reference tables.
    await workInSequence(tx)
    await takeLock(tx, locks.rates(typeId))
    await untilShownEverywhere(tx)
    await raiseBackdated(tx, typeId)
  },
}

/** By what is sealed of its day, else by its agent as they are now. */
async function findUnstored(db: DbOrTx, click: ReportedClick, at: Date) {
  const { typeId, agentId } = click
  const sealed = await findSealedClick(db, click)
  const id = sql`coalesce(${sealed?.officeId ?? null}::integer, agent.office_id)`
  const found = await ratesFor(db, {
    typeId,
    at,
    agentId,
    office: {
      id,
      join: sql`left join agents as agent on agent.id = ${agentId}`,
      columns: sql<{ officeId: number | null }>`, ${id} as "officeId"`,
    },
  })
  const { officeId = null } = found?.row ?? {}
  return {
    origin:
      officeId === null
        ? undefined
        : { officeId, fraud: sealed?.isBlacklisted ?? false, referrerId: null },
    rates: found?.rates,
  }
}

/**
 * Whether no rates of the link type were backdated since the sale was priced. Every machine has the link types, and shared locks
 * of their rows deadlock. All sessions are on the coordinator, so its advisory lock is enough.
 */
async function isCurrent(tx: Tx, typeId: number, backdated: number | undefined): Promise<boolean> {
  if (backdated === undefined) return true
  await holdRates(tx, typeId)
  // In a statement of its own, whose snapshot is taken after the lock.
  const { rows } = await sql`
    select id from link_types where id = ${typeId} and backdated = ${backdated}
  `.execute(tx)
  return rows.length > 0
}

const holdRates = (tx: Tx, typeId: number) => shareLock(tx, locks.rates(typeId))

async function areTaken(
  tx: Tx,
  former: string | undefined,
  blockers: readonly string[],
): Promise<boolean> {
  const keys = former === undefined ? blockers : [former, ...blockers]
  const holders = keys.length === 0 ? [] : await saleLedger.findHolders(tx, keys)
  return holders.some(({ saleKey, reported }) => saleKey !== former || reported === null)
}

/** Without the keys, which are on the workers. */
async function isOpenAlone(tx: Tx, orderLock: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select ${isOpen(orderLock, [])} as open
  `.execute(tx)
  return rows[0]?.open ?? false
}

const insert = (tx: Tx, { table, row }: ExtraRow) =>
  sql`
    insert into ${sql.table(table)} (${columns(Object.keys(row))})
    values (${sql.join(Object.values(row))})
  `.execute(tx)

export async function deleteSalesOfAgent(tx: Tx, agentId: number): Promise<void> {
  await tx.deleteFrom('sale_keys').where('agent_id', '=', agentId).execute()
  await tx.deleteFrom('sale_events').where('agent_id', '=', agentId).execute()
}
