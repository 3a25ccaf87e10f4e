import type { ClientBase } from 'pg'
import { type TablePlace, tablePlaces } from '../src/db/citus/table-places.ts'

/**
 * Forms that work on one PostgreSQL of today and fail, or lie, on a Citus cluster or on PostgreSQL 15.
 * docs/decisions.md says why the same SQL has to run on both.
 */
export const forbiddenForms: [what: string, form: RegExp][] = [
  ['rollup, cube, grouping sets', /\b(rollup|cube)\s*\(|\bgrouping\s+sets\b/i],
  ['lateral joins', /\bjoin\s+lateral\b|,\s*lateral\s*\(|\.(inner|left|cross)JoinLateral\(/i],
  ['merge', /\bmerge\s+into\b|\.mergeInto\(/i],
  ['ctid', /\bctid\b/i],
  [
    'functions after PostgreSQL 15',
    /\b(uuidv7|uuidv4|any_value|json_table|json_array|random_normal)\s*\(/i,
  ],
  ['returning old or new', /\breturning\s+(old|new)\./i],
  ['tablesample', /\btablesample\b/i],
  [
    'triggers, rules, row-level security',
    /\bcreate\s+(or\s+replace\s+)?(constraint\s+)?(trigger|rule)\b|\brow\s+level\s+security\b/i,
  ],
  ['stored functions', /\bcreate\s+(or\s+replace\s+)?(function|procedure)\b/i],
  [
    'session settings',
    /(^|[`;'"])\s*set\s+(session\s+)?(role|search_path|timezone|statement_timeout|lock_timeout)\b/im,
  ],
  ['session advisory locks', /\bpg_(try_)?advisory_lock(_shared)?\s*\(/i],
  ['temporary tables', /\bcreate\s+(temp|temporary)\b/i],
  ["now() in an upsert's update", /\bdo\s+update\s+set\b[^`;]*\bnow\(\)/i],
  ["a subselect in an upsert's update", /\bdo\s+update\s+set\b[^`;]*\(\s*select\b/i],
  ['serial columns', /\b(small|big)?serial\b(?=\s*(,|not|primary|\n))/i],
]

const isSpread = (place: TablePlace) => place.startsWith('by ')

/** The tables whose rows lie on the workers. */
const spreadTables = Object.entries(tablePlaces)
  .filter(([, place]) => isSpread(place))
  .map(([table]) => table)

const spread = `"?(?:${spreadTables.join('|')})"?(?![\\w"])`
const readsSpread = new RegExp(String.raw`\b(?:from|join|into|update)\s+${spread}`, 'gi')
const joinOfSpread = new RegExp(
  // The condition of a join, up to what may follow it.
  String.raw`\bjoin\s+${spread}(?:\s+as\s+"?\w+"?)?\s+(?:on|using)\b((?:(?!\b(?:join|where|group\s+by|order\s+by|union|left|limit)\b)[\s\S])*)`,
  'gi',
)
const changesSpread = new RegExp(
  String.raw`\b(?:insert\s+into|delete\s+from|update)\s+${spread}`,
  'i',
)

/** What of a statement, as it is sent, fails on a distributed database; undefined when nothing does. */
export function whyUnportable(sent: string): string | undefined {
  const statement = sent
    .replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
  const found = forbiddenForms.find(([, form]) => form.test(statement))
  if (found) return found[0]
  const spreadCount = statement.match(readsSpread)?.length ?? 0
  if (spreadCount === 0) return undefined
  if (/\bwith\s+recursive\b/i.test(statement)) return 'a recursive query of a table that is spread'
  if (/\bfor\s+(no\s+key\s+)?(update|share)\b/i.test(statement))
    return 'row locks on a table that is spread'
  if (
    new RegExp(
      String.raw`\bupdate\s+${spread}[\s\S]*\bset\b[^;]*\b(agent_id|sale_key)"?\s*=`,
      'i',
    ).test(beforeWhere(statement))
  )
    return 'a change of the column that a table is spread by'
  if (
    spreadCount > 1 &&
    [...statement.matchAll(joinOfSpread)].some(([, on = '']) => !/agent_id/i.test(on)) &&
    !joinsPage.test(statement)
  )
    return 'a join of tables that are spread without their agent'
  return undefined
}

/** A page that was cut out before, or a list of different keys, goes to all workers: anything may be joined with it. */
const joinsPage = /\bas\s+materialized\s*\(|\bselect\s+distinct\b/i

const beforeWhere = (statement: string) => statement.split(/\bwhere\b/i)[0] ?? ''

/** Asks a table that is spread for each row of another one: on a distributed database only of one agent. */
export const asksRowByRow = (sent: string): boolean =>
  [...sent.matchAll(existsInSpread)].some(
    ([, condition = '']) => !/agent_id"?\s*=/i.test(condition),
  )

const existsInSpread = new RegExp(
  String.raw`\bexists\s*\(\s*select\b[^()]*?\bfrom\s+${spread}([^()]*)`,
  'gi',
)

/** What a statement writes within `with`, which a distributed database is not asked to do. */
export function isWrittenAtOnce(sent: string): boolean {
  return (
    /^\s*(\/\*.*?\*\/\s*)?with\b/i.test(sent) &&
    /\bas\s*\(\s*(insert|update|delete)\b/i.test(sent) &&
    changesSpread.test(sent)
  )
}

/** Makes a session refuse what would fail on a distributed database. */
export function refuseUnportable(client: ClientBase, { apart }: { apart: boolean }): void {
  const query = client.query.bind(client) as (...parts: unknown[]) => unknown // one of eight overloads
  const checked = (...parts: unknown[]): unknown => {
    const [text] = parts
    const why = typeof text === 'string' ? whyUnportable(text) : undefined
    if (why !== undefined)
      throw new Error(`Not for a distributed database: ${why}\n${String(text)}`)
    if (apart && typeof text === 'string' && isWrittenAtOnce(text))
      throw new Error(`Several tables in one statement, on a distributed database:\n${text}`)
    if (apart && typeof text === 'string' && asksRowByRow(text))
      throw new Error(`A question for each row, on a distributed database:\n${text}`)
    return query(...parts)
  }
  client.query = checked as typeof client.query // the same overloads
}
