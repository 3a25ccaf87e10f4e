import type { Endpoint } from '@tallyroom/contract/endpoint'
import { endpoints } from '@tallyroom/contract/endpoints'
import { ERROR_CODE_HEADER, errorStatus } from '@tallyroom/contract/errors'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import {
  buildFirstLink,
  buildHome,
  type Caller,
  callers,
  objects,
  signedIn,
} from './access-matrix-world.ts'
import { type Case, matrix, type Sent } from './access-matrix.ts'
import { openDatabase } from '../src/db/database.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'
import { execute } from './test-server.ts'

const database = await testDatabase()
const services = testServices(database)
await buildFirstLink(database.db)
const app = await buildApp(services)
afterAll(async () => {
  await app.close()
  // Crawler visits are stored seconds later, and would look like a change made by another call.
  expect(await database.db.selectFrom('crawler_visits').selectAll().execute()).toEqual([])
})
await vi.waitFor(async () => expect((await app.inject('/api/health')).statusCode).toBe(200), 60_000)

/** The callers for whom foreign objects do not exist. */
const outsiders: readonly Caller[] = ['nobody', 'agent', 'office']

/**
 * Statuses that refuse access. A refused call must change nothing, so one world serves all refused
 * callers of a row.
 */
const refusals = new Set(['401', '403', '404'])

const changes = await watchChanges()

const names = Object.keys(endpoints) as (keyof typeof endpoints)[]

test('every endpoint has its expectations in the matrix', () => {
  expect(Object.keys(matrix).toSorted()).toEqual(names.toSorted())
})

/** On Citus, objects take seconds to build: one endpoint in five is asked, drawn anew each time. `TESTS=every` asks all. */
const isDrawn = database.layout === 'distributed' && process.env['TESTS'] !== 'every'
const asked = names.filter((name) => name in matrix && !(isDrawn && Math.random() > 0.2))

describe.each(asked)('%s', (name) => {
  test.each(matrix[name].map((one) => [one.kind ?? 'nothing', one] as const))(
    'answers about %s as declared',
    async (_, expected) => {
      const answers = await askAll(name, expected)
      expect(statusesOf(answers)).toEqual(expected.answers)
      for (const answer of answers)
        expect(codeOf(answer.response)).toBe(expectedCode(answer.response))
      for (const caller of outsiders) {
        const told = new Set(
          answers
            .filter((one) => one.caller === caller && isHidden(one.target, caller))
            .map(({ response }) => whatIsTold(response)),
        )
        expect(told.size, `${caller}: foreign and missing read alike`).toBeLessThanOrEqual(1)
      }
    },
  )
})

type Answer = { target: string; caller: Caller; response: LightMyRequestResponse }

const isRead = ({ method, action }: Endpoint) => method === 'GET' && reads.has(action)
const reads = new Set<Endpoint['action']>(['none', 'VIEW', 'SEARCH', 'EXPORT'])

let calls = 0

/** Each call comes from its own address; each successful one gets its own object. */
async function askAll(name: keyof typeof endpoints, { kind, sentFor, answers }: Case) {
  const given: Answer[] = []
  const build = async (target: string): Promise<World> => {
    const home = await buildHome(database.db)
    const one = kind && (objects[kind] as Record<string, typeof objects.office.own>)[target]
    return { home, sent: sentFor((await one?.(database.db, home)) as never) }
  }
  const ask = async (target: string, caller: Caller, { home, sent }: World, token: Token) => {
    const response = await send(app, endpoints[name], sent, {
      token: await (token ?? signedIn(services, caller, home)),
      ip: `10.0.${Math.floor(++calls / 250)}.${calls % 250}`,
    })
    given.push({ target, caller, response })
  }
  for (const [target, row] of Object.entries(answers)) {
    const expected = row.split(' ')
    const isRefused = (caller: Caller) => refusals.has(expected[callers.indexOf(caller)] ?? '')
    const refused = callers.filter(isRefused)
    if (refused.length > 0) {
      const world = await build(target)
      const tokens = await allOf(
        refused.map((caller) => () => signedIn(services, caller, world.home)),
      )
      await changes.forget()
      await Promise.all(
        refused.map((caller, n) => ask(target, caller, world, Promise.resolve(tokens[n]))),
      )
      expect(await changes.tables(), `${target}: changed for those who were refused`).toEqual(
        name.startsWith('postbackBy') ? ['postbacks'] : [],
      )
    }
    // Postbacks with a wrong key are stored for inspection.
    // A call without an object can change what the next caller finds, so these run one after another.
    const isApart = kind !== undefined || isRead(endpoints[name])
    const others = callers.filter((caller) => !isRefused(caller))
    const asking = others.map(
      (caller) => async () => ask(target, caller, await build(target), undefined),
    )
    if (isApart) await allOf(asking)
    else for (const one of asking) await one()
  }
  return given.toSorted((a, b) => callers.indexOf(a.caller) - callers.indexOf(b.caller))
}

