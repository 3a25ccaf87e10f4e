import { endpoints } from '@tallyroom/contract/endpoints'
import { addDays, atNewYork, type Day, startOfDay } from '@tallyroom/domain/new-york'
import { type Currency, type PayPeriod, payPeriodOf } from '@tallyroom/domain/pay'
import { closePeriod, savePaySettings } from '../../src/pay/index.ts'
import { createAdjustment } from '../../src/pay/acts/adjust.ts'
import { setHold } from '../../src/pay/balances/balances.ts'
import { closeMonth } from '../../src/pay/books/journal.ts'
import { payOutside } from '../../src/pay/outside/outside.ts'
import { receiveMoney } from '../../src/pay/outside/received.ts'
import { saveExchangeRate } from '../../src/pay/acts/exchange-rate.ts'
import { saveTaxDetails } from '../../src/pay/acts/tax-details.ts'
import { proposeTaxRate } from '../../src/pay/acts/tax-rates.ts'
import { approveProposal } from '../../src/pay/acts/decide.ts'
import { approveRun } from '../../src/pay/paying/approve.ts'
import { prepareRun, removeLine } from '../../src/pay/paying/payment-runs.ts'
import { enterResults, readResultFile } from '../../src/pay/paying/results.ts'
import { presentRun } from '../../src/pay/paying/present-run.ts'
import { enterRefusedFile } from '../../src/pay/paying/refused-files.ts'
import { seenNow } from '../../src/pay/paying/review.ts'
import { takeFile } from '../../src/pay/paying/take-file.ts'
import { listTemplates, updateTemplate } from '../../src/pay/runs/templates.ts'
import type { PayStep } from './deeds.ts'
import { found } from './found.ts'
import type { NetworkAgent } from './network.ts'
import { confirming, dollarAccount, entering, officeAccounts } from './pay-accounts.ts'

type OfficeKey = { kind: 'office'; id: number }

/** The half-months of the demo before the current one. */
export type DemoPeriods = { paid: PayPeriod; unpaid: PayPeriod; ready: PayPeriod }

/**
 * The last finished half-month is ready to close, so the two before it have been closed for at
 * least two weeks, on whatever day the demo begins.
 */
export function demoPeriods(today: Day): DemoPeriods {
  const before = ({ start }: PayPeriod) => payPeriodOf(addDays(start, -1), 'beWeek')
  const ready = before(payPeriodOf(today, 'beWeek'))
  const unpaid = before(ready)
  return { paid: before(unpaid), unpaid, ready }
}

/**
 * A time when the hourly merchants could not report: their last sales of the paid period arrived
 * after it was closed.
 */
export const outageOf = ({ paid }: DemoPeriods) => ({
  fromMs: atNewYork(paid.end, '06:00').getTime(),
  untilMs: startOfDay(addDays(paid.end, 4)).getTime(),
})

