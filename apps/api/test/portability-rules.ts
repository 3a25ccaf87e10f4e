import type { ClientBase } from 'pg'
import { COMMIT_EVERYWHERE } from '../src/db/citus/layout.ts'
import { type TablePlace, tablePlaces } from '../src/db/citus/table-places.ts'
import { noteTestFile } from './note-cluster.ts'
import { joinsWithoutAgent, spreadTables } from './portable-joins.ts'

type Form = { test(text: string): boolean }

const returningList = clauses(/(?<!\.)\breturning\b/gi, /\b(?:union|select)\b/i)
const upsertUpdate = clauses(/\bdo\s+update\s+set\b/gi, /\breturning\b/i)
const changing =
  /\b(?:(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|random|gen_random_uuid|nextval)\s*\(|current_(?:timestamp|date|time)\b|localtime(?:stamp)?\b)/i

/**
 * SQL that works on one current PostgreSQL but fails, or gives wrong results, on a Citus cluster or
 * on PostgreSQL 15. See HOUSE-13 in docs/decisions.
 */
export const forbiddenForms: [what: string, form: Form][] = [
  ['rollup, cube, grouping sets', /\b(rollup|cube)\s*\(|\bgrouping\s+sets\b/i],
  ['lateral joins', /\bjoin\s+lateral\b|,\s*lateral\s*\(|\.(inner|left|cross)JoinLateral\(/i],
  ['merge', /\bmerge\s+into\b|\.mergeInto\(/i],
  ['ctid', /\bctid\b/i],
  [
    'functions after PostgreSQL 15',
    /\b(uuidv[47]|uuid_extract_\w+|any_value|json_(table|array|arrayagg|objectagg|value|query|exists|scalar|serialize)|random_normal|array_(sort|reverse|shuffle|sample)|casefold|to_bin|to_oct|date_(add|subtract)|pg_input_is_valid)\s*\(/i,
  ],
  ['predicates after PostgreSQL 15', /\bis\s+(not\s+)?json\b(?!\s*[.=])|\bsystem_user\b/i],
  ['returning old or new', whereIn(returningList, /\b(old|new)\s*\.|^\s*with\s*\(/i)],
  ['tablesample', /\btablesample\b/i],
  [
    'triggers, rules, row-level security',
    /\bcreate\s+(or\s+replace\s+)?(constraint\s+)?(trigger|rule)\b|\brow\s+level\s+security\b/i,
  ],
  ['stored functions', /\bcreate\s+(or\s+replace\s+)?(function|procedure)\b/i],
  [
    'session settings',
    /\bset_config\s*\((?!(?:[^()]|\([^()]*\))*,\s*true\s*\))|(^|[`;'"])\s*set\s+(session\s+)?(role|search_path|timezone|statement_timeout|lock_timeout)\b/im,
  ],
  ['session advisory locks', /\bpg_(try_)?advisory_lock(_shared)?\s*\(/i],
  ['temporary tables', /\bcreate\s+(temp|temporary)\b/i],
  ["what changes by itself, in an upsert's update", whereIn(upsertUpdate, changing)],
  ["a subselect in an upsert's update", whereIn(upsertUpdate, /\(\s*select\b/i)],
  ['serial columns', /\b(small|big)?serial\b(?=\s*(,|not|primary|\n))/i],
  [
    'columns that are generated when they are read',
    // The expression in its brackets, up to three levels deep.
    /\bgenerated\s+always\s+as\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?!\s*stored\b)/i,
  ],
  [
    'a new column with a constraint',
    /\balter\s+table\b[^;]*\badd\s+column\b[^;]*\b(constraint|unique|references|primary\s+key|check\s*\()/i,
  ],
  [
    'identity of a table that is there',
    /\balter\s+table\b[^;]*((?<!\breplica )\bidentity\b|\badd\s+generated\b)/i,
  ],
  [
    'the end of a session by a parameter without a type',
    /\bpg_(?:terminate|cancel)_backend\s*\(\s*\$(?:\d+|\{[^{}]*\})\s*[,)]/i,
  ],
  ['indexes without a name', /\bcreate\s+(unique\s+)?index\s+(concurrently\s+)?on\b/i],
]

/**
 * Further rules, for words that may mean something else in a program: only for migrations and for
 * statements as sent.
 */
export const forbiddenStatements: [what: string, form: Form][] = [
  ['settings that outlive a transaction', /(^|;)\s*set\s+(?!local\b|transaction\b|constraints\b)/i],
  ['functions after PostgreSQL 15', /\bcrc32c?\s*\(|\brandom\s*\(\s*[^)\s]/i],
  ['numbers after PostgreSQL 15', /(?<![\w"$.])(\d+(_\d+)+|0[xob][\da-f]+)\b/i],
]

/**
 * The text after an opening, up to the end of its brackets or statement, or a closing at the same
 * depth.
 */
function clauses(opening: RegExp, closing: RegExp) {
  return (text: string): string[] =>
    [...text.matchAll(opening)].map(({ 0: { length }, index }) => {
      const rest = text.slice(index + length)
      let depth = 0
      for (let at = 0; at < rest.length; at++) {
        const letter = rest.charAt(at)
        if (letter === '(') depth++
        if (letter === ')') depth--
        if (depth < 0 || /[;`]/.test(letter)) return rest.slice(0, at)
        if (depth === 0 && /\s/.test(letter) && closesAt(closing, rest, at + 1))
          return rest.slice(0, at)
      }
      return rest
    })
}

const closesAt = (closing: RegExp, text: string, at: number): boolean =>
  new RegExp(closing.source, 'iy').test(text.slice(at, at + 20))

function whereIn(clausesOf: (text: string) => string[], form: RegExp): Form {
  return { test: (text) => clausesOf(text).some((clause) => form.test(clause)) }
}

const spread = `"?(?:${spreadTables.join('|')})"?(?![\\w"])`
const readsSpread = new RegExp(String.raw`\b(?:from|join|into|update|using|,)\s*${spread}`, 'i')
/** On Citus, rows without columns cannot be read, neither of an intermediate result nor of a partition. */
const readsNothing = new RegExp(
  String.raw`\bselect\s+from\s+(?:${spread}|"?clicks_\d)|\b(?:from|join)\s*\(\s*select\s+from\b`,
  'i',
)
const changesSpread = new RegExp(
  String.raw`\b(?:insert\s+into|delete\s+from|update)\s+${spread}`,
  'i',
)

/** What in a statement, as sent, fails on a distributed database; undefined if nothing does. */
export function whyUnportable(sent: string): string | undefined {
  const statement = sent
    .replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
  const found = [...forbiddenForms, ...forbiddenStatements].find(([, form]) => form.test(statement))
  if (found) return found[0]
  if (indexAmongOthers.test(statement)) return 'an index in one text with other statements'
  if (givesParameters(statement)) return "a parameter in an upsert's update"
  if (changesUnknownBesideKnown(statement))
    return 'a change within `with` of a table that Citus does not know, beside one that it knows'
  if (changesKnown.test(statement) && addsIntervals.test(statement))
    return 'a time of a column and an interval, in a change of rows that Citus plans'
  const computed = whyNotComputed(statement)
  if (computed !== undefined) return computed
  if (insertsWithoutPlace(statement))
    return 'an insert without the column that its table is spread by'
  if (!readsSpread.test(statement)) return undefined
  if (readsNothing.test(statement)) return 'rows without columns, of a table that is spread'
  if (/\bwith\s+recursive\b/i.test(statement)) return 'a recursive query of a table that is spread'
  if (!isWrittenAtOnce(sent) && /\bfor\s+(no\s+key\s+)?(update|share)\b/i.test(statement))
    return 'row locks on a table that is spread'
  if (
    new RegExp(
      String.raw`\bupdate\s+${spread}[\s\S]*\bset\b[^;]*\b(agent_id|order_hash)"?\s*=`,
      'i',
    ).test(beforeWhere(statement))
  )
    return 'a change of the column that a table is spread by'
  if (/\binsert\b/i.test(statement) && /\bcase\s+[\w."]+(\([^)]*\))?\s+when\b/i.test(statement))
    return 'a case of values in an insert, which Citus sends to workers as one of conditions'
  if (joinsWithoutAgent(statement)) return 'a join of tables that are spread without their agent'
  return undefined
}

const indexAmongOthers =
  /(?:^|;)\s*(?:(?:create(?:\s+unique)?|drop|alter)\s+index|reindex)\b[^;]*;\s*\S|;\s*(?:(?:create(?:\s+unique)?|drop|alter)\s+index|reindex)\b/i

const places: Readonly<Record<string, TablePlace>> = tablePlaces
const updateOfUpsert = clauses(/\bdo\s+update\s+set\b/gi, /\b(?:returning|where)\b/i)

/** In rows on workers, a value from outside must be a value of the inserted row. */
const givesParameters = (statement: string): boolean =>
  statement.split(/\b(?=insert\s+into\b)/i).some((insert) => {
    const [, table = ''] = /^insert\s+into\s+"?(\w+)/i.exec(insert) ?? []
    return (
      (places[table] ?? 'coordinator') !== 'coordinator' &&
      updateOfUpsert(insert).some((clause) => /\$\d/.test(clause))
    )
  })

/** Neither the row nor what it conflicts with is on one machine then. */
const insertsWithoutPlace = (statement: string): boolean =>
  statement.split(/\b(?=insert\s+into\b)/i).some((insert) => {
    const [, table = '', list] =
      /^insert\s+into\s+"?(\w+)"?(?:\s+as\s+"?\w+"?)?(?:\s*\(([^()]*)\))?/i.exec(insert) ?? []
    const column = /^by (\w+)$/.exec(places[table] ?? '')?.[1]
    if (column === undefined) return false
    const [, target] = /\bon\s+conflict\s*\(([^()]*)\)/i.exec(insert) ?? []
    const names = (text: string | undefined) =>
      text === undefined || new RegExp(String.raw`\b${column}\b`, 'i').test(text)
    return !names(list) || !names(target)
  })

const tablesAt = (...wanted: TablePlace[]): string[] =>
  Object.keys(places).filter((table) => wanted.includes(places[table] ?? 'coordinator'))
/** Their names as statements have them, with or without quotation marks. */
const named = (tables: readonly string[]): string => `"?(?:${tables.join('|')})"?(?![\\w"])`
const writesTo = (tables: readonly string[]) =>
  new RegExp(String.raw`\b(?:insert\s+into|delete\s+from|update)\s+${named(tables)}`, 'i')

/** The reference tables that foreign keys lead to. */
export const referredTo = [
  'accounts',
  'agents',
  'link_types',
  'offices',
  'preferred_domains',
  'rates',
  'sites',
]
const known = tablesAt('everywhere', 'managed', 'managed parent')
const writesReferred = writesTo([...referredTo, ...tablesAt('managed parent')])
const writesReference = writesTo(tablesAt('everywhere'))
const writesLocally = writesTo(tablesAt('coordinator', 'managed', 'managed parent'))
const usesKnown = new RegExp(String.raw`\b(?:from|join|into|update|using|,)\s*${named(known)}`, 'i')
const changesKnown = new RegExp(
  String.raw`\b(?:delete\s+from|update)\s+${named([...known, ...spreadTables])}`,
  'i',
)
/** A sum of a time with a zone and an interval is stable, which Citus computes first: it cannot if a column is in it. */
const addsIntervals =
  /(?<![\w$:])"?[a-z_]\w*"?\s*[-+*]\s*interval\b|\binterval\s+''\s*\*(?!\s*[\d$])|\bmake_interval\s*\(/i

/** An opening bracket's text up to its end, four levels deep. */
const inBrackets = String.raw`(?:[^()]|\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\))*`
/** Functions whose result hangs on settings of the session, whatever they are called with. */
const stable = String.raw`\b(?:concat(?:_ws)?|format|to_char|to_date|array_to_string|row_to_json|to_jsonb?|jsonb?_(?:build_(?:object|array)|populate_record))\s*\(`
const stableCalls = new RegExp(`${stable}(${inBrackets})\\)`, 'gi')
/** The same of times with a zone alone. One that was brought `at time zone` has none. */
const stableOfTimes =
  /\bdate_trunc\s*\((?![^()]*\bat\s+time\s+zone\b)|\bextract\s*\(\s*\w+\s+from\s+[\w."]+\s*\)|\bto_timestamp\s*\([^()]*,|(?<![\w$:."])(?:"?[a-z_]\w*"?\.)?"?[a-z_]\w*"?\s*::\s*(?:date|time(?:stamp)?(?:tz)?)\b/i
/** Whatever is not immutable. */
const mutable = new RegExp(`${stable}|${changing.source}`, 'i')
const choices = new RegExp(String.raw`\bcoalesce\s*\(${inBrackets}\)|\bcase\b[^]*?\bend\b`, 'gi')
/** Neither a parameter, a type, a word of SQL nor the name of a function. */
const namesColumn =
  /(?<![\w$:])(?!(?:null|true|false|and|or|not|array|interval|at|time|zone)\b)"?[a-z_]\w*"?(?!\w|\s*\()/i
const planned = named([...known, ...spreadTables])
const changesOf = clauses(
  new RegExp(String.raw`\b(?:delete\s+from|update)\s+(?=${planned})`, 'gi'),
  /\breturning\b/i,
)
const writesPlanned = writesTo([...known, ...spreadTables])
const upsertsOf = clauses(
  new RegExp(String.raw`(?<=\binsert\s+into\s+${planned}[^;]*)\bdo\s+update\s+set\b`, 'gi'),
  /\breturning\b/i,
)
const reads = new RegExp(
  String.raw`(\b(?:from|join|using)\s*|,\s*)?\(\s*select\b${inBrackets}\)`,
  'gi',
)

/** Citus plans subselects on their own, but for those that a change is joined with. */
const withoutSubselects = (text: string): string =>
  text.replaceAll(reads, (all, isJoined?: string) => (isJoined === undefined ? '()' : all))

/**
 * What Citus would have to compute for each row of a change before it sends the change, in words; undefined if nothing. Types are not
 * known here: `day::text` is stable, and `id::text` is not.
 */
function whyNotComputed(statement: string): string | undefined {
  for (const change of changesOf(statement).map(withoutSubselects)) {
    const isOfColumn = ([, inside = '']: RegExpMatchArray) => namesColumn.test(inside)
    if (stableOfTimes.test(change) || [...change.matchAll(stableCalls)].some(isOfColumn))
      return 'a stable function of a column, in a change of rows that Citus plans'
    if ([...change.matchAll(choices)].some(([choice]) => mutable.test(choice)))
      return 'a choice of what is not immutable, in a change of rows that Citus plans'
    if (/\)\s*\)\s*\[/.test(change))
      return 'an element of what a function returns, in a change of rows that Citus plans: its server ends'
  }
  if (upsertsOf(statement).some((upsert) => mutable.test(upsert)))
    return "what is not immutable, in an upsert's update of rows that Citus plans"
  const returned = writesPlanned.test(statement) ? returningList(statement) : []
  return returned.map(withoutSubselects).some((list) => mutable.test(list))
    ? 'what is not immutable, returned by a change of rows that Citus plans'
    : undefined
}

/** Somewhat more than Citus refuses. A change that is not within `with` may read tables of both kinds. */
const changesUnknownBesideKnown = (statement: string): boolean =>
  changesUnknownWithin.test(statement) &&
  usesKnown.test(statement) &&
  ['select', 'insert'].includes(verbOf(statement) ?? '')

const changesUnknownWithin = new RegExp(
  String.raw`\bas\s*(?:materialized\s*)?\(\s*(?:delete\s+from|update)\s+${named(tablesAt('coordinator'))}`,
  'i',
)

/** What a statement does with what its parts in brackets found or did. */
function verbOf(statement: string): string | undefined {
  let flat = statement
  while (/\([^()]*\)/.test(flat)) flat = flat.replaceAll(/\([^()]*\)/g, ' ')
  return /\b(?:select|insert|update|delete)\b/i.exec(flat)?.[0].toLowerCase()
}

/**
 * Follows the statements of one session.
 * @returns whether the statement writes to a table that foreign keys lead to, after its transaction has used several shards at
 * once: see `writeBesideShards`.
 */
export function watchTransactions(): (statement: string) => boolean {
  let [isInside, isParallel, isSequential, mayWrite] = [false, false, false, false]
  return (statement) => {
    const opens = /^\s*(?:begin|start\s+transaction)\b/i.test(statement)
    if (opens || /^\s*(?:commit|rollback)\s*;?\s*$/i.test(statement))
      [isInside, isParallel, isSequential, mayWrite] = [opens, false, false, false]
    if (/\bmulti_shard_modify_mode\b.*\bsequential\b/i.test(statement)) isSequential = true
    if (/\benforce_foreign_key_restrictions\b/i.test(statement))
      mayWrite = /\boff\b/i.test(statement)
    if (isInside && isParallel && !mayWrite && writesReferred.test(statement)) return true
    isParallel ||= !isSequential && readsSpread.test(statement) && !ofOneAgent.test(statement)
    return false
  }
}

/**
 * Follows the statements of one session, with the numbers of rows that they have changed.
 * @returns whether the statement commits rows of the coordinator and rows that may be on one worker, which commits first and
 * alone: see HOUSE-9.
 */
export function watchCommits(): (statement: string, changedRows?: number) => boolean {
  let [ofOneWorker, ofCoordinator, together] = [false, false, false]
  return (statement, changedRows = 1) => {
    if (/^\s*commit\b/i.test(statement)) {
      const isAlone = ofOneWorker && ofCoordinator && !together
      ;[ofOneWorker, ofCoordinator, together] = [false, false, false]
      return isAlone
    }
    if (/^\s*(?:begin|start\s+transaction|rollback\s*;?\s*$)/i.test(statement))
      [ofOneWorker, ofCoordinator, together] = [false, false, false]
    else if (statement.trim() === COMMIT_EVERYWHERE || writesReference.test(statement))
      together = true
    else if (changedRows === 0) return false
    else if (changesSpread.test(statement)) {
      if (ofFewAgents.test(statement)) ofOneWorker = true
      else together = true
    } else ofCoordinator ||= writesLocally.test(statement)
    return false
  }
}

/** Uses only the shard of one agent or key, or inserts rows, which Citus does shard by shard. */
const ofOneAgent =
  /\b(?:agent_id|order_hash)"?\s*(?:=\s*\(?|in\s*\(\s*(?=\S+\s*\)))\$?\d|^\s*insert\b[^]*\bvalues\b/i

/** May use a single worker. */
const ofFewAgents =
  /\b(?:agent_id|order_hash)"?\s*(?:=|in\b)\s*\(?\$?\d|^\s*insert\b[^]*\bvalues\b/i

const beforeWhere = (statement: string) => statement.split(/\bwhere\b/i)[0] ?? ''

/**
 * Queries a distributed table for each row of another one, which shows in a qualified name in the
 * condition. Distributed databases allow this only for one agent.
 */
export const asksRowByRow = (sent: string): boolean =>
  [...sent.matchAll(existsInSpread)].some(
    ([, condition = '']) => /\w"?\."?\w/.test(condition) && !/agent_id"?\s*=/i.test(condition),
  )

const existsInSpread = new RegExp(
  String.raw`\bexists\s*\(\s*select\b[^()]*?\bfrom\s+${spread}([^()]*)`,
  'gi',
)

/** What a statement writes within `with`, which is not used on a distributed database. */
export function isWrittenAtOnce(sent: string): boolean {
  return (
    /^\s*(\/\*.*?\*\/\s*)?with\b/i.test(sent) &&
    /\bas\s*\(\s*(insert|update|delete)\b/i.test(sent) &&
    changesSpread.test(sent)
  )
}

/**
 * On a reference table, Citus first takes a shared lock on the shard and then an exclusive one, so
 * two concurrent sessions that do this always deadlock.
 */
export const sharesRowLocks = (sent: string): boolean => /\bfor\s+(key\s+)?share\b/i.test(sent)

/** Makes a session refuse whatever would fail on a distributed database. */
export function refuseUnportable(client: ClientBase, { citus }: { citus: boolean }): void {
  const query = client.query.bind(client) as (...parts: unknown[]) => unknown // one of eight overloads
  const writesTooLate = watchTransactions()
  const commitsAlone = watchCommits()
  const checked = (...parts: unknown[]): unknown => {
    const text = textOf(parts[0])
    if (text !== undefined) noteTestFile(() => readsSpread.test(text))
    const why = text === undefined ? undefined : judge(text)
    if (why !== undefined) throw new Error(`Not for a distributed database: ${why}\n${text}`)
    if (citus && text !== undefined && isWrittenAtOnce(text))
      throw new Error(`Several tables in one statement, on a distributed database:\n${text}`)
    if (citus && text !== undefined && asksRowByRow(text))
      throw new Error(`A question for each row, on a distributed database:\n${text}`)
    if (citus && text !== undefined && sharesRowLocks(text))
      throw new Error(`Shared row locks, which deadlock on a distributed database:\n${text}`)
    if (text !== undefined && writesTooLate(text) && citus)
      throw new Error(`After work on many shards, on a distributed database:\n${text}`)
    if (!citus || text === undefined) return query(...parts)
    if (/^\s*commit\b/i.test(text) && commitsAlone(text))
      throw new Error(
        'A commit of rows on the coordinator and on one worker, which may commit alone: call commitEverywhere',
      )
    const answer = query(...parts)
    if (!(answer instanceof Promise)) return answer
    return answer.then((result: { rowCount?: number | null }) => {
      commitsAlone(text, result.rowCount ?? undefined)
      return result
    })
  }
  client.query = checked as typeof client.query // the same overloads
}

const judged = new Map<string, string | undefined>()

/** {@link whyUnportable}, once for each text: tests send the same ones over and over. */
function judge(text: string): string | undefined {
  if (!judged.has(text)) {
    if (judged.size > MOST_JUDGED) judged.clear()
    judged.set(text, whyUnportable(text))
  }
  return judged.get(text)
}

const MOST_JUDGED = 5_000

/** A query is a text, or an object that has one. */
function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query
  const isNamed = typeof query === 'object' && query !== null && 'text' in query
  return isNamed && typeof query.text === 'string' ? query.text : undefined
}
