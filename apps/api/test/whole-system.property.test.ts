import { groupings, statsGroupings } from '@tallyroom/contract/figures/stats-table'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { statsCriteriaSchema, type StatsRow } from '@tallyroom/contract/figures/statistics'
import { REVERSALS } from '@tallyroom/domain/event-types'
import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { openSpool } from '../src/tracking/clicks/click-spool.ts'
import { startNonces, startUnstoredNonces } from '../src/tracking/clicks/click-id-signer.ts'
import { startVisitLimit } from '../src/tracking/clicks/visit-limit.ts'
import { startKnownTexts } from '../src/tracking/clicks/clicks-to-store.ts'
import { storeClicks } from '../src/tracking/clicks/clicks.queries.ts'
import { buildDestinations } from '../src/tracking/destinations/destinations.ts'
import { findLinkFacts } from '../src/tracking/destinations/destinations.queries.ts'
import type { Click } from '../src/tracking/clicks/click.ts'
import { loadSpool } from '../src/tracking/clicks/load-spool.ts'
import { decideClick } from '../src/tracking/clicks/decide-click.ts'
import { foldTotals, LEVELS, verifyTotals } from '../src/totals/index.ts'
import { buildIpMatcher } from '../src/people/blacklist/ip-matcher.ts'
import { makeInbound } from '../src/tracking/postbacks/inbound.ts'
import { settleWaiting } from '../src/tracking/postbacks/settle-waiting.ts'
import { findTierPay } from '../src/pay/index.ts'
import { settleHeld } from '../src/tracking/postbacks/settle-held.ts'
import { receivePostback } from '../src/tracking/postbacks/receive-postback.ts'
import { statsReport } from '../src/figures/statistics/report.ts'
import { silentLog } from '../src/lib/log/log.ts'
import {
  buildAgent,
  buildFee,
  buildLinkType,
  buildOffice,
  buildRate,
  buildSite,
} from './build-world.ts'
import { viewer } from './call-routes.ts'
import { emptyTables, testDatabase } from './database.ts'
import { testServices } from './services.ts'
import {
  groupCounted,
  keyOf,
  type ModelClick,
  type ModelOutcome,
  type ModelType,
  numbers,
  type RateTable,
  startModel,
  subIn,
  type When,
} from './whole-system-model.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const { clock } = services
const inbound = makeInbound(services)
const openSession = async () => {
  const session = new pg.Client({ connectionString: connection.url })
  await session.connect()
  return session
}
const session = await openSession()
const spoolDir = await mkdtemp(join(tmpdir(), 'tallyroom-spool-'))
afterAll(async () => {
  await session.end()
  await rm(spoolDir, { recursive: true })
})

/** The edges of New York days: an ordinary one, one of 23 hours, and one of 25. */
const seasons = [
  [
    '2026-05-14T03:59:59.999Z',
    '2026-05-14T04:00:00.000Z',
    '2026-05-14T18:00:00.000Z',
    '2026-05-15T03:59:59.999Z',
    '2026-05-15T04:00:00.000Z',
  ],
  [
    '2026-03-08T04:59:59.999Z',
    '2026-03-08T05:00:00.000Z',
    '2026-03-08T07:00:00.000Z',
    '2026-03-09T03:59:59.999Z',
    '2026-03-09T04:00:00.000Z',
  ],
  [
    '2026-11-01T03:59:59.999Z',
    '2026-11-01T04:00:00.000Z',
    '2026-11-01T06:30:00.000Z',
    '2026-11-02T04:59:59.999Z',
    '2026-11-02T05:00:00.000Z',
  ],
] as const

