import type { DbOrTx, Tx } from '../../db/database.ts'
import { type PayeeKey, payeeText } from '../terms/payees.queries.ts'
import {
  findBooks,
  findEntriesToSettle,
  findLinesToSettle,
  findOpenBooks,
  insertSettlements,
  type SettlementOf,
  type StoredSettlement,
  type ToSettle,
} from './settlements.queries.ts'
import { type Book, type Settlement, settlementsDue } from './settlements.ts'

/**
 * Stores what the transfers and entries of these payees settle and is not stored yet, and what was carried by now: at the end of
 * each act that makes any, under `lockBalances`. So it also stores what a process of an older version left out.
 */
export async function settle(tx: Tx, payees: readonly PayeeKey[]): Promise<void> {
  await insertSettlements(tx, await findUnstored(tx, payees))
}

/** What is to be stored of the balances of these payees. */
export async function findUnstored(tx: Tx, payees: readonly PayeeKey[]): Promise<SettlementOf[]> {
  if (payees.length === 0) return []
  const toSettle = await findToSettle(tx, payees)
  const books = await findOpenBooks(tx, payees, { toSettle: [...toSettle.values()], now: tx.now })
  return [...books].flatMap(([balance, { key, ...book }]) =>
    settlementsDue(book, toSettle.get(balance) ?? nothing, tx.now).map((one) => ({ ...one, key })),
  )
}

/** The payees of whose transfers and entries something is not stored. */
export async function findUnsettled(db: DbOrTx): Promise<PayeeKey[]> {
  const toSettle = [...(await findToSettle(db)).values()]
  return [
    ...new Map(
      toSettle.map(({ key: { kind, id } }) => [payeeText({ kind, id }), { kind, id }]),
    ).values(),
  ]
}

/** A settlement, with what tells which run or proposal it is by. */
export type Settled = Omit<StoredSettlement, 'id'>

/** What is owed and was settled by a moment of all balances of these payees, or of all: what is stored, and what is to be. */
export async function findSettledBooks(
  db: DbOrTx,
  now: Date,
  only?: readonly PayeeKey[],
): Promise<ReadonlyMap<string, Book & { settlements: Settled[] }>> {
  const books = await findBooks(db, only)
  const toSettle = await findToSettle(db, only)
  return new Map(
    [...books].map(([balance, { owed, settlements }]) => {
      const those = toSettle.get(balance) ?? nothing
      const due = settlementsDue({ owed, settlements }, those, now)
      return [balance, { owed, settlements: [...settlements, ...due.map(named(those))] }]
    }),
  )
}

const nothing = { lines: [], entries: [] }

/** Tells the runs and proposals of settlements that are not stored. */
function named({ lines, entries }: Pick<ToSettle, 'lines' | 'entries'>) {
  const runs = new Map(lines.map(({ id, runId }) => [id, runId]))
  const proposals = new Map(entries.map(({ id, proposalId }) => [id, proposalId]))
  return (one: Settlement): Settled => ({
    ...one,
    runId: (one.runLineId !== null && runs.get(one.runLineId)) || null,
    proposalId: (one.byEntryId !== null && proposals.get(one.byEntryId)) || null,
  })
}

async function findToSettle(
  db: DbOrTx,
  only?: readonly PayeeKey[],
): Promise<ReadonlyMap<string, ToSettle>> {
  const found = new Map<string, ToSettle>()
  const of = (balance: string, key: ToSettle['key']) => {
    const one = found.get(balance) ?? { key, lines: [], entries: [] }
    found.set(balance, one)
    return one
  }
  for (const { balance, key, ...line } of await findLinesToSettle(db, only))
    of(balance, key).lines.push(line)
  for (const { balance, key, ...entry } of await findEntriesToSettle(db, only))
    of(balance, key).entries.push(entry)
  return found
}
