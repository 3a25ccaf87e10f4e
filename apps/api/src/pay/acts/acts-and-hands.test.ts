import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import {
  type AccountHand,
  accountHands,
  type Act,
  acts,
  DAY_MS,
  dayInWords,
  type Deed,
} from '@tallyroom/domain/acts'
import { dayOf } from '@tallyroom/domain/new-york'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { PAY_TABLES } from '../../../test/pay-world.ts'
import {
  buildBalance,
  buildPaidRun,
  buildPay,
  buildRun,
  buildRunAtBank,
  buildWaitingAccount,
  buildPerson,
} from '../../../test/payment-world.ts'
import { buildApp, giving } from '../../../test/second-factor.ts'
import { testServices } from '../../../test/services.ts'
import { execute } from '../../../test/test-server.ts'
import type { Viewer } from '../../access/viewer.ts'
import { recordHand } from '../../people/hands/record-hand.ts'
import { payRoutes } from '../pay.routes.ts'
import { payeeAccountsRoutes } from './payee-accounts.routes.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { payProposalsRoutes } from './pay-proposals.routes.ts'

/*
 * Each act in the table of acts but for approving a run (see `approvers.test.ts` and `second-step.test.ts`) × each deed that bars from it × each
 * hand that makes two accounts one person, from either side, before the deed and after it.
 */

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes([
  ...payRoutes(services),
  ...paymentRunsRoutes(services),
  ...payProposalsRoutes(services),
  ...payeeAccountsRoutes(services),
])

const asOwner = (change: string) => execute(database.connection, change)
const at = services.clock.now()
const before = (days: number) => new Date(at.getTime() - days * DAY_MS)
let people: Record<'doer' | 'second' | 'outsider', Viewer>
let manila = 0

beforeEach(async () => {
  await emptyTables(database.connection, [...PAY_TABLES])
  await buildPay(db)
  manila = await buildOffice(db, { name: 'Manila' })
  people = {
    doer: await buildPerson(db, 'doer'),
    second: await buildPerson(db, 'second'),
    outsider: await buildPerson(db, 'outsider'),
  }
})

/** Tries the second act. */
type Attempt = (who: Viewer) => Promise<{
  status: number
  body: { message?: string; code?: string; asks?: { challenge: string } }
}>

const approving = async (endpoint: Endpoint, sent: object): Promise<Attempt> => {
  const entered = await call(people.doer, endpoint, sent)
  expect(entered.status).toBe(200)
  const [{ id }] = (await call(people.doer, payProposalsEndpoints.payProposals)).body
  return (who) => call(who, payProposalsEndpoints.approvePayProposal, { params: { id } })
}

const confirming =
  (id: number): Attempt =>
  (who) =>
    call(who, payeeAccountsEndpoints.decideAccount, { params: { id }, body: { confirm: true } })

/** A balance that is not in the currency of a payee without an account. */
const former = () => ({ kind: 'office', id: manila, currency: 'USD' })

const rateOf = (period: string, pesosE4: number) => ({
  params: { name: period },
  body: { pesosE4, source: 'BSP' },
})

type Case = {
  act: Exclude<Act, 'approve run'>
  deed: Deed
  told: RegExp
  /** The doer does the deed; returns how somebody tries the act. */
  after: () => Promise<Attempt>
}