/** What happens during and after the demo's closed periods, unordered. */
export function payStepsOf(
  agents: readonly NetworkAgent[],
  { paid, unpaid, ready }: DemoPeriods,
): PayStep[] {
  const officeId = (name: string) =>
    found(agents.find(({ office }) => office.name === name)).office.id
  const payee = (name: string) => ({ kind: 'office' as const, id: officeId(name) })
  const ofOffice = (name: string) => ({
    params: payee(name),
    changed: { ref: `office:${officeId(name)}` as const },
  })
  const after = ({ end }: PayPeriod, days: number, time: string) =>
    atNewYork(addDays(end, days), time)
  const during = ({ start }: PayPeriod, days: number, time: string) =>
    atNewYork(addDays(start, days), time)

  const settings = {
    payees: 'offices' as const,
    periodLength: 'beWeek' as const,
    avp: 'instead' as const,
    minimumCentavos: 1_000_00,
    minimumCents: 20_00,
    bankTimeZone: 'Asia/Manila',
    firstDay: paid.start,
  }
  const close = (period: PayPeriod): PayStep => ({
    by: 'superadmin',
    at: after(period, 2, '10:30'),
    endpoint: endpoints.closePayPeriod,
    params: { name: period.name },
    body: { typed: period.name },
    perform: (services, { accountId, username }) =>
      closePeriod(
        services,
        { id: accountId, name: username },
        { name: period.name, typed: period.name, seen: [] },
      ),
  })
  const rate = (by: PayStep['by'], { name, ...period }: PayPeriod, pesosE4: number): PayStep => {
    const body = { pesosE4, source: 'BSP reference rate' }
    return {
      by,
      at: after({ name, ...period }, 2, '10:05'),
      endpoint: endpoints.savePayExchangeRate,
      params: { name },
      body,
      perform: (services, viewer) => saveExchangeRate(services, viewer, { period: name, ...body }),
    }
  }
  /** What an office has paid for the network: no income, and not taxed. */
  const reimbursement = (
    by: PayStep['by'],
    office: string,
    [amount, reason]: [number, string],
    at: Date,
  ): PayStep => {
    const body = { currency: 'PHP' as const, amount, reason, countsAs: 'not income' as const }
    return {
      by,
      at,
      endpoint: endpoints.createAdjustment,
      body: { ...payee(office), ...body },
      changed: { ref: `office:${officeId(office)}` },
      perform: (services, viewer) => createAdjustment(services, viewer, payee(office), body),
    }
  }
  const fraud = {
    held: true,
    reason: 'Fraud under review: sales of Rico Salazar',
    told: 'We are checking some sales. We will contact you within two days.',
  }

  return [
    {
      by: 'superadmin',
      at: during(paid, -3, '11:00'),
      endpoint: endpoints.savePaySettings,
      body: settings,
      perform: (services, viewer) => savePaySettings(services, viewer, settings),
    },
    ...officeAccounts.flatMap((account, index) => {
      // Davao is paid in dollars at first. What it is owed of that time stays in dollars.
      const wasInDollars = account.office === dollarAccount.office
      const [first, id] = [wasInDollars ? dollarAccount : account, officeId(account.office)]
      return [
        entering(first, id, during(paid, 1, `09:${10 + 7 * index}`)),
        confirming(id, during(paid, 2, `15:${10 + 2 * index}`)),
        ...(wasInDollars
          ? [
              entering(account, id, during(unpaid, 6, '09:40')),
              confirming(id, during(unpaid, 7, '15:05')),
            ]
          : []),
      ]
    }),
    smallerTransfers(during(paid, 3, '16:20')),
    ...advanceOf(payee('Iloilo'), (days) => addDays(paid.start, days)),
    // Who approves the dollars of that period has not set their rate.
    rate('superadmin', paid, 581_500),
    close(paid),
    ...runOver(paid, after),
    ...refusedRun(paid, after),
    reimbursement(
      'superadmin',
      'Cebu',
      [2_500_00, 'Internet bill of the office, as agreed with Corazon Alonzo'],
      after(paid, 6, '13:20'),
    ),
    ...taxOf(payee(failing), (time) => during(unpaid, 5, time), unpaid.start),
    rate('admin', unpaid, 584_200),
    close(unpaid),
    ...paidInCash(payee('Iloilo'), addDays(unpaid.end, 5)),
    // It is over by then, whichever half of it was paid first.
    closesBooks(paid.start.slice(0, 7), during(ready, 8, '17:05')),
    // The office's transfer failed, so it enters another account: Davao's, which has to be explained to two people.
    entering(
      { ...found(officeAccounts.find(({ office }) => office === 'Davao')), office: failing },
      officeId(failing),
      during(ready, 9, '16:45'),
    ),
    // Above its limit, so it waits for a second person.
    reimbursement(
      'admin',
      'Manila',
      [12_000_00, 'Two computers for the new agents, as agreed with the office'],
      during(ready, 9, '17:30'),
    ),
    {
      by: 'admin',
      at: during(ready, 10, '11:15'),
      endpoint: endpoints.setPayHold,
      ...ofOffice('Davao'),
      body: fraud,
      perform: (services, viewer) => setHold(services, viewer, payee('Davao'), fraud),
    },
    // So far on in the period that these two are left out.
    ...runToApprove(unpaid, (time) => during(ready, 11, time)),
    comesBack(addDays(ready.start, 11), during(ready, 12, '10:05')),
  ]
}

/** Somebody prepares a run over a period, with the first template that takes its currency. */
function prepares(
  period: string,
  by: PayStep['by'],
  at: Date,
  currency: Currency = 'PHP',
): PayStep {
  const asked = { period, currency, parts: [] }
  return {
    by,
    at,
    endpoint: endpoints.preparePaymentRun,
    body: asked,
    async perform(services, viewer) {
      const template = found(
        (await listTemplates(services.db)).find(({ layout }) =>
          layout.channels.some((channel) => channel.currency === currency),
        ),
      )
      await prepareRun(services, viewer, { ...asked, templateId: template.id })
    },
  }
}

/** The admin approves a run. */
const approvesRun = (id: number, at: Date): PayStep => ({
  by: 'admin',
  at,
  endpoint: endpoints.approvePaymentRun,
  params: { id },
  async perform(services, viewer) {
    await approveRun(services, viewer, id, await seenNow(services, id))
  },
})

