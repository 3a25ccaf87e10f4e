import { fc, test as property } from '@fast-check/vitest'
import type { Earned, OwnPay } from '@tallyroom/contract/pay/closing/earned'
import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { AVP_RULES } from '@tallyroom/domain/pay'
import { expect } from 'vitest'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { createAdjustment } from '../acts/adjust.ts'
import { findEarnedIn } from '../balances/earned-in.ts'
import { savePaySettings } from '../acts/settings.ts'
import { estimatesFor, findOwnPay } from '../balances/own-pay.ts'
import { previewOf, previewPeriod } from './periods.ts'
import { getStatement, listStatements } from '../statements/statements.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const staff = viewer()

const LAST = '2026-03-31'
const PERIODS = [
  { name: '2026-02-A', start: '2026-02-01', end: '2026-02-15' },
  { name: '2026-02-B', start: '2026-02-16', end: '2026-02-28' },
  { name: '2026-03-A', start: '2026-03-01', end: '2026-03-15' },
  { name: '2026-03-B', start: '2026-03-16', end: LAST },
] as const
/** The exchange rate of every period: ₱57.1234 per dollar. */
const PESOS_E4 = 571_234

/** What happens between 1 February and the end of March. */
const act = fc.record({
  /** Days since the previous act. */
  after: fc.integer({ min: 0, max: 5 }),
  kind: fc.constantFrom(
    'sale',
    'sale',
    'sale',
    'plain',
    'bonus',
    'reversal',
    'difference',
    'adjustment',
    'settings',
    'currency',
    'close',
  ),
  agent: fc.constantFrom('maria', 'noel'),
  office: fc.constantFrom('manila', 'cebu'),
  payout: fc.integer({ min: 0, max: 99_999 }),
  /** Days between an event and its postback. */
  late: fc.constantFrom(0, 0, 0, 1, 9, 30),
  pick: fc.nat(),
})