const cases: Case[] = [
  {
    act: 'approve adjustment',
    deed: 'proposed',
    told: /entered it/,
    after: () =>
      approving(balancesEndpoints.createAdjustment, {
        body: {
          kind: 'office',
          id: manila,
          currency: 'PHP',
          amount: 12_000_00,
          reason: 'a bonus',
        },
      }),
  },
  {
    act: 'approve exchange rate',
    deed: 'proposed',
    told: /entered it/,
    async after() {
      const { savePayExchangeRate } = payEndpoints
      await call(people.outsider, savePayExchangeRate, rateOf('2026-01-A', 580_000))
      return approving(savePayExchangeRate, rateOf('2026-01-B', 10_000))
    },
  },
  {
    act: 'approve result',
    deed: 'proposed',
    told: /entered it/,
    async after() {
      const { id } = await buildRun(db, ['approved', 'files taken'])
      const lines = [{ reference: `T${id}N1`, paid: false, reason: 'Account closed' }]
      return approving(paymentResultsEndpoints.enterPaymentResults, {
        params: { id },
        body: { lines },
      })
    },
  },
  {
    act: 'approve return',
    deed: 'proposed',
    told: /entered it/,
    async after() {
      const { id, lineId } = await buildPaidRun(db)
      return approving(paymentResultsEndpoints.returnPayment, {
        params: { id },
        body: { lineId, returnedOn: dayOf(at), reason: 'Account closed' },
      })
    },
  },
  {
    act: 'approve refused file',
    deed: 'proposed',
    told: /entered it/,
    async after() {
      const { id, file } = await buildRunAtBank(db)
      return approving(paymentResultsEndpoints.enterRefusedFile, {
        params: { id },
        body: { name: file, refusedOn: dayOf(at), reason: 'A wrong date' },
      })
    },
  },
  {
    act: 'approve payment outside',
    deed: 'proposed',
    told: /entered it/,
    async after() {
      await buildBalance(db, manila)
      return approving(balancesEndpoints.payOutside, {
        body: {
          kind: 'office',
          id: manila,
          currency: 'PHP',
          amount: 2_000_00,
          way: 'cash',
          paidOn: dayOf(at),
          voucher: '118',
          reason: 'no account yet',
        },
      })
    },
  },
  {
    act: 'approve money received',
    deed: 'proposed',
    told: /entered it/,
    async after() {
      await buildBalance(db, manila, { amount: -2_000_00 })
      return approving(balancesEndpoints.receiveMoney, {
        body: {
          kind: 'office',
          id: manila,
          currency: 'PHP',
          amount: 2_000_00,
          way: 'cash',
          paidOn: dayOf(at),
          voucher: '118',
          reason: 'gives it back',
        },
      })
    },
  },
  {
    act: 'approve correction',
    deed: 'proposed',
    told: /entered it/,
    async after() {
      await buildBalance(db, manila, { currency: 'USD' })
      return approving(balancesEndpoints.createAdjustment, {
        body: { ...former(), amount: -1, reason: 'rounding' },
      })
    },
  },
  {
    act: 'approve conversion',
    deed: 'proposed',
    told: /entered it/,
    async after() {
      await buildBalance(db, manila, { currency: 'USD' })
      return approving(balancesEndpoints.convertBalance, {
        body: { ...former(), pesosE4: 57_0000, source: 'BSP' },
      })
    },
  },
  {
    act: 'approve tax rate',
    deed: 'proposed',
    told: /entered it/,
    async after() {
      const payee = { kind: 'office', id: manila, fromDay: dayOf(at) }
      await call(people.outsider, taxDetailsEndpoints.saveTaxDetails, {
        body: {
          ...payee,
          registeredName: 'Manila Leads Inc.',
          country: 'PH',
          taxNumber: '123-456-789-000',
          address: 'Makati',
        },
      })
      return approving(taxDetailsEndpoints.proposeTaxRate, {
        body: { ...payee, rateBp: 1000, code: 'WI515', reason: 'the law' },
      })
    },
  },
  {
    act: 'approve limits',
    deed: 'proposed',
    told: /entered it/,
    after: () =>
      approving(payProposalsEndpoints.proposePayLimits, {
        body: { adjustmentCentavos: 1_000_000_00, adjustmentCents: 0, reason: 'more' },
      }),
  },
  {
    act: 'confirm account',
    deed: 'entered account',
    told: /entered this account/,
    async after() {
      const id = await buildWaitingAccount(db, manila)
      const { accountId } = people.doer
      await asOwner(`update payee_accounts set entered_by = ${accountId} where id = ${id}`)
      return confirming(id)
    },
  },
  {
    act: 'confirm account',
    deed: 'confirmed account',
    told: /confirmed this account/,
    async after() {
      const id = await buildWaitingAccount(db, manila)
      await asOwner(`update payee_accounts set confirmations = 2 where id = ${id}`)
      expect((await confirming(id)(people.doer)).status).toBe(200)
      return confirming(id)
    },
  },
  {
    act: 'confirm account',
    deed: 'is payee',
    told: /is its payee/,
    async after() {
      await db
        .updateTable('accounts')
        .set({ username: 'former' })
        .where('username', '=', 'doer')
        .execute()
      const { id } = await db
        .updateTable('accounts')
        .set({ username: 'doer' })
        .where('office_id', '=', manila)
        .returning('id')
        .executeTakeFirstOrThrow()
      people.doer = { ...people.doer, accountId: id }
      return confirming(await buildWaitingAccount(db, manila))
    },
  },
]