/** The admin downloads all files of a run. */
const takesFiles = (id: number, at: Date): PayStep => ({
  by: 'admin',
  at,
  endpoint: endpoints.takePaymentFile,
  params: { id },
  async perform(services, viewer) {
    const { files } = await presentRun(services, viewer, id)
    for (const { name } of files) await takeFile(services, viewer, id, { name })
  },
})

/** Prepared by one person, approved by another; all transfers arrive except one. */
function runOver(
  period: PayPeriod,
  after: (period: PayPeriod, days: number, time: string) => Date,
): PayStep[] {
  const id = 1
  const params = { id }
  return [
    prepares(period.name, 'superadmin', after(period, 2, '14:10')),
    approvesRun(id, after(period, 2, '16:35')),
    takesFiles(id, after(period, 3, '09:20')),
    {
      by: 'admin',
      at: after(period, 4, '10:50'),
      endpoint: endpoints.enterPaymentResults,
      params,
      async perform(services, viewer) {
        const { lines } = await presentRun(services, viewer, id)
        await enterResults(services, viewer, id, {
          lines: lines.map(({ reference, payee }) => {
            const paid = payee.name !== failing
            return { reference, paid, reason: paid ? '' : 'Account closed', bankReference: '' }
          }),
        })
      },
    },
    approving(3, 'superadmin', after(period, 4, '14:05')),
  ]
}

/**
 * A run in dollars, whose file the bank refuses as a whole. So the office that it would have paid enters an account in pesos later,
 * and what it is owed of that time stays in dollars.
 */
function refusedRun(
  period: PayPeriod,
  after: (period: PayPeriod, days: number, time: string) => Date,
): PayStep[] {
  const id = 2
  const params = { id }
  const refused = {
    name: '',
    refusedOn: addDays(period.end, 4),
    reason: 'The account that pays takes no transfers in dollars by file',
  }
  return [
    prepares(period.name, 'superadmin', after(period, 2, '14:30'), 'USD'),
    approvesRun(id, after(period, 2, '16:50')),
    takesFiles(id, after(period, 3, '09:25')),
    {
      by: 'superadmin',
      at: after(period, 4, '11:20'),
      endpoint: endpoints.enterRefusedFile,
      params,
      body: refused,
      changed: { ref: `paymentRun:${id}` },
      async perform(services, viewer) {
        refused.name = found((await presentRun(services, viewer, id)).files[0]).name
        await enterRefusedFile(services, viewer, id, refused)
      },
    },
    approving(4, 'admin', after(period, 4, '14:40')),
  ]
}

/** Prepared by the admin without one office, and waits for the superadmin. */
function runToApprove({ name }: PayPeriod, at: (time: string) => Date): PayStep[] {
  const id = 3
  const takenOut = { lineId: 0, reason: 'Asked to be paid together with the next period' }
  return [
    prepares(name, 'admin', at('14:25')),
    {
      by: 'admin',
      at: at('14:40'),
      endpoint: endpoints.removePaymentRunLine,
      params: { id },
      body: takenOut,
      async perform(services, viewer) {
        const { lines } = await presentRun(services, viewer, id)
        takenOut.lineId = found(lines.find(({ payee }) => payee.name === 'Cebu')).id
        await removeLine(services, viewer, id, takenOut)
      },
    },
  ]
}

/** The bank takes little at once for e-wallets, so that an office with one gets several transfers. */
function smallerTransfers(at: Date): PayStep {
  const params = { id: 0 }
  const body = { version: 0 }
  return {
    by: 'superadmin',
    at,
    endpoint: endpoints.updatePayFileTemplate,
    params,
    body,
    async perform(services, viewer) {
      const { id, version, layout } = found((await listTemplates(services.db))[0])
      const channels = layout.channels.map((channel) =>
        channel.takes === 'wallet' ? { ...channel, upTo: 10_000_00 } : channel,
      )
      params.id = id
      body.version = version
      await updateTemplate(services, viewer, id, { version, layout: { ...layout, channels } })
    },
  }
}

/** Tax is withheld from an office from a day on: one person enters its details and the rate, another approves the rate. */
function taxOf(payee: OfficeKey, at: (time: string) => Date, fromDay: Day): PayStep[] {
  const details = {
    fromDay,
    registeredName: 'Baguio Highland Leads Inc.',
    country: 'PH' as const,
    taxNumber: '209-441-873-000',
    address: '18 Session Road, Baguio City',
  }
  const rate = { fromDay, rateBp: 1000, code: 'WI515', reason: 'As RR 11-2018 says of commissions' }
  const id = 5
  const changed = { ref: `office:${payee.id}` as const }
  return [
    {
      by: 'superadmin',
      at: at('10:20'),
      endpoint: endpoints.saveTaxDetails,
      body: { ...payee, ...details },
      changed,
      perform: (services, viewer) => saveTaxDetails(services, viewer, payee, details),
    },
    {
      by: 'superadmin',
      at: at('10:25'),
      endpoint: endpoints.proposeTaxRate,
      body: { ...payee, ...rate },
      changed,
      perform: (services, viewer) => proposeTaxRate(services, viewer, payee, rate),
    },
    approving(id, 'admin', at('13:50')),
  ]
}

