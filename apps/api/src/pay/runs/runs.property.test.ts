import { fc, test as property } from '@fast-check/vitest'
import { balancesEndpoints } from '@tallyroom/contract/pay/balances'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs'
import { DAY_MS } from '@tallyroom/domain/acts'
import { addDays, dayOf } from '@tallyroom/domain/new-york'
import { expect } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  approveWaiting,
  buildBalance,
  buildOwed,
  buildPay,
  buildPerson,
  genericLayout,
  resultFileOf,
} from '../../../test/payment-world.ts'
import { PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { payRoutes } from '../periods/pay.routes.ts'
import { findPaidTooEarly, findPaymentDifferences } from '../periods/verify.queries.ts'
import { findFileDifferences } from '../verify/verify-decisions.queries.ts'
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
    'earned',
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
  /** For how many days what is earned is held; null: it is taken back. */
  heldFor: fc.option(fc.integer({ min: 0, max: 9 })),
  /** How many days pass. */
  days: fc.integer({ min: 1, max: 4 }),
  /** Whom a run pays, of the three. */
  only: fc.subarray([...NAMES], { minLength: 1 }),
  /** Who gets only a part, in percent of the balance. */
  part: fc.option(
    fc.record({ of: fc.constantFrom(...NAMES), percent: fc.integer({ min: 1, max: 99 }) }),
  ),
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

property.prop([fc.array(act, { minLength: 8, maxLength: 30 })], {
  numRuns: process.env['TESTS'] === 'thorough' ? 60 : 10,
})(
  'balances are what was earned without what was paid, however it was chosen, held, split, and came back',
  async (acts) => {
    await emptyTables(connection, [...PAY_TABLES])
    await buildPay(db)
    services.clock.set('2026-03-01T15:00:00Z')
    const ann = await buildPerson(db, `ann-${crypto.randomUUID()}`)
    const bob = await buildPerson(db, `bob-${crypto.randomUUID()}`)
    const ids = {} as Record<(typeof NAMES)[number], number>
    for (const [index, name] of NAMES.entries())
      ids[name] = await buildOwed(db, await buildOffice(db), {
        amount: 1_000_00,
        ...(index > 0 && { channel: 'wallet', number: `0917123456${index}` }),
      })
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

    // The model: what each is owed, and the runs.
    const owed = new Map(Object.values(ids).map((id) => [id, 1_000_00]))
    const add = (payee: number, amount: number) => owed.set(payee, (owed.get(payee) ?? 0) + amount)
    const held: { payee: number; amount: number; from: string }[] = []
    const today = () => dayOf(services.clock.now())
    const freeOf = (payee: number) => {
      const balance = owed.get(payee) ?? 0
      const waits = held
        .filter((one) => one.payee === payee && one.from > today())
        .reduce((sum, { amount }) => sum + amount, 0)
      return waits === 0 || balance < 0 ? balance : Math.max(0, balance - waits)
    }
    const made: Run[] = []
    const latest = (...states: Run['state'][]) =>
      made.findLast(({ state }) => states.includes(state))
    const isInRun = (payee: number) =>
      made.some(
        ({ state, lines }) =>
          state !== 'over' && lines.some((one) => one.payee === payee && one.paid === undefined),
      )
    const inPrepared = (payee: number) =>
      made
        .filter(({ state }) => state === 'prepared')
        .flatMap(({ lines }) => lines)
        .reduce((sum, line) => sum + (line.payee === payee ? line.amount : 0), 0)

    for (const one of acts) {
      services.clock.advance(60_000)
      if (one.kind === 'earned') {
        const payee = ids[one.who]
        const amount = one.heldFor === null ? -one.amount : one.amount
        const from = addDays(today(), one.heldFor ?? 0)
        await buildBalance(db, payee, { amount, ...(one.heldFor !== null && { paidFrom: from }) })
        add(payee, amount)
        if (one.heldFor !== null) held.push({ payee, amount, from })
      } else if (one.kind === 'wait') {
        services.clock.advance(one.days * DAY_MS)
      } else if (one.kind === 'prepare') {
        const chosen = one.only.filter((name) => !isInRun(ids[name]) && freeOf(ids[name]) > 0)
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
        const run = latest('sent')
        if (!run) continue
        const without = run.lines.filter(({ paid }) => paid === undefined)
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
        const params = { kind: 'office', id } as const
        const { balances } = (await call(ann, balancesEndpoints.balance, { params })).body
        expect(balances).toMatchObject([{ balance: amount, left: freeOf(id) - inPrepared(id) }])
      }
    }
    expect([
      ...(await findPaymentDifferences(db, 10)),
      ...(await findPaidTooEarly(db, 10)),
      ...(await findFileDifferences(db, { after: 0, limit: 10 })),
    ]).toEqual([])

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
  240_000,
)
