import { fc, test as property } from '@fast-check/vitest'
import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { DAY_MS } from '@tallyroom/domain/acts'
import { addDays, dayOf } from '@tallyroom/domain/new-york'
import { expect } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  approveWaiting,
  buildAccountInForce,
  buildPerson,
  genericLayout,
  resultFileOf,
} from '../../../test/payment-world.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { expectFilled, expectSettledStates } from '../../../test/settled-states.ts'
import { sealWorld, verifyWorld } from '../../../test/verify-world.ts'
import { createAdjustment } from '../acts/adjust.ts'
import { payRoutes } from '../pay.routes.ts'
import { savePaySettings } from '../acts/settings.ts'
import { saveTaxDetails } from '../acts/tax-details.ts'
import { proposeTaxRate } from '../acts/tax-rates.ts'
import { paymentRunsRoutes } from './payment-runs.routes.ts'
import { seenNow } from './review.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes([...paymentRunsRoutes(services), ...payRoutes(services)])
const runs = paymentRunsEndpoints
const results = paymentResultsEndpoints

/** E-wallets take ₱500.00 at once. */
const LIMIT = 500_00
const NAMES = ['manila', 'cebu', 'davao'] as const

const act = fc.record({
  kind: fc.constantFrom(
    'earned',
    'earned',
    'taken back',
    'close',
    'close',
    'close',
    'holding time',
    'tax',
    'tax',
    'wait',
    'wait',
    'prepare',
    'prepare',
    'take out',
    'approve',
    'approve',
    'cancel',
    'files',
    'files',
    'results',
    'results',
    'come back',
    'cash',
  ),
  amount: fc.integer({ min: 1, max: 2_000_00 }),
  /** For how many days periods are held from the next one on: also longer than a period is. */
  holdingDays: fc.constantFrom(0, 1, 7, 20),
  /** At which rate tax is withheld, and from how many days after the last closed one. */
  rateBp: fc.constantFrom(0, 500, 1000, 1237),
  fromDays: fc.integer({ min: 1, max: 20 }),
  /** How many days pass. */
  days: fc.integer({ min: 1, max: 6 }),
  /** Whom a run pays, of the three. */
  only: fc.subarray([...NAMES], { minLength: 1 }),
  /** Who gets only a part, in percent of the balance. */
  part: fc.option(
    fc.record({ of: fc.constantFrom(...NAMES), percent: fc.integer({ min: 1, max: 99 }) }),
  ),
  /** Whether the bank says nothing yet of the last transfer without a result. */
  isSilent: fc.boolean(),
  /** Which lines fail, or come back: one in so many. */
  every: fc.integer({ min: 1, max: 3 }),
  who: fc.constantFrom(...NAMES),
})

type Line = {
  payee: number
  amount: number
  reference: string
  paid: boolean | undefined
  back: boolean
}
type Run = { id: number; state: 'prepared' | 'approved' | 'sent' | 'over'; lines: Line[] }

