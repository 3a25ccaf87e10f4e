import { fc, test as property } from '@fast-check/vitest'
import { addDays } from '@tallyroom/domain/new-york'
import { expect } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../../test/pay-world.ts'
import { buildPayment } from '../../../test/payment-world.ts'
import { testServices } from '../../../test/services.ts'
import { AppError } from '../../errors.ts'
import { approveProposal } from '../acts/decide.ts'
import { createAdjustment } from '../acts/adjust.ts'
import { openOf } from '../ledger/advances.ts'
import { findAdvances } from '../ledger/advances.queries.ts'
import { balanceText, findBalances } from '../ledger/balances.queries.ts'
import { savePaySettings } from '../acts/settings.ts'
import { saveTaxDetails } from '../acts/tax-details.ts'
import { proposeTaxRate } from '../acts/tax-rates.ts'
import { payOutside } from '../outside/outside.ts'
import { receiveMoney } from '../outside/received.ts'
import { getJournal } from './journal.ts'
import { getPayeeYear, listPayeeYears } from './payee-year.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)

/** The months of the year that begins in February 2026, in which it is closed, and one more. */
const MONTHS = Array.from({ length: 13 }, (_, index) => {
  const month = index + 2
  return month <= 12
    ? `2026-${String(month).padStart(2, '0')}`
    : `2027-${String(month - 12).padStart(2, '0')}`
})

const act = fc.record({
  month: fc.nat(11),
  kind: fc.constantFrom(
    'sale',
    'sale',
    'reversal',
    'adjustment',
    'payment',
    'payment',
    'advance',
    'received',
    'received',
    'payees',
    'tax',
  ),
  agent: fc.constantFrom('maria', 'noel'),
  amount: fc.integer({ min: -999_999, max: 999_999 }),
  /** What becomes of a payment. */
  fate: fc.constantFrom('paid', 'failed', 'returned'),
  currency: fc.constantFrom('PHP', 'PHP', 'USD'),
})

