import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import {
  asksRowByRow,
  forbiddenForms,
  isWrittenAtOnce,
  whyUnportable,
} from '../../test/portability-rules.ts'

const apiDir = join(import.meta.dirname, '../..')

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

test.each(forbiddenForms)('no statement uses %s', (_, form) => {
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
  ['insert into a values (1) on conflict (b) do update set c = (select 1)'],
  ['select 1 from a tablesample system (1)'],
  ['create table a (b bigserial not null)'],
])('the search would find: %s', (statement) => {
  expect(forbiddenForms.filter(([, form]) => form.test(statement))).toHaveLength(1)
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

test.each([
  ['select from clicks where agent_id = $1 for update'],
  ['select * from "sale_events" as "event" for update skip locked'],
  ['update clicks set agent_id = 2 where agent_id = 1'],
  ['select from clicks join sale_events as sale on sale.click_id = clicks.nonce'],
  [
    'select from clicks left join "totals_day_agent" as day on day.office_id = clicks.office_id where true',
  ],
  ['set timezone to utc'],
  ['with recursive t as (select from clicks) select from t'],
])('a test would refuse to send: %s', (statement) => {
  expect(whyUnportable(statement)).toBeDefined()
})

test.each([
  ['select from waiting_postbacks for update skip locked'],
  ['select from agents where id = $1 for update'],
  ['with recursive t as (select from audit_log) select from t'],
  ["select 'for update' from clicks"],
  [
    'select from clicks join sale_events as sale on sale.agent_id = clicks.agent_id and sale.click_id = $1',
  ],
  ['select from clicks join offices as office on office.id = clicks.office_id'],
  ['delete from totals_day_agent where agent_id = $1'],
])('a test would send: %s', (statement) => {
  expect(whyUnportable(statement)).toBeUndefined()
})

test('what is written within a statement is told from what is only read there', () => {
  expect(
    isWrittenAtOnce('with a as (insert into sale_keys values (1) returning 1) select from a'),
  ).toBe(true)
  expect(isWrittenAtOnce('with a as (insert into postbacks values (1)) select from a')).toBe(false)
  expect(isWrittenAtOnce('with a as (select from clicks) select from a')).toBe(false)
})

test('a question for each row is told from one about an agent', () => {
  const ask = (condition: string) =>
    `select from sites as site where exists (select from totals_day_agent_type as sold where ${condition})`
  expect(asksRowByRow(ask('sold.site_id = site.id'))).toBe(true)
  expect(asksRowByRow(ask('"agent_id" = $1 and sold.site_id = site.id'))).toBe(false)
  expect(asksRowByRow('select exists (select from postbacks)')).toBe(false)
})