test('every act and every deed that bars from it is tried here or for runs', () => {
  const tried = cases.map(({ act, deed }) => `${act}: ${deed}`)
  const all = Object.entries(acts).flatMap(([act, deeds]) =>
    act === 'approve run' ? [] : deeds.map((deed) => `${act}: ${deed}`),
  )
  expect(tried.toSorted()).toEqual(all.toSorted())
})

const kinds = Object.keys(accountHands) as AccountHand[] // the keys of a constant
const hand = (kind: AccountHand, accountId: number, by: number, on: Date) =>
  recordHand(db, { accountId, kinds: [kind], by: { accountId: by, signedInBy: undefined }, at: on })

describe.each(cases)('$act: whoever “$deed”', ({ act, told, after }) => {
  test('does not do it, and neither does anybody who is one person with them', async () => {
    const attempt = await after()
    const { doer, second, outsider } = people
    expect((await attempt(doer)).status).toBe(403)
    const refused = async () => {
      const { status, body } = await attempt(second)
      expect(status).toBe(403)
      expect(body.message).toMatch(told)
      await emptyTables(database.connection, ['account_hands'])
      return body.message
    }
    for (const kind of kinds) {
      const { did, had } = accountHands[kind]
      for (const when of [before(5), at]) {
        await hand(kind, doer.accountId, second.accountId, when)
        expect(await refused()).toContain(`You ${did} doer on ${dayInWords(when)}, and doer `)
        await hand(kind, second.accountId, doer.accountId, when)
        expect(await refused()).toContain(`You ${had} doer on ${dayInWords(when)}, and doer `)
      }
    }
    // A third person who could have acted as both.
    await hand('made', doer.accountId, outsider.accountId, before(5))
    await hand('pay', second.accountId, outsider.accountId, at)
    expect(await refused()).toContain('outsider made the account doer')

    expect((await attempt(second)).status).toBe(200)
  })
  test('is nothing that anybody does without the second factor that they have', async () => {
    const attempt = await after()
    const { second } = people
    const code = await buildApp(services, second.accountId)
    const refused = await attempt(second)
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'FACTOR_NEEDED', asks: { byCode: true, passkey: null } },
    })
    const challenge = refused.body.asks?.challenge
    const wrong = await attempt(giving(second, { challenge, code: '000000' }))
    expect(wrong).toMatchObject({ status: 403, body: { data: { code: [expect.any(String)] } } })
    const right = giving(second, { challenge, code: code() })
    expect((await attempt(right)).status).toBe(200)
    const kept = await db
      .selectFrom('act_factors')
      .select(['kind', 'made_by', 'signature'])
      .execute()
    const kind = act === 'confirm account' ? 'account' : 'proposal'
    expect(kept).toEqual([{ kind, made_by: second.accountId, signature: null }])
  })

  test('is done by nobody without a second factor from the day on that the network chose', async () => {
    const attempt = await after()
    const day = (second_acts: string | null) =>
      db.updateTable('sign_in_rules').set({ second_acts }).execute()
    await day(dayOf(at))
    const refused = await attempt(people.second)
    await day(dayOf(new Date(at.getTime() + DAY_MS)))
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', message: expect.stringContaining('Profile → Second factor') },
    })
    expect((await attempt(people.second)).status).toBe(200)
    await day(null)
  })
})