// Two offices, three agents, two sites, one of them with approval, three link types.
const offices = [await buildOffice(db), await buildOffice(db)]
const agents = [
  { id: await buildAgent(db, { office_id: at(offices, 0) }), officeId: at(offices, 0) },
  { id: await buildAgent(db, { office_id: at(offices, 0) }), officeId: at(offices, 0) },
  { id: await buildAgent(db, { office_id: at(offices, 1) }), officeId: at(offices, 1) },
]
const plain = await buildSite(db, { avp: true })
const approving = await buildSite(db, { use_approve_sale: true })
const types: ModelType[] = [
  { id: await buildLinkType(db, { site_id: plain }), siteId: plain, hasBonus: false },
  { id: await buildLinkType(db, { site_id: plain, bonus: true }), siteId: plain, hasBonus: true },
  { id: await buildLinkType(db, { site_id: approving }), siteId: approving, hasBonus: true },
]
const isBlack = buildIpMatcher(['203.0.113.0/28'])
/** The last one is black-listed. */
const addresses = ['192.0.2.1', '192.0.2.2', '2001:db8::1', '203.0.113.9', '2001:db8::ffff:2']
await db
  .updateTable('options')
  .set({ value: '1' })
  .where('name', 'in', ['lpp_visible', 'payout_visible'])
  .execute()

/** Every amount is different, so that no two mistakes can cancel each other out. */
const ratesFor = (type: number, variant: number): RateTable => ({
  sale: {
    earning: 1_000 + type * 31 + variant * 7,
    payout: 50_001 + type * 37 + variant * 11,
    lpp: 1 + variant,
  },
  bonus: {
    earning: 101 + type * 13 + variant * 3,
    payout: 7_003 + type * 17 + variant * 5,
    lpp: 11 + variant,
  },
})

