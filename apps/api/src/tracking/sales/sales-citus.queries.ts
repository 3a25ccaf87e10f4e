import { sql } from 'kysely'
import { columns } from '../../db/list-query.ts'
import { untilShownEverywhere } from '../../db/citus/between-phases.ts'
import { commitEverywhere } from '../../db/citus/layout.ts'
import type { Tx } from '../../db/database.ts'
import { withinTransaction } from '../../db/transaction.ts'
import { findRepricedSale, holdRatesOnCitus, isCurrentOnCitus } from './held-rates.queries.ts'
import type { ExtraRow, Ledger, Written } from './ledger.ts'
import { totalsOf } from './price-event.ts'
import { isOpen, saleLedger } from './sales.queries.ts'

/**
 * The real ledger on a distributed database, where keys, events and postbacks are on different machines: one
 * statement for each, in one transaction.
 */
export const saleLedgerOnCitus: Ledger = {
  ...saleLedger,
  insertOnce(db, newKey, event, alsoInsert) {
    const { key, reported, former, blockers = [], orderLock, soldAt, backdated } = newKey
    const rows: ExtraRow[] = [{ table: 'sale_events', row: event }, ...alsoInsert]
    for (const row of totalsOf(event, soldAt)) rows.push({ table: 'totals_pending', row })

    async function write(tx: Tx): Promise<Written> {
      if (!(await isCurrentOnCitus(tx, event.type_id, backdated))) return 'backdated'
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

  async findRepriced(tx, sale) {
    await holdRatesOnCitus(tx, sale.type_id)
    await untilShownEverywhere(tx)
    return findRepricedSale(tx, sale)
  },
}

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
