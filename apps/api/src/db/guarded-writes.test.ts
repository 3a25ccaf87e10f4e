import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { buildLinkType, buildSite } from '../../test/build-world.ts'
import { testDatabase } from '../../test/database.ts'
import { findDecidingWrite, guardingMoney, payingNobody } from './guarded-writes.ts'
import { inTransaction } from './transaction.ts'

const { db } = await testDatabase()

test.each([
  ['insert into adjustments (amount) values ($1)', 'adjustments'],
  ['INSERT INTO "public"."adjustments" as a (amount) select 1', 'adjustments'],
  ['with a as (insert into "rates" (type_id) values (1) returning id) select id from a', 'rates'],
  ['with a as (select 1) update only sale_events set payout_centavos = 0', 'sale_events'],
  ['delete from avp_tiers where valid_from = $1', 'avp_tiers'],
  ['truncate table bookings', 'bookings'],
  ['merge into pay_holds using a on true when matched then delete', 'pay_holds'],
  ['copy statements from stdin', 'statements'],
  ['/* delete */ select 1; insert into former_site_flags values (1)', 'former_site_flags'],
  ['update sites set active = $1, "avp" = $2 where id = $3', 'sites.avp'],
  ['update "sites" as "site" set (note, event_words) = ($1, $2)', 'sites.eventWords'],
  ['update sites set note = (select x from y where z), avp = true', 'sites.avp'],
  ['with s as (update sites set avp = true) select 1', 'sites.avp'],
  ['insert into sites (sitename, tracker) values ($1, $2)', 'sites.tracker'],
  ['insert into sites values (1)', 'sites.useApproveSale'],
  [
    'insert into sites (sitename) values ($1) on conflict (id) do update set avp = excluded.avp',
    'sites.avp',
  ],
  ['delete from sites', 'sites.useApproveSale'],
  ['update link_types set bonus = not bonus', 'link_types.bonus'],
  ['update agents set fraud_flagged_at = null, version = version + 1', 'agents.fraudFlagged'],
  ['update agents set office_id = 2', 'agents.officeId'],
])('%s decides money', (statement, what) => {
  const write = findDecidingWrite(statement)
  expect(write && [write.table, write.field].filter(Boolean).join('.')).toBe(what)
})

test.each([
  ['select id from sites where id = $1 for no key update of sites'],
  ['update sites set active = $1, version = version + 1 where id = $2 and avp <> $3'],
  ['update sites set note = $1 from link_types where link_types.bonus'],
  ['update sites set note = $1 returning avp'],
  ['with s as (update sites set note = $1) select avp from sites'],
  ['insert into sites (sitename, note) values ($1, $2) returning avp'],
  ['insert into agents (office_id) values ($1)'],
  ["update agents set must_read = 'update sites set avp = true'"],
  ['select 1 -- delete from adjustments'],
  ['insert into account_hands (kind) values ($1)'],
  ['insert into pay_seals (number) values ($1)'],
  ['insert into passkey_changes (kind) values ($1)'],
  ['insert into facts (kind) select kind from adjustments'],
  ['update link_types set backdated = backdated + 1'],
])('%s does not', (statement) => {
  expect(findDecidingWrite(statement)).toBeUndefined()
})

class Refused extends Error {}
const refused = ({ table, field = '' }: { table: string; field?: string }) =>
  new Refused(`${table} ${field}`)

describe('a guarded call', () => {
  test('writes nothing that decides money, in whatever way, and nothing beside it', async () => {
    const siteId = await buildSite(db)
    await buildLinkType(db, { site_id: siteId })
    const avp = async () =>
      await db
        .selectFrom('sites')
        .select(['avp', 'note'])
        .where('id', '=', siteId)
        .executeTakeFirst()
    const before = await avp()
    const ways: (() => Promise<unknown>)[] = [
      () => db.updateTable('sites').set({ avp: true }).where('id', '=', siteId).execute(),
      () => sql`update sites set avp = true where id = ${siteId}`.execute(db),
      () =>
        inTransaction(db, async (tx) => {
          await tx.updateTable('sites').set({ note: 'beside' }).where('id', '=', siteId).execute()
          await sql`
            with changed as (update sites set avp = true where id = ${siteId} returning id)
            select id from changed
          `.execute(tx)
        }),
    ]
    for (const way of ways)
      await expect(guardingMoney(refused, way)).rejects.toThrow(new Refused('sites avp'))
    expect(await avp()).toEqual(before)
  })

  test('writes all else, and reads', async () => {
    const siteId = await buildSite(db)
    await guardingMoney(refused, () =>
      inTransaction(db, async (tx) => {
        await tx.selectFrom('rates').selectAll().execute()
        await tx.updateTable('sites').set({ note: 'said' }).where('id', '=', siteId).execute()
      }),
    )
    const { note } = await db
      .selectFrom('sites')
      .select('note')
      .where('id', '=', siteId)
      .executeTakeFirstOrThrow()
    expect(note).toBe('said')
  })

  test('may do what pays nobody, and what it leaves running is guarded no more', async () => {
    const siteId = await buildSite(db)
    const turnOn = async () => {
      await sql`update sites set avp = not avp where id = ${siteId}`.execute(db)
    }
    await guardingMoney(refused, () => payingNobody(turnOn))
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    const background = await guardingMoney(refused, async () => ({ work: isOver.then(turnOn) }))
    resolve()
    await expect(background.work).resolves.toBeUndefined()
  })
})

test('two acts are exempt: one stops payments, the other is rolled back', () => {
  const src = join(import.meta.dirname, '..')
  const callers = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      !name.includes('guarded-writes') &&
      readFileSync(join(src, name), 'utf8').includes('payingNobody('),
  )
  expect(callers.toSorted()).toEqual([
    'pay/accounts/disown-account.ts',
    'tracking/postbacks/settle-held.ts',
  ])
})