property.prop([fc.array(act, { minLength: 10, maxLength: 60 })], {
  numRuns: process.env['TESTS'] === 'thorough' ? 20 : 4,
})(
  'over a random year, each entry of the journal balances, and what it owes is what is owed; months and years meet',
  async (acts) => {
    await emptyTables(connection, PAY_TABLES)
    const settings = { avp: 'information', periodLength: 'month', payees: 'offices' } as const
    const world = await buildPayWorld(services, settings)
    const { manila, cebu } = world.offices
    const officeOf = { maria: manila, noel: cebu }
    const second = { ...viewer(), accountId: await buildAccount(db, { username: 'second' }) }
    for (const id of [manila, cebu])
      await saveTaxDetails(
        services,
        world.who,
        { kind: 'office', id },
        {
          fromDay: '2026-02-01',
          registeredName: 'Somebody',
          country: 'other',
          taxNumber: `${id}`,
          address: 'Somewhere',
        },
      )
    let sales = 0
    let rates = 0
    let vouchers = 0
    const sold: string[] = []
    for (const [index, month] of MONTHS.slice(0, 12).entries()) {
      const day = `${month}-10`
      for (const one of acts.filter((each) => each.month === index)) {
        services.clock.set(`${day}T17:00:00Z`)
        const payee = { kind: 'office', id: officeOf[one.agent] } as const
        if (one.kind === 'sale') {
          const name = `sale ${++sales}`
          await world.sell(name, one.agent, day, { payout_centavos: Math.abs(one.amount) })
          sold.push(name)
        } else if (one.kind === 'reversal') {
          const name = sold.pop()
          if (name !== undefined) await world.reverse(name, day)
        } else if (one.kind === 'adjustment') {
          const amount = one.amount || 1
          await createAdjustment(services, world.who, payee, {
            currency: 'PHP',
            amount,
            countsAs: one.currency === 'USD' ? 'not income' : 'earned',
            reason: `${index}`,
          })
        } else if (one.kind === 'tax') {
          // Another one each time.
          const rateBp = 1 + ((one.month * 4999 + Math.abs(one.amount)) % 5000)
          const rate = { fromDay: `${month}-01`, rateBp, code: `A${++rates}B`, reason: 'x' }
          await approveProposal(
            services,
            second,
            await proposeTaxRate(services, world.who, payee, rate),
          )
        } else if (one.kind === 'advance' || one.kind === 'received') {
          const currency = 'PHP' as const
          const voucher = `${++vouchers}`
          const usual = { currency, paidOn: day, voucher, reason: 'x' }
          // More than is ever owed to anybody, and seldom more than is owed by them.
          const amount = Math.abs(one.amount) + (one.kind === 'advance' ? 1_000_000_00 : 1)
          const entering =
            one.kind === 'advance'
              ? payOutside(services, world.who, payee, {
                  ...usual,
                  amount,
                  way: 'other',
                  instalments: 3,
                })
              : receiveMoney(services, world.who, payee, {
                  ...usual,
                  amount,
                  way: one.currency === 'USD' ? 'transfer' : 'cash',
                })
          const proposalId = await entering.catch((error: unknown) => {
            if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return undefined
            throw error
          })
          if (proposalId !== undefined) await approveProposal(services, second, proposalId)
        } else if (one.kind === 'payment') {
          await buildPayment(db, payee.id, {
            currency: one.currency,
            amount: Math.abs(one.amount) + 1,
            paid: one.fate !== 'failed',
            returned: one.fate === 'returned',
            at: services.clock.now(),
          })
        } else {
          await savePaySettings(services, world.who, {
            ...settings,
            payees: one.amount % 2 === 0 ? 'offices' : 'agents',
            minimumCentavos: 0,
            minimumCents: 0,
          })
        }
      }
      const next = MONTHS[index + 1] ?? ''
      await world.close(month, `${next}-01`)
    }

    const owed = new Map<string, number>()
    const withheld = new Map<string, number>()
    const reimbursed = new Map<string, number>()
    let advanced = 0
    const entries = new Set<string>()
    for (const month of MONTHS) {
      const { lines } = await getJournal(services, month)
      for (const [entry, own] of Map.groupBy(lines, (line) => line.entry)) {
        expect(entries.has(entry)).toBe(false)
        entries.add(entry)
        const debits = own.reduce((sum, { debit }) => sum + debit, 0)
        const credits = own.reduce((sum, { credit }) => sum + credit, 0)
        expect([debits, new Set(own.map(({ currency }) => currency)).size]).toEqual([credits, 1])
        expect(debits).toBeGreaterThan(0)
      }
      expect(lines.every(({ day }) => day.startsWith(month))).toBe(true)
      for (const { account, payee, currency, debit, credit } of lines) {
        if (account === 'advances') advanced += debit - credit
        if (account === 'payable' || account === 'withheld' || account === 'reimbursements') {
          const sums = { payable: owed, withheld, reimbursements: reimbursed }[account]
          const key = `${payee} ${currency}`
          sums.set(key, (sums.get(key) ?? 0) + credit - debit)
        }
      }
    }
    const advances = [...(await findAdvances(db, {})).values()].flat()
    expect(advanced).toBe(advances.reduce((sum, one) => sum + openOf(one), 0))
    const range = { start: '2026-02-01', end: '2027-02-28' }
    const years = await listPayeeYears(services, range)
    for (const {
      payee,
      currency,
      before,
      earned,
      notIncome,
      tax,
      paid,
      returned,
      received,
      carried,
    } of years) {
      expect(reimbursed.get(`${payee.name} ${currency}`) ?? 0).toBe(0 - notIncome)
      expect(before + earned + notIncome - tax - paid + returned + received).toBe(carried)
      expect(owed.get(`${payee.name} ${currency}`) ?? 0).toBe(carried)
      expect(withheld.get(`${payee.name} ${currency}`) ?? 0).toBe(tax)
      const { months } = await getPayeeYear(services, viewer(), payee, range)
      const own = months.filter((one) => one.currency === currency)
      const sum = (name: 'earned' | 'paid' | 'returned' | 'received') =>
        own.reduce((total, one) => total + one[name], 0)
      expect([sum('earned'), sum('paid'), sum('returned'), sum('received')]).toEqual([
        earned,
        paid,
        returned,
        received,
      ])
      for (const [place, { before: first }] of own.entries())
        if (place > 0) expect(first).toBe(own[place - 1]?.carried)
      // A year in two parts is the year.
      const cut = addDays(range.start, 150)
      const parts = [
        await listPayeeYears(services, { start: range.start, end: cut }),
        await listPayeeYears(services, { start: addDays(cut, 1), end: range.end }),
      ].flatMap((part) =>
        part.filter(
          (one) =>
            balanceText({ ...one.payee, currency: one.currency }) ===
            balanceText({ ...payee, currency }),
        ),
      )
      expect(parts.reduce((total, one) => total + one.earned, 0)).toBe(earned)
      expect(parts.at(-1)?.carried ?? 0).toBe(carried)
    }
    const balances = await findBalances(db)
    const carried = new Map(
      years.map(({ payee, currency, carried: one }) => [balanceText({ ...payee, currency }), one]),
    )
    for (const one of balances) expect(carried.get(balanceText(one)) ?? 0).toBe(one.balance)
  },
)
