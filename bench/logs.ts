import { deepStrictEqual } from 'node:assert'
import { clickLogsSearchSchema } from '@tallyroom/contract/desk/click-logs'
import { saleLogsSearchSchema } from '@tallyroom/contract/desk/sale-logs'
import { decodeClickId } from '@tallyroom/domain/click-id'
import { addDays, type Day, dayOf, endOfDayExclusive, startOfDay } from '@tallyroom/domain/new-york'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../apps/api/src/access/viewer.ts'
import { parseConfig } from '../apps/api/src/config.ts'
import type { Db } from '../apps/api/src/db/database.ts'
import { searchClickLogs } from '../apps/api/src/desk/click-logs/search-click-logs.ts'
import { makeClickIds } from '../apps/api/src/tracking/clicks/click-id-signer.ts'
import { searchSaleLogs } from '../apps/api/src/desk/sale-logs/search-sale-logs.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { line, withBigWorld } from './big-world.ts'
import { median, msOf } from './measure.ts'

const rounds = 5
const pageSize = 50

type Page = { keys: string[]; total: number }
type Question = {
  name: string
  ask: (db: Db, page: number) => Promise<Page>
  naively: (db: Db, page: number) => Promise<Page>
}

/**
 * Measures the logs of clicks and sales over a year: first, middle and last page. Alternates with a naive
 * implementation, a count and a page of the sorted rows, and reports medians. Fails if a page or total differs.
 * `DATABASE_URL` and `SCALE` as for bench:stats.
 */
async function compare(db: Db): Promise<void> {
  const { rows } = await sql<{ clicks: number; events: number; last: Date }>`
    select count(*) as clicks, max(clicked_at) as last, (select count(*) from sale_events) as events
    from clicks
  `.execute(db)
  const [world] = rows
  if (!world) throw new Error('a count always has a row')
  console.log(`\n${world.clicks} clicks, ${world.events} events; a year; median ms\n`)
  console.log(line('', 'rows', 'first', 'middle', 'last', 'naive first', 'naive last'))
  const wrong: string[] = []
  for (const question of await questionsOf(db, dayOf(world.last))) {
    wrong.push(...(await measure(db, question)))
  }
  console.log(
    wrong.length === 0
      ? '\nAll answers match the naive query.'
      : `\n${wrong.length} answers are WRONG.\n\n${wrong.join('\n\n')}`,
  )
  if (wrong.length > 0) process.exitCode = 1
}

/** Prints a line and returns wrong answers. */
async function measure(db: Db, { name, ask, naively }: Question): Promise<string[]> {
  const { total } = await ask(db, 1)
  const last = Math.max(1, Math.ceil(total / pageSize))
  const pages = [1, Math.ceil(last / 2), last]
  const ours: number[] = []
  const naive: number[] = []
  const wrong: string[] = []
  for (const page of pages) {
    try {
      deepStrictEqual(await ask(db, page), await naively(db, page))
    } catch (error) {
      wrong.push(`${name}, page ${page}: ${error instanceof Error ? error.message : String(error)}`)
    }
    const times = { ours: [] as number[], naive: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.ours.push(await msOf(() => ask(db, page)))
      // Only once, as it may take seconds.
      if (round === 0) times.naive.push(await msOf(() => naively(db, page)))
    }
    ours.push(median(times.ours))
    naive.push(median(times.naive))
  }
  const cells = [...ours, naive[0] ?? 0, naive[2] ?? 0].map((ms) => ms.toFixed(1))
  console.log(line(name, String(total), ...cells))
  return wrong
}