/** Somebody approves what waited for a second person. */
const approving = (id: number, by: PayStep['by'], at: Date): PayStep => ({
  by,
  at,
  endpoint: endpoints.approvePayProposal,
  params: { id },
  changed: { ref: `payProposal:${id}` },
  async perform(services, viewer) {
    await approveProposal(services, viewer, id)
  },
})

/** An office without an account is paid a part of its balance in cash: one person enters it, another approves it. */
const paidInCash = (payee: OfficeKey, day: Day): PayStep[] =>
  ofVoucher(6, payee, day, {
    amount: 1_500_00,
    voucher: 'CV-0118',
    reason: 'Petty cash for the new desk, until the office enters an account',
  })

/** Before anything of it is earned, that office gets an advance in cash, and gives it back within a week. */
const advanceOf = (payee: OfficeKey, day: (days: number) => Day): PayStep[] => [
  ...ofVoucher(1, payee, day(4), {
    amount: 2_000_00,
    voucher: 'CV-0109',
    reason: 'Deposit for a second room',
    instalments: 2,
  }),
  ...ofVoucher(2, payee, day(9), {
    amount: 2_000_00,
    voucher: 'OR-0042',
    reason: 'The landlord gave the deposit back',
    isReceived: true,
  }),
]

/** Cash that is paid to an office or received from it: the admin enters it, the superadmin approves it. */
function ofVoucher(
  id: number,
  payee: OfficeKey,
  day: Day,
  {
    isReceived = false,
    ...voucher
  }: {
    amount: number
    voucher: string
    reason: string
    instalments?: number
    isReceived?: boolean
  },
): PayStep[] {
  const cash = { currency: 'PHP' as const, way: 'cash' as const, paidOn: day, ...voucher }
  return [
    {
      by: 'admin',
      at: atNewYork(day, '15:10'),
      endpoint: isReceived ? endpoints.receiveMoney : endpoints.payOutside,
      body: { ...payee, ...cash },
      changed: { ref: `office:${payee.id}` },
      perform: (services, viewer) =>
        isReceived
          ? receiveMoney(services, viewer, payee, cash)
          : payOutside(services, viewer, payee, cash),
    },
    approving(id, 'superadmin', atNewYork(day, '16:25')),
  ]
}

/** The accountant has a month, and closes it. */
const closesBooks = (month: string, at: Date): PayStep => ({
  by: 'admin',
  at,
  endpoint: endpoints.closeMonth,
  body: { month },
  perform: (services, viewer) => closeMonth(services, viewer, { month }),
})

/**
 * Weeks after it was paid, a transfer of the first run comes back. Whoever confirmed its account and adjusted it alone reads that in
 * the bank's file, so that one hand in what is paid next leaves the other payer to approve it.
 */
function comesBack(returnedOn: Day, at: Date): PayStep {
  const id = 1
  const columns = {
    reference: 'Reference',
    status: 'Status',
    paid: ['Completed'],
    failed: ['Failed', 'Returned'],
    pending: ['Unclaimed'],
    beginsWith: true,
    amount: 'Amount',
    minorUnits: null,
    reason: 'Reason',
    bankReference: null,
  }
  const body = { columns, take: true, othersSeen: false, guessesSeen: [], returnedOn }
  return {
    by: 'superadmin',
    at,
    endpoint: endpoints.readResultFile,
    params: { id },
    body,
    changed: { ref: `paymentRun:${id}` },
    async perform(services, viewer) {
      const { lines } = await presentRun(services, viewer, id)
      const { reference, amount } = found(lines.find(({ payee }) => payee.name === returning))
      const row = `${reference},Returned,${(amount / 100).toFixed(2)},Account dormant`
      const file = Buffer.from(`Reference,Status,Amount,Reason\r\n${row}\r\n`).toString('base64')
      await readResultFile(services, viewer, id, { ...body, file })
    },
  }
}

/** The office whose transfer comes back. It is not in the run that waits, which the confirmer of its account could not approve. */
const returning = 'Cebu'

/** The office whose transfer fails. */
const failing = 'Baguio'