property.prop([fc.constantFrom(...AVP_RULES), fc.array(act, { minLength: 8, maxLength: 30 })], {
  // One takes ten seconds.
  numRuns: process.env['TESTS'] === 'thorough' ? 12 : 3,
  endOnFailure: true,
})(
  'Home, the strip above Payroll, the estimate, the preview and the statement say the same of every payee',
  async (avp, acts) => {
    await emptyTables(connection, [...PAY_TABLES, 'options'])
    await db
      .insertInto('options')
      .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
      .execute()
    const world = await buildPayWorld(services, { avp })
    for (const { name: period } of PERIODS) {
      await db
        .insertInto('pay_exchange_rates')
        .values({ period, pesos_e4: PESOS_E4, source: 'x', set_at: new Date(0), set_by: 1 })
        .execute()
    }
    const { offices, agents } = world
    currencies.clear()
    const readers: Viewer[] = [
      viewer({ role: 'company', officeId: offices.manila, agentId: undefined }),
      viewer({ role: 'company', officeId: offices.cebu, agentId: undefined }),
      viewer({ role: 'agent', officeId: offices.manila, agentId: agents.maria }),
      viewer({ role: 'agent', officeId: offices.cebu, agentId: agents.noel }),
    ]

    let today: Day = '2026-02-01'
    let closed = 0
    const sold: { name: string; id: string; agent: 'maria' | 'noel' }[] = []

    /** Closes the next period, which must pay what everybody was told before. */
    async function close() {
      const period = PERIODS[closed]
      if (!period || period.end >= today) return
      // The time at which `world.close` closes: what is recorded later that day is left to the next closing.
      services.clock.set(`${today}T15:00:00Z`)
      const told = await look()
      await world.close(period.name, today)
      closed++
      const statements = await statementsOf(period.name)
      for (const { payee, amount } of statements) {
        expect([payee, told.get(`${period.name} ${payee}`)]).toEqual([payee, amount])
      }
      const paid = new Set(statements.map(({ payee }) => `${period.name} ${payee}`))
      const unpaid = [...told].filter(
        ([key, amount]) => key.startsWith(period.name) && !paid.has(key) && amount !== 0,
      )
      expect(unpaid).toEqual([])
      const after = new Map<string, number | null>()
      for (const reader of readers) await readEstimates(reader, after)
      // What is open after it was already told before.
      for (const [key, amount] of told) {
        if (key.startsWith(period.name)) continue
        if (after.has(key) || amount !== 0) expect([key, after.get(key)]).toEqual([key, amount])
      }
    }

    /** What each payee earned in each period, having compared all that say so. */
    async function look(): Promise<Map<string, number | null>> {
      const told = new Map<string, number | null>()
      const now = services.clock.now()
      for (const reader of readers) {
        const scope = scopeOf(reader) as Exclude<Scope, { sees: 'everything' }>
        const estimates = await readEstimates(reader, told)
        const pay = await findOwnPay(db, { scope, today, now })
        if (!pay) throw new Error('pay is on')
        for (const period of [
          pay.now,
          ...(pay.last ? [pay.last] : []),
          ...(pay.before ? [pay.before] : []),
        ]) {
          await compareWithStrip(period, reader)
          if (!period.isClosed) {
            // The one that runs may be after the last that is closed here.
            const own =
              estimates.get(period.name) ?? (await estimatesFor(services, reader, period.name))
            await compareWithEstimates(period, own)
          }
          if (period.isClosed) await compareWithStatements(period, reader)
        }
      }
      await compareWithPreview(told)
      return told
    }

    /** A reader's estimates of all open periods. Adds what they say that payees are paid. */
    async function readEstimates(reader: Viewer, told: Map<string, number | null>) {
      const found = new Map<string, Awaited<ReturnType<typeof estimatesFor>>>()
      for (const { name } of PERIODS.slice(closed).filter(({ start }) => start <= today)) {
        const estimates = await estimatesFor(services, reader, name)
        found.set(name, estimates)
        for (const { isPart, content } of estimates) {
          const { payee, amount } = content
          if (!isPart) told.set(`${name} ${payee.kind} ${payee.id}`, amount)
        }
      }
      return found
    }

    async function compareWithPreview(told: ReadonlyMap<string, number | null>) {
      const next = PERIODS[closed]
      if (!next) return
      const previewed = await previewPeriod(services, next.name)
      const strip = await findEarnedIn(services, staff, asked(next))
      for (const currency of ['PHP', 'USD'] as const) {
        const inPreview = previewed.filter((one) => one.currency === currency)
        const sum = strip.sums.find((one) => one.currency === currency)?.amount ?? 0
        expect(sum).toBe(inPreview.reduce((all, one) => all + one.amount, 0))
      }
      for (const { payee, amount } of previewed) {
        const key = `${next.name} ${payee.kind} ${payee.id}`
        if (told.has(key)) expect([key, told.get(key)]).toEqual([key, amount])
      }
    }

    async function compareWithEstimates(
      period: OwnPay['now'],
      estimates: Awaited<ReturnType<typeof estimatesFor>>,
    ) {
      for (const { payee, isPart, amount } of period.to) {
        if (!payee) continue
        const estimate = estimates.find(
          ({ content }) => content.payee.kind === payee.kind && content.payee.id === payee.id,
        )
        expect(estimate).toMatchObject({ isPart, content: { amount } })
        if (estimate && !isPart && period.name === PERIODS[closed]?.name) {
          const previewed = await previewOf(services, staff, period.name, payee)
          expect(unsigned(estimate.content)).toEqual(unsigned(previewed))
        }
      }
    }

    async function compareWithStatements(period: OwnPay['now'], reader: Viewer) {
      const page = { page: 1, pageSize: 50 }
      const { items } = await listStatements(services, reader, { period: period.name }, page)
      for (const item of items) {
        const { content, isPart } = await getStatement(services, reader, item.id)
        const own = period.to.find(
          ({ payee }) => payee?.kind === item.payee.kind && payee.id === item.payee.id,
        )
        expect({ isPart, amount: own?.amount ?? 0 }).toEqual({ isPart, amount: content.amount })
      }
    }

    async function compareWithStrip(period: OwnPay['now'], reader: Viewer) {
      const narrowed =
        reader.role === 'agent' ? { agentId: reader.agentId } : { companyId: reader.officeId }
      const own = await findEarnedIn(services, reader, asked(period))
      expect(own.periods).toMatchObject([{ name: period.name, isClosed: period.isClosed }])
      expect(totals(own.sums)).toEqual(totals(period.to))
      // Staff who choose them see the same.
      if (period.isClosed) return
      const chosen = await findEarnedIn(services, staff, asked(period, narrowed))
      expect(chosen.sums).toEqual(own.sums)
    }

    for (const [index, one] of acts.entries()) {
      const next = addDays(today, one.after)
      if (next > LAST) break
      today = next
      services.clock.set(`${today}T17:00:00Z`)
      const at = new Date(`${today}T17:00:00Z`)
      if (one.kind === 'close') await close()
      else if (one.kind === 'adjustment') {
        const payee =
          one.pick % 2
            ? ({ kind: 'office', id: offices[one.office] } as const)
            : ({ kind: 'agent', id: agents[one.agent] } as const)
        const amount = one.payout - 50_000 || 1
        await createAdjustment(services, world.who, payee, {
          currency: currencies.get(`${payee.kind} ${payee.id}`) ?? 'PHP',
          amount,
          reason: 'x',
        })
      } else if (one.kind === 'currency') {
        const kind = one.pick % 2 ? 'office' : 'agent'
        const id = kind === 'office' ? offices[one.office] : agents[one.agent]
        const currency = one.pick % 3 ? 'USD' : 'PHP'
        currencies.set(`${kind} ${id}`, currency)
        await world.payIn(currency, id, kind)
      } else if (one.kind === 'settings') {
        await savePaySettings(services, world.who, {
          payees: one.pick % 2 ? 'offices' : 'agents',
          periodLength: 'beWeek',
          avp: AVP_RULES[one.pick % 3] ?? 'instead',
          minimumCentavos: 0,
          minimumCents: 0,
        })
      } else if (one.kind === 'reversal') {
        const [sale] = sold.splice(one.pick % Math.max(sold.length, 1), 1)
        if (sale) await world.reverse(sale.name, today)
      } else if (one.kind === 'difference') {
        const sale = sold[one.pick % Math.max(sold.length, 1)]
        if (sale) {
          await world.sell(`difference ${index}`, sale.agent, today, {
            ...(await columnsOf(sale.id)),
            quantity: 0,
            backdating_id: 1,
            payout_centavos: one.payout - 50_000,
            adjusts: sale.id,
          })
        }
      } else {
        const name = `sale ${index}`
        const id = await world.sell(name, one.agent, addDays(today, -one.late), {
          ...(one.kind === 'sale' ? {} : { plain: true }),
          ...(one.kind === 'bonus' && { event_type: 1 }),
          office_id: offices[one.office],
          payout_centavos: one.payout,
          recorded_at: at,
        })
        sold.push({ name, id, agent: one.agent })
      }
    }
    await look()
    today = '2026-04-01'
    services.clock.set('2026-04-01T17:00:00Z')
    while (closed < PERIODS.length) await close()

    function asked(
      { start, end }: { start: Day; end: Day },
      narrowed: { companyId?: number | undefined; agentId?: number | undefined } = {},
    ) {
      return { start, end, isWeekly: false, companyId: undefined, agentId: undefined, ...narrowed }
    }
  },
  600_000,
)

const currencies = new Map<string, 'PHP' | 'USD'>()

const statementsOf = async (period: string) => {
  const { items } = await listStatements(services, staff, { period }, { page: 1, pageSize: 50 })
  return items.map(({ payee, amount }) => ({ payee: `${payee.kind} ${payee.id}`, amount }))
}

const columnsOf = async (id: string) => {
  const { avp, event_type, office_id } = await db
    .selectFrom('sale_events')
    .select(['avp', 'event_type', 'office_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { avp, event_type, office_id }
}

/** Without what only closing knows. */
const unsigned = ({
  number: _number,
  closedBy: _by,
  closedAt: _at,
  adjustments,
  ...content
}: StatementContent) => ({
  ...content,
  // Payees do not read who adjusted.
  adjustments: adjustments.map((line) => ({ ...line, by: '' })),
})

/** By currency; nothing is the same as zero. */
const totals = (earned: readonly Earned[]) =>
  Object.fromEntries(
    (['PHP', 'USD'] as const).map((currency) => [
      currency,
      earned.reduce((sum, one) => sum + (one.currency === currency ? (one.amount ?? 0) : 0), 0),
    ]),
  )
