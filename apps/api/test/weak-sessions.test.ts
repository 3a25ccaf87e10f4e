import type { Endpoint } from '@tallyroom/contract/endpoint'
import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { decidesMoney, decidingColumns } from '../src/db/tables-of-pay.ts'
import { hashPassword } from '../src/lib/password.ts'
import { buildHome, callers, type Home, objects } from './access-matrix-world.ts'
import { matrix } from './access-matrix.ts'
import { buildAccount } from './build-world.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'
import { partnerEnvironment, password, waysIn } from './ways-in.ts'

/*
 * Whoever has a session that the holder did not open by their password can work in it. But whatever they call, its holder
 * hears of everything as before, nobody else hears more, and nothing that decides money is changed.
 */

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: partnerEnvironment })
const app = await buildApp(services)
afterAll(() => app.close())
const { signIn, signInByPartner, signInAs } = waysIn(app, services.clock)
await buildAccount(db, { username: 'root' })
const password_hash = await hashPassword(password)

const people = ['agent', 'office'] as const
type Person = (typeof people)[number]
let home: Home
const whose: Record<Person, { id: number; username: string }> = {
  agent: { id: 0, username: '' },
  office: { id: 0, username: '' },
}

beforeEach(async () => {
  services.clock.set('2026-03-01T15:00:00Z')
  home = await buildHome(db)
  await db.updateTable('accounts').set({ password_hash, must_change_password: false }).execute()
  whose.agent = await holder('agent_id', home.agentId)
  whose.office = await holder('office_id', home.officeId)
})

const ways = {
  'by a partner': signInByPartner,
  'with Sign in as': async (username: string) => {
    const as =
      username === whose.agent.username ? { agentId: home.agentId } : { companyId: home.officeId }
    return (await signInAs(await signIn('root'), as)).token
  },
}

const table: Record<EndpointName, Endpoint> = endpoints
const names = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => table[name].ability !== 'public' && !name.startsWith('export'),
)

/** Each call that an agent or office can make, with a body that succeeds. */
const calls = names.flatMap((name) =>
  matrix[name].flatMap(({ kind, sentFor, answers }) => {
    const target = 'own' in answers ? 'own' : 'any'
    const statuses = (answers[target] ?? '').split(' ')
    return people
      .filter((person) => statuses[callers.indexOf(person)] === '200')
      .map((person) => ({ name, kind, sentFor, target, person }))
  }),
)

describe.each(Object.entries(ways))('signed in %s', (way, signInWeakly) => {
  test.each(calls)(
    '$name of the $person takes nothing away from what they are told, and decides nothing about money',
    async (one) => {
      const { id, username } = whose[one.person]
      const build =
        one.kind && (objects[one.kind] as Record<string, typeof objects.office.own>)[one.target]
      const sent = one.sentFor((await build?.(db, home)) as never)
      const token = await signInWeakly(username)
      const [told, decided] = [await toldTo(id), await decidingMoney()]
      await send(app, table[one.name], sent, { token })
      expect(await toldTo(id)).toEqual(told)
      const after = await decidingMoney()
      expect([...after.keys()].filter((name) => after.get(name) !== decided.get(name))).toEqual(
        one.name === 'disownAccount' && way === 'by a partner' ? stopped : [],
      )
    },
  )
})

/** All that decides what is told of an account and to whom: addresses, choices, mailed views, postbacks, tokens, sessions. */
async function toldTo(id: number): Promise<unknown> {
  const { rows } = await sql`
    select
      account.email, account.username, account.password_hash, office.man_email,
      (select jsonb_agg(choice order by topic) from notification_choices as choice where account_id = ${id}) as choices,
      (select jsonb_agg(to_jsonb(target) - 'last_sent_at' order by target.id) from postback_targets as target
        where target.agent_id = account.agent_id or target.office_id = account.office_id) as postbacks,
      (select jsonb_agg(token order by token.id) from api_tokens as token where account_id = ${id}) as tokens,
      (select jsonb_agg(jsonb_build_array(view.id, view.url, view.mail) order by view.id)
        from saved_views as view where account_id = ${id} and view.mail is not null) as views,
      (select count(*) from sessions as session
        where account_id = ${id} and signed_in_by is null and proved_at is not null and ended_at is null) as sessions
    from accounts as account
    left join offices as office on office.id = account.office_id
    where account.id = ${id}
  `.execute(db)
  return rows
}

/** *That wasn't me* only stops payments, so that whoever is signed in for a payee may say it. */
const stopped = ['pay_holds', 'payee_account_decisions']

/** Everything that decides money: by table, its rows as text, or those of its columns that do. */
async function decidingMoney(): Promise<ReadonlyMap<string, string | null>> {
  const rowsOf = (name: string) => {
    const columns = decidingColumns.get(name)
    const row = columns
      ? sql`jsonb_build_array(${sql.join(['id', ...columns.keys()].map((column) => sql.ref(column)))})`
      : sql`to_jsonb(${sql.table(name)}.*)`
    return sql`
      select ${name} as name, jsonb_agg(${row} order by ${row})::text as rows from ${sql.table(name)}
    `
  }
  const tables = await moneyTables
  const { rows } = await sql<{ name: string; rows: string | null }>`
    ${sql.join(tables.map(rowsOf), sql` union all `)}
  `.execute(db)
  return new Map(rows.map(({ name, rows: text }) => [name, text]))
}

const moneyTables = sql<{ name: string }>`
  select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  order by relname
`
  .execute(db)
  .then(({ rows }) =>
    rows.map(({ name }) => name).filter((name) => decidesMoney(name) || decidingColumns.has(name)),
  )

function holder(column: 'office_id' | 'agent_id', of: number) {
  return db
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where(column, '=', of)
    .executeTakeFirstOrThrow()
}
