import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const apiDir = join(import.meta.dirname, '../..')

/**
 * Forms that work on one PostgreSQL of today and fail, or lie, on a Citus cluster or on PostgreSQL 15.
 * docs/decisions.md says why the same SQL has to run on both.
 */
const forbidden: [what: string, form: RegExp][] = [
  ['rollup, cube, grouping sets', /\b(rollup|cube)\s*\(|\bgrouping\s+sets\b/i],
  ['lateral joins', /\bjoin\s+lateral\b|,\s*lateral\s*\(|\.(inner|left|cross)JoinLateral\(/i],
  ['merge', /\bmerge\s+into\b|\.mergeInto\(/i],
  ['ctid', /\bctid\b/i],
  [
    'functions after PostgreSQL 15',
    /\b(uuidv7|uuidv4|any_value|json_table|json_array|random_normal)\s*\(/i,
  ],
  ['returning old or new', /\breturning\s+(old|new)\./i],
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
  ['serial columns', /\b(small|big)?serial\b(?=\s*(,|not|primary|\n))/i],
]

const files = ['migrations', 'src', 'seeds'].flatMap((dir) =>
  readdirSync(join(apiDir, dir), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(sql|ts)$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => join(apiDir, dir, name)),
)

/** SQL of a file: all of a migration; of a program, its text without comments. */
function sqlOf(file: string): string {
  const text = readFileSync(file, 'utf8')
  return file.endsWith('.sql')
    ? text.replaceAll(/--.*$/gm, '')
    : text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, '')
}

test.each(forbidden)('no statement uses %s', (_, form) => {
  const found = files.filter((file) => form.test(sqlOf(file))).map((file) => relative(apiDir, file))
  expect(found).toEqual([])
})

test.each([
  ['select a, sum(b) from t group by rollup (a)'],
  ['select * from a cross join lateral (select 1) b'],
  ['merge into a using b on true when matched then delete'],
  ['delete from a where ctid = $1'],
  ['select uuidv7()'],
  ['update a set b = 1 returning old.b'],
  ['create trigger t before update on a execute function f()'],
  ['create or replace function f() returns int language sql as $$ select 1 $$'],
  ['set search_path to x'],
  ['select pg_advisory_lock(1)'],
  ['create temp table a (b int)'],
  ['insert into a values (1) on conflict (b) do update set c = now()'],
  ['create table a (b bigserial not null)'],
])('the search would find: %s', (statement) => {
  expect(forbidden.filter(([, form]) => form.test(statement))).toHaveLength(1)
})

test('every table names its constraints', () => {
  const nameless = files
    .filter((file) => file.endsWith('.sql'))
    .flatMap(
      (file) =>
        sqlOf(file).match(
          /^(?!.*\bconstraint\b).*\b(primary key|references|unique \(|check \().*$/gim,
        ) ?? [],
    )
    // The rest of a constraint that began on a line before.
    .filter((line) => !/^\s*(\(|or |and |\))/.test(line))
  expect(nameless).toEqual([])
})
