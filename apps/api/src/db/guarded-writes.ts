import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { tablePlaces } from './citus/table-places.ts'
import { decidesMoney, decidesWhenInserted, decidingColumns } from './tables-of-pay.ts'

/*
 * Whoever works with less than their password (a token, a partner's session, *Sign in as*, an older session) writes nothing
 * that decides money, whichever call it is and however it is written: each statement of theirs is read before it is sent.
 * Statements of everybody else are not.
 */

/** What a statement would write: a table of pay, or a deciding column of another one, with its field in the contract. */
export type DecidingWrite = { table: string; field?: string }

type Guard = { refusalOf: (write: DecidingWrite) => Error; isOver: boolean }

const guards = new AsyncLocalStorage<Guard | undefined>()

/**
 * Runs a call of somebody who may not decide about money. What it leaves running is nobody's call.
 *
 * @param refusalOf what a statement that would write such a thing throws instead
 */
export async function guardingMoney<T>(
  refusalOf: Guard['refusalOf'],
  work: () => Promise<T>,
): Promise<T> {
  const guard: Guard = { refusalOf, isOver: false }
  try {
    return await guards.run(guard, work)
  } finally {
    guard.isOver = true
  }
}

/** Runs what may be written by anybody who may call it, because it can't pay: it only stops payments, or is undone. */
export const payingNobody = <T>(work: () => Promise<T>): Promise<T> => guards.run(undefined, work)

/** Makes a session read the statements of guarded calls. */
export function refuseGuarded(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...parts: unknown[]) => unknown // collapses eight overloads
  const asked = (...parts: unknown[]): unknown => {
    const guard = guards.getStore()
    if (guard && !guard.isOver) {
      const write = findDecidingWrite(textOf(parts[0]))
      if (write) throw guard.refusalOf(write)
    }
    return query(...parts)
  }
  client.query = asked as typeof client.query // the same overloads
}

/** A statement, or an object that has one. */
function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  const isObject = typeof query === 'object' && query !== null && 'text' in query
  return isObject && typeof query.text === 'string' ? query.text : ''
}

/** The first thing that a statement writes, anywhere in it, that decides money; undefined if there is none. */
export function findDecidingWrite(statement: string): DecidingWrite | undefined {
  if (!writes.test(statement)) return undefined
  const sql = withoutTexts(statement)
  for (const { 0: found, groups: { verb = '', table = '' } = {}, index } of sql.matchAll(targets)) {
    if (!Object.hasOwn(tablePlaces, table)) continue
    if (decidesMoney(table)) return { table }
    const columns = decidingColumns.get(table)
    if (!columns) continue
    const inserts = /^insert/i.test(verb)
    if (inserts && !decidesWhenInserted(table)) continue
    const rest = sql.slice(index + found.length)
    const written = inserts ? insertedColumns(rest) : changedColumns(verb, rest)
    const column = [...columns.keys()].find((name) => written === 'all' || written.has(name))
    if (column !== undefined) return { table, field: columns.get(column) ?? column }
  }
  return undefined
}

const writes = /\b(?:insert|update|delete|merge|truncate|copy)\b/i

/** What is written, with its schema and quotes or without. */
const targets =
  /\b(?<verb>insert\s+into|merge\s+into|delete\s+from|update|truncate(?:\s+table)?|copy)\s+(?:only\s+)?(?:"?public"?\s*\.\s*)?"?(?<table>\w+)"?/gi

/** Texts and comments may hold any words. */
const withoutTexts = (statement: string): string =>
  statement.replaceAll(/--.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|'[^']*'?/g, ' ')

/** Names among which are the columns that an insert lists, or updates in its upsert. */
function insertedColumns(rest: string): ReadonlySet<string> | 'all' {
  const list = /^(?:\s+as\s+"?\w+"?)?\s*\(([^()]*)\)/i.exec(rest)?.[1]
  if (list === undefined) return 'all'
  const upsert = /\bdo\s+update\s+set\b([\s\S]*)/i.exec(rest)?.[1] ?? ''
  return namesIn(`${list} ${setClause(upsert)}`)
}

/** Names among which are the columns that an update sets. */
function changedColumns(verb: string, rest: string): ReadonlySet<string> | 'all' {
  const set = /^(?:\s+(?:as\s+)?"?\w+"?)??\s+set\b([\s\S]*)/i.exec(rest)?.[1]
  return /^update$/i.test(verb) && set !== undefined ? namesIn(setClause(set)) : 'all'
}

/** The text up to the end of a `set`: a further clause, or the end of the brackets around it. */
function setClause(text: string): string {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/[()]|\b(?:from|where|returning)\b/gi)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    else if (depth === 0) return text.slice(0, index)
    if (depth < 0) return text.slice(0, index)
  }
  return text
}

const namesIn = (text: string): ReadonlySet<string> =>
  new Set(text.match(/\w+/g)?.map((name) => name.toLowerCase()))