/**
 * All at once. On Citus, concurrent changes of offices, agents and accounts can deadlock, so there
 * one by one.
 */
async function allOf<T>(works: readonly (() => Promise<T>)[]): Promise<T[]> {
  if (database.layout === 'together') return Promise.all(works.map((work) => work()))
  const done: T[] = []
  for (const work of works) done.push(await work())
  return done
}

type World = { home: Awaited<ReturnType<typeof buildHome>>; sent: Sent }
type Token = Promise<string | undefined> | undefined

const isHidden = (target: string, caller: Caller) =>
  target === 'missing' || target === 'foreign' || (target === 'colleague' && caller !== 'office')

/** The answer in the notation of the matrix. */
function statusesOf(answers: Answer[]): Record<string, string> {
  const rows: Record<string, string[]> = {}
  for (const { target, response } of answers)
    (rows[target] ??= []).push(String(response.statusCode))
  return Object.fromEntries(Object.entries(rows).map(([target, row]) => [target, row.join(' ')]))
}

const isJson = (headers: LightMyRequestResponse['headers']): boolean =>
  headers['content-type']?.toString().startsWith('application/json') ?? true

/** The error code, if body and header agree. Pages for visitors and downloads have none. */
function codeOf({ headers, body }: LightMyRequestResponse): unknown {
  if (!isJson(headers)) return undefined
  const { code } = (body === '' ? {} : JSON.parse(body)) as { code?: unknown }
  const header = headers[ERROR_CODE_HEADER]
  return code === header ? code : { code, header }
}

function expectedCode({ statusCode, headers }: LightMyRequestResponse): string | undefined {
  if (!isJson(headers)) return undefined
  return Object.entries(errorStatus).find(([, status]) => status === statusCode)?.[0]
}

/** Everything that could leak information: the answer without its time and generated ids. */
const whatIsTold = ({ statusCode, headers, body }: LightMyRequestResponse): string =>
  JSON.stringify([statusCode, { ...headers, date: '' }, body]).replaceAll(UUID, 'an id')

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g

/** The tables the app has written to since the last reset, except the log of all calls. */
async function watchChanges() {
  const { connection } = database
  await execute(
    connection,
    `
    create table noted_changes (table_name text not null);
    create function note_change() returns trigger language plpgsql security definer as $$
      declare
        -- Of a part of a table, the table.
        changed name := coalesce(pg_partition_root(tg_relid), tg_relid)::regclass;
      begin
        -- Mails are sent meanwhile: only who writes one changes something.
        if changed <> 'mails' or tg_op = 'INSERT' then
          insert into public.noted_changes values (changed);
        end if;
        return null;
      end
    $$;
    do $$
      declare
        one regclass;
      begin
        for one in
          select oid from pg_class
          where relkind in ('r', 'p') and not relispartition
            and relnamespace = 'public'::regnamespace and relname <> 'noted_changes'
        loop
          begin
            execute format(
              'create trigger note_change after insert or update or delete on %s
                for each row execute function note_change()',
              one
            );
          exception when internal_error or feature_not_supported then
            null; -- Citus has no triggers on tables that are not the coordinator's own
          end;
        end loop;
      end
    $$`,
  )
  const owner = openDatabase(connection, {
    max: 1,
    applicationName: 'tallyroom tests',
    asOwner: true,
  })
  afterAll(() => owner.close())
  return {
    forget: () => owner.pool.query('truncate noted_changes'),
    async tables(): Promise<string[]> {
      const { rows } = await owner.pool.query<{ table_name: string }>(
        `select distinct table_name from noted_changes
         where table_name not in ('audit_log', 'audit_head') order by 1`,
      )
      return rows.map(({ table_name }) => table_name)
    },
  }
}