async function questionsOf(db: Db, today: Day): Promise<Question[]> {
  const range = { start: addDays(today, -364), end: today }
  const { rows } = await sql<{
    office: number
    agent: number
    site: number
    ip: string
  }>`
    select office_id as office, agent_id as agent, site_id as site, host(ip) as ip
    from clicks
    join link_types on link_types.id = type_id
    where clicked_at >= ${startOfDay(addDays(today, -100))}
    order by clicked_at
    limit 1
  `.execute(db)
  const [one] = rows
  if (!one) throw new Error('the big world has clicks')
  const { office, agent, site, ip } = one
  const clicks = (name: string, filter: object, where: RawBuilder<unknown>[]) =>
    clickQuestion(`clicks ${name}`, { ...range, ...filter }, [
      ...where,
      within(range, 'clicked_at'),
    ])
  const sales = (name: string, filter: object, where: RawBuilder<unknown>[]) =>
    saleQuestion(`sales ${name}`, { ...range, ...filter }, [...where, within(range, 'occurred_at')])
  const of = {
    office: sql`office_id = ${office}`,
    agent: sql`agent_id = ${agent}`,
    site: sql`site_id = ${site}`,
  }
  const ofTypes = sql`type_id in (select id from link_types where ${of.site})`
  return [
    clicks('of everybody', {}, []),
    clicks('of an office', { companyId: office }, [of.office]),
    clicks('of an agent', { agentId: agent }, [of.agent]),
    clicks('on a site', { siteId: site }, [ofTypes]),
    clicks('of an office on a site', { companyId: office, siteId: site }, [of.office, ofTypes]),
    clicks('of an address', { ipAddress: ip }, [sql`ip = ${ip}::inet`]),
    sales('of everybody', {}, []),
    sales('of an office', { companyId: office }, [of.office]),
    sales('of an agent', { agentId: agent }, [of.agent]),
    sales('on a site', { siteId: site }, [of.site]),
    sales('taken back', { recordType: 'reversal' }, [sql`quantity = -1`]),
  ]
}

const within = ({ start, end }: { start: Day; end: Day }, column: string) => sql`
  ${sql.ref(column)} >= ${startOfDay(start)} and ${sql.ref(column)} < ${endOfDayExclusive(end)}`

const superadmin: Viewer = {
  accountId: 1,
  sessionId: '00000000-0000-7000-8000-000000000000',
  username: 'bench',
  permissions: [],
  signedInBy: undefined,
  role: 'superadmin',
  officeId: undefined,
  agentId: undefined,
}

const clickIds = makeClickIds(Buffer.alloc(32))

const clickQuestion = (name: string, body: object, where: RawBuilder<unknown>[]): Question => ({
  name,
  async ask(db, page) {
    const services = { db, reportDb: db, clock: systemClock, config: parseConfig({}), clickIds }
    const search = clickLogsSearchSchema.parse({ ...body, page, pageSize })
    const { items, total } = await searchClickLogs(services, superadmin, search)
    const keys = items.map(({ id }) => {
      const click = decodeClickId(id)
      return [click?.clickedAtMs, click?.agentId, click?.nonce].join(' ')
    })
    return { keys, total }
  },
  naively: (db, page) =>
    askNaively(db, page, where, {
      table: 'clicks',
      key: sql`round(extract(epoch from clicked_at) * 1000)::bigint || ' ' || agent_id || ' ' || nonce`,
      order: sql`clicked_at desc, agent_id desc, nonce desc`,
    }),
})

const saleQuestion = (name: string, body: object, where: RawBuilder<unknown>[]): Question => ({
  name,
  async ask(db, page) {
    const search = saleLogsSearchSchema.parse({ ...body, page, pageSize })
    const { items } = await searchSaleLogs({ db, clickIds }, superadmin, search)
    return { keys: items.items.map(({ id }) => id), total: items.total }
  },
  naively: (db, page) =>
    askNaively(db, page, where, {
      table: 'sale_events',
      key: sql`id::text`,
      order: sql`occurred_at desc, id`,
    }),
})

async function askNaively(
  db: Db,
  page: number,
  where: RawBuilder<unknown>[],
  { table, key, order }: { table: string; key: RawBuilder<unknown>; order: RawBuilder<unknown> },
): Promise<Page> {
  const found = sql`from ${sql.table(table)} where ${sql.join(where, sql` and `)}`
  const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  const { rows } = await sql<{ key: string }>`
    select ${key} as key ${found} order by ${order} limit ${pageSize} offset ${(page - 1) * pageSize}
  `.execute(db)
  return { keys: rows.map((row) => row.key), total: counted.rows[0]?.total ?? 0 }
}

await withBigWorld('bench:logs', compare)