property.prop([fc.array(act, { minLength: 8, maxLength: 40 })], {
  numRuns: process.env['TESTS'] === 'thorough' ? 60 : 8,
})(
  'balances are what was earned without tax and what was paid, however it was chosen, held, split, and came back',
  async (acts) => {
    await emptyTables(connection, [...PAY_TABLES])
    const world = await buildPayWorld(services, { avp: 'information', holdingDays: 7 })
    const ann = await buildPerson(db, `ann-${crypto.randomUUID()}`)
    const bob = await buildPerson(db, `bob-${crypto.randomUUID()}`)
    const ids = { ...world.offices, davao: await buildOffice(db, { name: 'Davao' }) }
    for (const [index, name] of NAMES.entries()) {
      const own = index > 0 && { channel: 'wallet' as const, number: `0917123456${index}` }
      await buildAccountInForce(db, ids[name], own || {})
      await saveTaxDetails(services, ann, office(ids[name]), {
        fromDay: '2026-02-01',
        registeredName: name,
        country: 'other',
        taxNumber: name,
        address: 'Somewhere',
      })
    }
    await sealWorld(db)
    const { id: templateId } = (
      await call(ann, payFilesEndpoints.createPayFileTemplate, {
        body: {
          name: crypto.randomUUID(),
          layout: {
            ...genericLayout,
            channels: [
              { name: 'Banks', takes: 'bank', currency: 'PHP', over: null, upTo: null },
              {
                name: 'Wallets',
                takes: 'wallet',
                currency: 'PHP',
                over: null,
                upTo: LIMIT,
                split: true,
              },
            ],
          },
        },
      })
    ).body

    // The model: what each is owed, what holds it, what the next periods will add, and the runs.
    const owed = new Map(Object.values(ids).map((id) => [id, 0]))
    const add = (payee: number, amount: number) => owed.set(payee, (owed.get(payee) ?? 0) + amount)
    const held: { payee: number; amount: number; from: string }[] = []
    /** Without a day, it is on the next statement. */
    let earned: { payee: number; amount: number; day?: string }[] = []
    /** In the order in which they were approved. */
    const taxRates: { payee: number; fromDay: string; rateBp: number }[] = []
    const withheld = new Map<string, number>()
    const holdingTimes = [{ from: '2026-02-01', days: 7 }]
    let lastClosed = '2026-01-31'
    const today = () => dayOf(services.clock.now())
    const freeOn = (payee: number, day: string) => {
      const balance = owed.get(payee) ?? 0
      const waits = held
        .filter((one) => one.payee === payee && one.from > day)
        .reduce((sum, { amount }) => sum + amount, 0)
      return waits === 0 || balance < 0 ? balance : Math.max(0, balance - waits)
    }
    const freeOf = (payee: number) => freeOn(payee, today())
    const laterOf = (payee: number) => {
      const days = held.flatMap((one) =>
        one.payee === payee && one.from > today() ? one.from : [],
      )
      let before = freeOf(payee)
      return [...new Set(days)].toSorted().flatMap((from) => {
        const amount = freeOn(payee, from) - before
        before += amount
        return amount === 0 ? [] : { amount, from }
      })
    }
    /** What a period that ended adds to balances: what was earned in it, less the tax of the rate of its last day. */
    const closeInModel = (start: string, end: string) => {
      const holding = holdingTimes.findLast(({ from }) => from <= start)?.days ?? 0
      for (const payee of owed.keys()) {
        const own = earned.filter((one) => one.payee === payee && (one.day ?? '') <= end)
        const sum = own.reduce((all, { amount }) => all + amount, 0)
        const rates = taxRates.filter((one) => one.payee === payee && one.fromDay <= end)
        const newest = rates
          .map(({ fromDay }) => fromDay)
          .toSorted()
          .at(-1)
        const rate = rates.findLast(({ fromDay }) => fromDay === newest)?.rateBp ?? 0
        const quarter = `${payee} ${end.slice(0, 4)} ${Math.floor((Number(end.slice(5, 7)) - 1) / 3)}`
        const before = withheld.get(quarter) ?? 0
        const tax = Math.round(Math.abs(sum * rate) / 10_000)
        const taken = sum < 0 ? -Math.min(tax, before) : tax
        withheld.set(quarter, before + taken)
        add(payee, sum - taken)
        if (holding > 0 && sum - taken > 0)
          held.push({ payee, amount: sum - taken, from: addDays(end, holding) })
      }
      earned = earned.filter(({ day = '' }) => day > end)
      lastClosed = end
    }
    const made: Run[] = []
    const latest = (...states: Run['state'][]) =>
      made.findLast(({ state }) => states.includes(state))
    const isPrepared = (payee: number) =>
      made.some(
        ({ state, lines }) => state === 'prepared' && lines.some((one) => one.payee === payee),
      )
    const inPrepared = (payee: number) =>
      made
        .filter(({ state }) => state === 'prepared')
        .flatMap(({ lines }) => lines)
        .reduce((sum, line) => sum + (line.payee === payee ? line.amount : 0), 0)

    const earn = async (payee: number, amount: number) => {
      const now = services.clock.now()
      await world.sell(crypto.randomUUID(), 'maria', today(), {
        plain: true,
        office_id: payee,
        payout_centavos: amount,
        occurred_at: now,
        recorded_at: now,
      })
      earned.push({ payee, amount, day: today() })
    }
    const withhold = async (payee: number, fromDay: string, rateBp: number) => {
      const code = rateBp === 0 ? null : 'WI515'
      const asked = { fromDay, rateBp, code, reason: 'x' }
      const proposed = await proposeTaxRate(services, ann, office(payee), asked).catch(
        (error: unknown) => error,
      )
      if (typeof proposed === 'number') {
        await approveWaiting(services)
        taxRates.push({ payee, fromDay, rateBp })
      } else expect(proposed).toMatchObject({ data: { _form: ['This is the rate already.'] } })
    }
    for (const payee of owed.keys()) await earn(payee, 1_000_00)
    await withhold(ids.cebu, '2026-02-01', 1237)

    for (const one of acts) {
      services.clock.advance(60_000)
      if (one.kind === 'earned') await earn(ids[one.who], one.amount)
      else if (one.kind === 'taken back') {
        const [payee, amount] = [ids[one.who], -one.amount]
        const asked = { currency: 'PHP' as const, amount, reason: 'x' }
        await createAdjustment(services, ann, office(payee), asked)
        await approveWaiting(services)
        earned.push({ payee, amount })
      } else if (one.kind === 'close') {
        const start = addDays(lastClosed, 1)
        const end = halfMonthEnd(start)
        if (today() <= end) services.clock.set(`${addDays(end, 1)}T15:00:00Z`)
        const name = `${start.slice(0, 7)}-${start.endsWith('01') ? 'A' : 'B'}`
        await world.close(name)
        closeInModel(start, end)
      } else if (one.kind === 'holding time') {
        await savePaySettings(services, ann, {
          payees: 'offices',
          periodLength: 'beWeek',
          avp: 'information',
          minimumCentavos: 0,
          minimumCents: 0,
          holdingDays: one.holdingDays,
        })
        holdingTimes.push({ from: addDays(halfMonthEnd(today()), 1), days: one.holdingDays })
      } else if (one.kind === 'tax') {
        await withhold(ids[one.who], addDays(lastClosed, one.fromDays), one.rateBp)
      } else if (one.kind === 'wait') {
        services.clock.advance(one.days * DAY_MS)
      } else if (one.kind === 'prepare') {
        const chosen = one.only.filter((name) => !isPrepared(ids[name]) && freeOf(ids[name]) > 0)
        const amounts = new Map(chosen.map((name) => [ids[name], freeOf(ids[name])]))
        const { of = 'manila', percent = 0 } = one.part ?? {}
        const whole = amounts.get(ids[of]) ?? 0
        const part = Math.floor((whole * percent) / 100)
        if (part > 0) amounts.set(ids[of], part)
        const { status, body } = await call(ann, runs.preparePaymentRun, {
          body: {
            period: null,
            currency: 'PHP',
            templateId,
            only: [...amounts.keys()].map((id) => ({ kind: 'office', id })),
            parts:
              part > 0 ? [{ kind: 'office', id: ids[of], amount: part, reason: 'a part' }] : [],
          },
        })
        expect(status).toBe(amounts.size > 0 ? 200 : 422)
        if (amounts.size === 0) continue
        // Offices in the order of their ids; wallets in transfers of the limit.
        const lines = [...amounts]
          .toSorted(([a], [b]) => a - b)
          .flatMap(([payee, amount]) =>
            payee === ids.manila
              ? [{ payee, amount }]
              : Array.from({ length: Math.ceil(amount / LIMIT) }, (_, index) => ({
                  payee,
                  amount: Math.min(LIMIT, amount - index * LIMIT),
                })),
          )
          .map((line, index) => ({
            ...line,
            reference: `P1R${body.id}N${index + 1}`,
            paid: undefined,
            back: false,
          }))
        made.push({ id: body.id, state: 'prepared', lines })
        const shown = (await call(ann, runs.paymentRun, { params: { id: body.id } })).body
        expect(
          shown.lines.map((line: Line & { payee: { id: number } }) => [
            line.payee.id,
            line.amount,
            line.reference,
          ]),
        ).toEqual(lines.map(({ payee, amount, reference }) => [payee, amount, reference]))
      } else if (one.kind === 'take out') {
        const run = latest('prepared')
        const [line] = run?.lines ?? []
        if (!run || !line || run.lines.every(({ payee }) => payee === line.payee)) continue
        const { lines } = (await call(ann, runs.paymentRun, { params: { id: run.id } })).body
        const { id: lineId } = lines.find(({ reference }: Line) => reference === line.reference)
        await call(ann, runs.removePaymentRunLine, {
          params: { id: run.id },
          body: { lineId, reason: 'x' },
        })
        run.lines = run.lines.filter(({ payee }) => payee !== line.payee)
      } else if (one.kind === 'approve') {
        const run = latest('prepared')
        if (!run) continue
        const body = await seenNow(services, run.id)
        const answer = await call(bob, runs.approvePaymentRun, { params: { id: run.id }, body })
        const sumOf = (payee: number) =>
          run.lines.reduce((sum, line) => sum + (line.payee === payee ? line.amount : 0), 0)
        const refused = new Set(
          run.lines.flatMap(({ payee }) => (sumOf(payee) > freeOf(payee) ? payee : [])),
        )
        expect(answer).toMatchObject({ status: 200 })
        expect(answer.body.refused).toHaveLength(refused.size)
        run.lines = run.lines.filter(({ payee }) => !refused.has(payee))
        run.state = run.lines.length > 0 ? 'approved' : 'over'
        for (const { payee, amount } of run.lines) add(payee, -amount)
      } else if (one.kind === 'cancel') {
        const run = latest('prepared', 'approved')
        if (!run) continue
        await call(ann, runs.cancelPaymentRun, { params: { id: run.id }, body: { reason: 'x' } })
        if (run.state === 'approved') for (const { payee, amount } of run.lines) add(payee, amount)
        run.state = 'over'
      } else if (one.kind === 'files') {
        const run = latest('approved')
        if (!run) continue
        const { files } = (await call(bob, runs.paymentRun, { params: { id: run.id } })).body
        for (const { name } of files)
          await call(bob, runs.takePaymentFile, { params: { id: run.id }, body: { name } })
        run.state = 'sent'
      } else if (one.kind === 'results') {
        const run = one.isSilent ? latest('sent') : made.find(({ state }) => state === 'sent')
        if (!run) continue
        const open = run.lines.filter(({ paid }) => paid === undefined)
        const without = one.isSilent && open.length > 1 ? open.slice(0, -1) : open
        for (const [index, line] of without.entries()) {
          line.paid = index % one.every !== 0 || one.every === 1
          if (!line.paid) add(line.payee, line.amount)
        }
        const words = without.map(({ reference, paid }) => `${reference},${paid ? 'OK' : 'NO'},x`)
        await readFile(run.id, words)
        if (run.lines.every(({ paid }) => paid !== undefined)) run.state = 'over'
      } else if (one.kind === 'come back') {
        const run = made.find(({ lines }) => lines.some(({ paid, back }) => paid && !back))
        const line = run?.lines.find(({ paid, back }) => paid && !back)
        if (!run || !line) continue
        await readFile(run.id, [`${line.reference},NO,came back`], today())
        line.back = true
        add(line.payee, line.amount)
      } else {
        const payee = ids[one.who]
        const left = freeOf(payee) - inPrepared(payee)
        const { status } = await call(ann, balancesEndpoints.payOutside, {
          body: {
            kind: 'office',
            id: payee,
            currency: 'PHP',
            amount: one.amount,
            way: 'cash',
            paidOn: today(),
            voucher: crypto.randomUUID(),
            reason: 'x',
          },
        })
        expect(status).toBe(one.amount <= left ? 200 : 422)
        if (status !== 200) continue
        await approveWaiting(services)
        add(payee, -one.amount)
      }
      for (const [id, amount] of owed) {
        const { balances } = (await call(ann, balancesEndpoints.balance, { params: office(id) }))
          .body
        const [shown = { balance: 0, left: 0, later: [] }] = balances
        const left = freeOf(id) - inPrepared(id)
        expect(shown).toMatchObject({ balance: amount, left, later: laterOf(id) })
      }
      await expectSettledStates(db, services.clock.now())
    }
    expect(await verifyWorld(db)).toMatchObject({ findings: [] })
    await expectFilled(db, connection, services.clock.now())

    async function readFile(id: number, lines: readonly string[], returnedOn?: string) {
      const { status, body } = await call(ann, results.readResultFile, {
        params: { id },
        body: {
          ...resultFileOf(lines),
          ...(returnedOn !== undefined && { returnedOn }),
        },
      })
      expect({ status, body }).toMatchObject({ status: 200 })
    }
  },
  600_000,
)

const office = (id: number) => ({ kind: 'office' as const, id })

/** The last day of the half of a month that has a day. */
const halfMonthEnd = (day: string): string =>
  day.slice(8) <= '15'
    ? `${day.slice(0, 8)}15`
    : new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0))
        .toISOString()
        .slice(0, 10)
