import { sql } from 'kysely'
import { columns } from '../../db/list-query.ts'
import type { Tx } from '../../db/database.ts'
import { withinTransaction } from '../../db/transaction.ts'
import type { Ledger, ExtraRow } from './ledger.ts'
import { totalsOf } from './price-event.ts'
import { saleLedger } from './sales.queries.ts'

/**
 * The real ledger on a distributed database, where keys, events and postbacks are on different machines: one
 * statement for each, in one transaction.
 */
export const saleLedgerOnCitus: Ledger = {
  ...saleLedger,
  insertOnce(db, { key, reported, former }, event, alsoInsert) {
    const rows: ExtraRow[] = [{ table: 'sale_events', row: event }, ...alsoInsert]
    const totals = totalsOf(event)
    if (totals) rows.push({ table: 'totals_pending', row: totals })

    async function write(tx: Tx): Promise<boolean> {
      if (former !== undefined && (await isHeldBefore(tx, former))) return false
      const isFirst = await saleLedger.insertFurtherKey(tx, key, {
        saleKey: key,
        eventId: event.id,
        agentId: event.agent_id,
        typeId: event.type_id,
        clickId: event.click_id,
        reported,
      })
      if (isFirst) for (const row of rows) await insert(tx, row)
      return isFirst
    }
    return withinTransaction(db, write)
  },
}

const isHeldBefore = async (tx: Tx, key: string): Promise<boolean> =>
  (await saleLedger.findHolders(tx, [key])).some(({ reported }) => reported === null)

const insert = (tx: Tx, { table, row }: ExtraRow) =>
  sql`
    insert into ${sql.table(table)} (${columns(Object.keys(row))})
    values (${sql.join(Object.values(row))})
  `.execute(tx)