const moment = fc.nat({ max: 4 })
const visit = fc.record({
  agent: fc.nat({ max: 2 }),
  type: fc.nat({ max: 2 }),
  address: fc.nat({ max: 4 }),
  at: moment,
  by: fc.constantFrom('a person', 'a person', 'a person', 'a preview', 'a crawler'),
  /** The dates of its orders' sales, bonuses and reversals, some of them before the click. */
  reportedAt: fc.array(moment, { minLength: 6, maxLength: 6 }),
  namesOrders: fc.boolean(),
  sub1: fc.constantFrom(undefined, 'Post', 'post', 'post 2'),
  sub3: fc.constantFrom(undefined, 'x'),
})
const about = { click: fc.nat({ max: 40 }), order: fc.nat({ max: 1 }) }

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('visit'),
      visits: fc.array(visit, { minLength: 1, maxLength: 4 }),
      isDatabaseUp: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('report'),
      ...about,
      event: fc.constantFrom(0, 0, 1, 2),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('take back'),
      ...about,
      event: fc.constantFrom(0, 1),
      word: fc.constantFrom(...REVERSALS),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('report and take back'),
      ...about,
      event: fc.constantFrom(0, 1),
      word: fc.constantFrom(...REVERSALS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decide'),
      which: fc.nat({ max: 40 }),
      decision: fc.constantFrom('record', 'record', 'refuse'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('move'),
      agent: fc.nat({ max: 2 }),
      office: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change rate'),
      type: fc.nat({ max: 2 }),
      variant: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change fee'),
      type: fc.nat({ max: 2 }),
      office: fc.nat({ max: 1 }),
      variant: fc.integer({ min: 6, max: 9 }),
      isEnabled: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('load the spool') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fold') }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Visit = typeof visit extends fc.Arbitrary<infer V> ? V : never

property.prop([fc.nat({ max: 2 }), fc.array(step, { minLength: 5, maxLength: 40, size: 'max' })], {
  // Slower on a cluster.
  numRuns: services.layout === 'together' ? 20 : 4,
  // A history takes half a second, so shrinking would exceed the time limit and hide what was
  // found.
  endOnFailure: true,
})(
  'after any history, the statistics equal a naive count by every grouping, to the cent',
  async (season, history) => {
    const moments = at(seasons, season)
    const days = moments.map(dayInNewYork)
    const range = { start: at(days, 0), end: at(days, 4) }
    clock.set(moments[4])
    clock.advance(36 * 3_600_000)
    const system = await startAnew(moments)

    for (const one of history) await system.take(one)
    await system.take({ do: 'load the spool' })
    // More than an hour later, a sale whose click never arrived is recorded from its id alone, and
    // its reversal after it.
    for (let rounds = 0; rounds < 4; rounds++) await system.take({ do: 'settle' })

    const held = await db.selectFrom('held_postbacks').select('postback_id').execute()
    expect(held.map((row) => row.postback_id).toSorted()).toEqual(system.model.held().toSorted())
    const { counted } = system.model
    for (const filter of [
      {},
      { siteId: plain },
      { siteId: approving },
      { companyId: at(offices, 1) },
      { agentId: at(agents, 0).id },
      { sub: 'sub1', subId: 'post' } as const,
      { sub: 'sub1', companyId: at(offices, 0) } as const,
    ]) {
      const meant = counted.filter(
        (event) =>
          (filter.siteId ?? event.siteId) === event.siteId &&
          (filter.companyId ?? event.officeId) === event.officeId &&
          (filter.agentId ?? event.agentId) === event.agentId &&
          (!filter.sub || subIn(event.click, filter.sub) === (filter.subId ?? 'none')),
      )
      const ofSite = types.filter(({ siteId }) => siteId === filter.siteId).map(({ id }) => id)
      for (const groupBy of views) {
        const typeIds = groupings[groupBy].hasTypeColumns ? ofSite : []
        const criteria = statsCriteriaSchema.parse({ ...range, ...filter, groupBy, pageSize: 200 })
        const { page, overall } = await statsReport(services, viewer(), 'sites', criteria)
        const rows = new Map(
          page.items.map((row) => [keyOfRow(groupBy, row), numbersOf(row, typeIds)]),
        )
        expect(rows).toEqual(groupCounted(meant, groupBy, typeIds))
        expect(page.total).toBe(rows.size)
        const { earning = 0, bonusEarning = 0, ...sums } = overall
        const all = numbersOf({ ...sums, earn: earning, bonusEarn: bonusEarning }, typeIds)
        expect(all).toEqual(
          groupCounted(meant, 'overall', typeIds).get('overall') ?? numbersOf({}, typeIds),
        )
      }
    }
    expect(await verifyTotals(db)).toEqual([])
  },
)

/** All but two of the sub ids, which are like the others. */
const views = statsGroupings.filter((groupBy) => groupBy !== 'sub4' && groupBy !== 'sub5')

/** An empty system and its model, which both take the steps of a history. */
async function startAnew(moments: readonly string[]) {
  await empty()
  const setting = {
    officeOf: new Map(agents.map(({ id, officeId }) => [id, officeId])),
    rates: new Map<number, RateTable>(),
    fees: new Map<string, RateTable>(),
  }
  for (const { id, officeId } of agents) await move(id, officeId)
  for (const [index, { id }] of types.entries()) await changeRate(id, ratesFor(index, 0))
  let find = buildDestinations(await findLinkFacts(db), silentLog)

  const model = startModel(types, setting)
  const nextNonce = startNonces()
  const limit = startVisitLimit(0)
  const spool = openSpool(spoolDir)
  const store = { ...services, known: startKnownTexts() }
  const clicks: { id: string; visit: Visit; siteId: number; model: ModelClick }[] = []
  let spooled: ModelClick[] = []

  async function move(agentId: number, officeId: number): Promise<void> {
    await db.updateTable('agents').set({ office_id: officeId }).where('id', '=', agentId).execute()
    setting.officeOf.set(agentId, officeId)
  }

  async function changeRate(typeId: number, rates: RateTable): Promise<void> {
    await buildRate(db, { type_id: typeId, ...columnsOf(rates) })
    setting.rates.set(typeId, rates)
  }

  function decide(visited: Visit): { click: Click; entry: ModelClick } | undefined {
    const type = at(types, visited.type)
    const ip = at(addresses, visited.address)
    const iso = at(moments, visited.at)
    const decision = decideClick(
      {
        link: { siteId: type.siteId, typeId: type.id, agentId: at(agents, visited.agent).id },
        at: new Date(iso),
        method: 'GET',
        ip,
        userAgent: visited.by === 'a crawler' ? 'Googlebot/2.1' : 'Mozilla/5.0 Firefox/140.0',
        isPreview: visited.by === 'a preview',
        referrer: undefined,
        query: { sub1: visited.sub1, sub3: visited.sub3 },
      },
      {
        destinations: { find },
        blacklist: { has: isBlack },
        limit,
        nextNonce,
        nextUnstoredNonce: startUnstoredNonces(),
      },
    )
    if (decision.outcome !== 'sent on')
      throw new Error(`a visitor was not sent on: ${decision.outcome}`)
    const { click, keep } = decision
    const entry: ModelClick = {
      at: whenIs(iso),
      agentId: click.agentId,
      typeId: click.typeId,
      officeId: setting.officeOf.get(click.agentId) ?? 0,
      ip,
      counted: visited.address !== 3 && visited.by === 'a person',
      stored: false,
      subs: { sub1: visited.sub1, sub3: visited.sub3 },
      ...(keep === 'crawler visit' && { neverStored: true }),
    }
    clicks.push({
      id: inbound.clickIds.sign(click),
      visit: visited,
      siteId: type.siteId,
      model: entry,
    })
    const isUnstored = visited.by === 'a crawler' && !isBlack(ip)
    expect(keep).toBe(isUnstored ? 'crawler visit' : 'click')
    return keep === 'click' ? { click, entry } : undefined
  }

  async function visitTogether(visits: readonly Visit[], isDatabaseUp: boolean): Promise<void> {
    const kept = visits.map(decide).filter((one) => one !== undefined)
    if (!isDatabaseUp) {
      for (const { click, entry } of kept) {
        await spool.append(click)
        spooled.push(entry)
      }
      return
    }
    // All clicks of a batch are from one day.
    for (const [, batch] of Map.groupBy(kept, ({ entry }) => entry.at.day)) {
      await storeClicks(
        session,
        'new',
        batch.map(({ click }) => click),
        store,
      )
      for (const { entry } of batch) model.store(entry)
    }
  }

  async function report(
    { click: index, order: number, event }: { click: number; order: number; event: number },
    reversal?: string,
  ): Promise<void> {
    const click = clicks[index % Math.max(1, clicks.length)]
    if (!click) return
    const order = click.visit.namesOrders ? number : 0
    const site = await inbound.sites.find(click.siteId)
    if (!site) throw new Error('there is no such site')
    const { reportedAt } = click.visit
    const time = at(moments, at(reportedAt, reversal ? 4 + order : order * 2 + Math.min(event, 1)))
    const word =
      (site.useApproveSale ? ['approval', 'sale', 'click'] : ['sale', 'bonus', 'click'])[event] ??
      ''
    const fields = Object.entries({
      click_id: click.id,
      time,
      ...(click.visit.namesOrders && { transaction_id: `${click.id}-${order}` }),
      ...(reversal === undefined ? { event: word } : { event: reversal, reverses: word }),
    })
    const arrival = { method: 'GET', ip: '192.0.2.99', receivedAt: clock.peek() }
    const { id, outcome } = await receivePostback(inbound, site, arrival, fields)
    const expected = model.receive({
      id,
      receivedAtMs: arrival.receivedAt.getTime(),
      click: click.model,
      order: `${click.id} ${order}`,
      kind: reversal ? 'back' : 'report',
      event: event === 0 ? 0 : event === 1 ? 1 : 2,
      at: whenIs(time),
    })
    expect(outcome).toBeOneOf(outcomes[expected])
  }

  async function take(one: Step | { do: 'load the spool' } | { do: 'settle' }): Promise<void> {
    switch (one.do) {
      case 'visit':
        return visitTogether(one.visits, one.isDatabaseUp)
      case 'report':
        await Promise.all(Array.from({ length: one.times }, () => report(one)))
        return
      case 'report and take back':
        await report(one)
        return report(one, one.word)
      case 'take back':
        return report(one, one.word)
      case 'move':
        await move(at(agents, one.agent).id, at(offices, one.office))
        find = buildDestinations(await findLinkFacts(db), silentLog)
        return
      case 'change rate':
        return changeRate(at(types, one.type).id, ratesFor(one.type, one.variant))
      case 'change fee': {
        const typeId = at(types, one.type).id
        const officeId = at(offices, one.office)
        const rates = ratesFor(one.type, one.variant)
        await buildFee(db, {
          type_id: typeId,
          office_id: officeId,
          enabled: one.isEnabled,
          ...columnsOf(rates),
        })
        if (one.isEnabled) setting.fees.set(`${typeId} ${officeId}`, rates)
        else setting.fees.delete(`${typeId} ${officeId}`)
        return
      }
      case 'load the spool':
        await spool.release()
        await loadSpool({ spool, openSession, store, clock, log: silentLog })
        for (const entry of spooled.toSorted((a, b) =>
          a.at.day < b.at.day ? -1 : a.at.day > b.at.day ? 1 : 0,
        ))
          model.store(entry)
        spooled = []
        return
      case 'decide': {
        const held = model.held()
        const postbackId = held[one.which % Math.max(1, held.length)]
        if (postbackId === undefined) return
        const { decision } = one
        const asked = { ids: [postbackId], act: decision, reason: 'Agreed' }
        await settleHeld({ ...services, findTierPay }, asked, 1)
        return model.decide(postbackId, decision)
      }
      case 'settle':
        // A sale that waited for its click is recorded in one round, its reversal in the next.
        for (let rounds = 0; rounds < 2; rounds++) {
          clock.advance(11 * 60_000)
          await settleWaiting(services)
          model.tryWaiting(clock.peek().getTime())
        }
        return
      case 'fold':
        await foldTotals(db)
    }
  }

  return { model, take }
}

const columnsOf = ({ sale, bonus }: RateTable) => ({
  earning_cents: sale.earning,
  payout_centavos: sale.payout,
  lpp: sale.lpp,
  bonus_earning_cents: bonus.earning,
  bonus_payout_centavos: bonus.payout,
  bonus_lpp: bonus.lpp,
})

const empty = (): Promise<void> =>
  emptyTables(connection, [
    'clicks',
    'seen_visitors',
    'sale_events',
    'sale_keys',
    'postbacks',
    'postback_settlements',
    'waiting_postbacks',
    'held_postbacks',
    'pending_postbacks',
    'rejected_orders',
    'rates',
    'totals_pending',
    'totals_open_day',
    ...LEVELS.map(({ table }) => table),
  ])

const keyOfRow = (groupBy: (typeof statsGroupings)[number], row: StatsRow): string =>
  keyOf(groupBy, {
    day: row.date ?? '',
    agentId: row.agentId,
    officeId: row.companyId,
    typeId: row.typeId,
    sub: row.subId ?? row.subRow,
  })

/** Decimal amounts as cents and centavos. */
function numbersOf(row: Partial<StatsRow>, typeIds: readonly number[]): Record<string, number> {
  const money = new Set<string>(['earn', 'bonusEarn', 'payout', 'bonusPayout'])
  const values: Record<string, unknown> = row
  return Object.fromEntries(
    [...numbers, ...typeIds.map(String)].map((name) => {
      const value = Number(values[name] ?? 0)
      return [name, money.has(name) ? Math.round(value * 100) : value]
    }),
  )
}

/** The outcomes, as merchants receive them. */
const outcomes: Record<ModelOutcome, string[]> = {
  settled: ['recorded', 'duplicate'],
  waiting: ['waiting'],
  held: ['conflict'],
}

const whenIs = (iso: string): When => ({ ms: Date.parse(iso), day: dayInNewYork(iso) })

const dayInNewYork = (iso: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(iso))

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError(`there is no item ${index}`)
  return item
}
