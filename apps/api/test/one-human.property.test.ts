import { fc, test as property } from '@fast-check/vitest'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { forgotEndpoints } from '@tallyroom/contract/people/forgot'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import { DAY_MS } from '@tallyroom/domain/acts'
import { roleNumber } from '@tallyroom/domain/roles'
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { hashToken } from '../src/lib/tokens.ts'
import { hashPassword } from '../src/lib/password.ts'
import { seenNow } from '../src/pay/paying/review.ts'
import { passwordColumn } from '../src/people/accounts/password-column.ts'
import { insertToken } from '../src/people/auth/one-time-token.queries.ts'
import type { Sent } from './access-matrix.ts'
import { buildAccount, buildOffice } from './build-world.ts'
import { emptyTables, testDatabase } from './database.ts'
import { PAY_TABLES } from './pay-world.ts'
import { buildAccountInForce, buildBalance, buildPay } from './payment-world.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

/*
 * One human has the account of the superadmin, and a week. There is another holder of PAY, an admin without it, and two offices that
 * are owed ₱1,000,000 each, one with an account and one without. Whatever the human does with what the product shows them – lists,
 * new passwords, mailed links, *Sign in as*, private windows – they pay nobody. Accounts that they make themselves are left out: who
 * really uses those, nobody can know (docs/security.md, *These stay open*).
 */

const database = await testDatabase()
const { db, clock } = database
const DAYS = 8
const OWED = 1_000_000_00

const staff = ['root', 'ann', 'carl'] as const
const others = ['ann', 'carl'] as const
const offices = ['manila', 'cebu'] as const
type Name = (typeof staff)[number] | (typeof offices)[number]

/** One window for each account, so that no device and no address is shared. */
const addressOf: Record<Name, string> = {
  root: '203.0.113.1',
  ann: '198.51.100.2',
  carl: '192.0.2.3',
  manila: '198.18.0.4',
  cebu: '198.19.0.5',
}
const usual = (name: Name) => `Wooden-Harbor-77-${name}`
const mailbox = 'human@example.com'

const modes = ['on', 'reveal', 'off'] as const

describe.each(modes)('PASSWORD_COLUMN=%s', async (mode) => {
  const services = testServices(database, {
    environment: { CAPTCHA: 'off', PASSWORD_COLUMN: mode },
  })
  const app = await buildApp(services)
  afterAll(() => app.close())

  /** What the human knows, and has left of their week. */
  class Human {
    readonly knows = new Map<Name, string>([['root', usual('root')]])
    readonly ids: Record<Name, number>
    /** Of one day, so that each is still proved. */
    private readonly sessions = new Map<Name, string>()
    private days = DAYS

    constructor(ids: Record<Name, number>) {
      this.ids = ids
    }

    /** Calls as somebody whose password is known. Undefined if it is not, or not any more. */
    async call(name: Name, endpoint: Endpoint, sent: Sent = {}) {
      for (;;) {
        const open = this.sessions.get(name)
        const token = open ?? (await this.signIn(name))
        if (token === undefined) return undefined
        this.sessions.set(name, token)
        const answer = await send(app, endpoint, sent, { token, ip: addressOf[name] })
        if (answer.statusCode !== 401) return { status: answer.statusCode, body: answer.json() }
        this.sessions.delete(name)
        expect(open, 'a session that was just opened').toBeDefined()
      }
    }

    private async signIn(name: Name): Promise<string | undefined> {
      const password = this.knows.get(name)
      if (password === undefined) return undefined
      const answer = await send(
        app,
        authEndpoints.login,
        { body: { username: name, password } },
        { token: undefined, ip: addressOf[name] },
      )
      if (answer.statusCode === 200) return answer.json().token
      this.knows.delete(name)
      return undefined
    }

    async readLists(): Promise<void> {
      const answers = [
        await this.call('root', adminsEndpoints.admins),
        await this.call('root', officesEndpoints.searchOffices, { body: { criteria: [] } }),
      ]
      for (const answer of answers) {
        const rows: { username: Name; plainPassword?: string | null }[] =
          answer?.body.data ?? answer?.body.items ?? answer?.body
        for (const { username, plainPassword } of rows)
          if (plainPassword != null) this.knows.set(username, plainPassword)
      }
    }

    async reveal(name: (typeof others)[number]): Promise<void> {
      const params = { id: String(this.ids[name]) }
      const answer = await this.call('root', adminsEndpoints.adminPassword, { params })
      if (answer?.body.plainPassword != null) this.knows.set(name, answer.body.plainPassword)
    }

    async change(name: (typeof others)[number], change: object): Promise<void> {
      const answer = await this.call('root', adminsEndpoints.updateAdmin, {
        params: { id: String(this.ids[name]) },
        body: { password: '', passwordConfirm: '', ...change },
      })
      expect(answer?.status).toBe(200)
    }

    async setPassword(name: (typeof others)[number]): Promise<void> {
      const password = `Set-by-root-${randomUUID()}`
      await this.change(name, { password, passwordConfirm: password })
      this.knows.set(name, password)
    }

    /** Asks for a link, which reaches whoever reads the account's mails. */
    async useMailedLink(name: (typeof others)[number]): Promise<void> {
      const { email } = await db
        .selectFrom('accounts')
        .select('email')
        .where('id', '=', this.ids[name])
        .executeTakeFirstOrThrow()
      if (email !== mailbox) return
      const [token, password] = [randomUUID(), `By-link-${randomUUID()}`]
      await insertToken(db, {
        hash: hashToken(token),
        purpose: 'password-reset',
        accountId: this.ids[name],
        expiresAt: new Date(clock.now().getTime() + 60_000),
      })
      const body = { token, password, passwordConfirm: password }
      const visit = { token: undefined, ip: addressOf[name] }
      const answer = await send(app, forgotEndpoints.resetPassword, { body }, visit)
      expect(answer.statusCode).toBe(200)
      this.knows.set(name, password)
    }

    async changeOwnPassword(name: (typeof others)[number]): Promise<void> {
      const password = `Own-${randomUUID()}`
      const body = { password, passwordConfirm: password }
      const answer = await this.call(name, profileEndpoints.changePassword, { body })
      if (answer?.status === 200) this.knows.set(name, password)
    }

    async changeOwnAddress(name: (typeof others)[number]): Promise<void> {
      const body = { email: mailbox, password: '', passwordConfirm: '' }
      await this.call(name, profileEndpoints.updateAdminProfile, { body })
    }

    wait(days: number): void {
      const waited = Math.min(days, this.days)
      this.days -= waited
      this.sessions.clear()
      clock.set(new Date(clock.now().getTime() + waited * DAY_MS).toISOString())
    }

    /** Tries all that leads to money, as everybody whom the human can be. */
    async tryToPay(): Promise<void> {
      for (const name of offices) await this.enterAccount(name)
      for (const name of staff) await this.confirmAll(name)
      const asked = { body: { period: null, currency: 'PHP', templateId: 1 } }
      for (const name of staff) await this.call(name, paymentRunsEndpoints.preparePaymentRun, asked)
      for (const name of staff) await this.approveAll(name)
    }

    /** By *Sign in as*, and with the office's password. */
    private async enterAccount(name: (typeof offices)[number]): Promise<void> {
      const visit = { token: await this.signIn('root'), ip: addressOf.root }
      const body = { companyId: this.ids[name] }
      const link = await send(app, remoteLoginEndpoints.signInAs, { body }, visit)
      const redeemed = await send(
        app,
        remoteLoginEndpoints.loginRemote,
        { body: { token: link.json().token } },
        {
          token: undefined,
          ip: addressOf.root,
          cookie: String(link.headers['set-cookie']).split(';', 1)[0],
        },
      )
      const account = {
        channel: 'bank',
        institution: 'BOPIPHMM',
        number: '6666000011',
        accountName: 'Mallory',
        currency: 'PHP',
      }
      const { token } = redeemed.json()
      const answer = await send(
        app,
        payeeAccountsEndpoints.enterPayeeAccount,
        { body: account },
        { token, ip: addressOf.root },
      )
      expect(answer.statusCode).toBe(403)
      // With a password, the account can be entered; this one's is paid already.
      if (name === 'cebu')
        await this.call(name, payeeAccountsEndpoints.enterPayeeAccount, { body: account })
    }

    private async confirmAll(name: Name): Promise<void> {
      const waiting = await this.call(name, payeeAccountsEndpoints.accountsToConfirm)
      for (const { id } of waiting?.body.waiting ?? [])
        await this.call(name, payeeAccountsEndpoints.decideAccount, {
          params: { id: String(id) },
          body: { confirm: true },
        })
    }

    private async approveAll(name: Name): Promise<void> {
      const runs = await this.call(name, paymentRunsEndpoints.paymentRuns)
      for (const { id } of runs?.body.runs ?? []) {
        const params = { id: String(id) }
        const run = await this.call(name, paymentRunsEndpoints.paymentRun, { params })
        const ticked = (run?.body.toApprove?.news ?? []).map(({ key }: { key: string }) => key)
        await this.call(name, paymentRunsEndpoints.approvePaymentRun, {
          params,
          body: { ...(await seenNow(services, id)), ticked },
        })
      }
    }
  }

  async function buildWorld(): Promise<Human> {
    await emptyTables(database.connection, [
      ...PAY_TABLES,
      'sessions',
      'sign_in_waits',
      'sign_in_tokens',
      'former_addresses',
    ])
    clock.set('2026-03-02T15:00:00Z')
    await buildPay(db)
    const passwords = passwordColumn(services)
    const give = async (id: number, name: Name, readable: boolean) => {
      await db
        .updateTable('accounts')
        .set({
          password_hash: await hashPassword(usual(name)),
          password_sealed: readable ? passwords.seal(id, usual(name)) : null,
        })
        .where('id', '=', id)
        .execute()
      return id
    }
    const admin = { role: roleNumber('admin'), email: 'own@example.com' }
    const root = await buildAccount(db, { username: 'root', email: mailbox })
    const ann = await buildAccount(db, { ...admin, username: 'ann', pay: true })
    const carl = await buildAccount(db, { ...admin, username: 'carl' })
    const [manila, cebu] = [
      await buildOffice(db, { name: 'Manila', username: 'manila' }),
      await buildOffice(db, { name: 'Cebu', username: 'cebu' }),
    ]
    await buildAccountInForce(db, manila)
    for (const office of [manila, cebu]) await buildBalance(db, office, { amount: OWED })
    await give(root, 'root', false)
    await give(ann, 'ann', false)
    await give(carl, 'carl', true)
    for (const [name, office_id] of [
      ['manila', manila],
      ['cebu', cebu],
    ] as const) {
      const { id } = await db
        .selectFrom('accounts')
        .select('id')
        .where('office_id', '=', office_id)
        .executeTakeFirstOrThrow()
      await give(id, name, true)
    }
    return new Human({ root, ann, carl, manila, cebu })
  }

  const whom = fc.constantFrom(...others)
  const step = fc.oneof(
    fc.constant(['reads lists', (human: Human) => human.readLists()] as const),
    whom.map((name) => [`reveals ${name}`, (human: Human) => human.reveal(name)] as const),
    fc
      .tuple(whom, fc.boolean())
      .map(
        ([name, pay]) =>
          [`pay of ${name}: ${pay}`, (human: Human) => human.change(name, { pay })] as const,
      ),
    whom.map(
      (name) => [`sets password of ${name}`, (human: Human) => human.setPassword(name)] as const,
    ),
    whom.map(
      (name) =>
        [
          `moves mails of ${name}`,
          (human: Human) => human.change(name, { email: mailbox }),
        ] as const,
    ),
    whom.map((name) => [`link of ${name}`, (human: Human) => human.useMailedLink(name)] as const),
    whom.map(
      (name) => [`as ${name}, password`, (human: Human) => human.changeOwnPassword(name)] as const,
    ),
    whom.map(
      (name) => [`as ${name}, address`, (human: Human) => human.changeOwnAddress(name)] as const,
    ),
    fc
      .integer({ min: 1, max: 4 })
      .map((days) => [`waits ${days} days`, async (human: Human) => human.wait(days)] as const),
    fc.constant(['tries', (human: Human) => human.tryToPay()] as const),
  )

  property.prop([fc.array(step, { minLength: 4, maxLength: 14 })], {
    numRuns: process.env['TESTS'] === 'thorough' ? 15 : 3,
  })(
    'one human pays nobody in eight days',
    async (steps) => {
      const human = await buildWorld()
      for (const [, take] of steps) await take(human)
      await human.tryToPay()
      human.wait(DAYS)
      await human.tryToPay()
      expect(await findPaid()).toEqual([])
    },
    600_000,
  )

  test('two humans pay at once', async () => {
    const human = await buildWorld()
    human.knows.set('ann', usual('ann'))
    await human.tryToPay()
    expect(await findPaid()).toEqual([{ amount: -OWED, payee_id: human.ids.manila }])
  })

  test('what the lists and the passwords set by hand give is tried', async () => {
    const human = await buildWorld()
    await human.readLists()
    const read = mode === 'on' ? ['carl', 'cebu', 'manila', 'root'] : ['root']
    expect([...human.knows.keys()].toSorted()).toEqual(read)
    // Where the list has shown it, nobody needs to ask for it.
    if (mode !== 'on') await human.reveal('carl')
    await human.reveal('ann')
    expect(human.knows.has('carl')).toBe(mode !== 'off')
    expect(human.knows.has('ann'), 'who may pay has no readable password').toBe(false)
    await human.change('carl', { pay: true })
    await human.setPassword('ann')
    await human.changeOwnPassword('carl')
    await human.tryToPay()
    human.wait(DAYS)
    await human.tryToPay()
    expect(await findPaid()).toEqual([])
    const { runs } = await db
      .selectFrom('payment_runs')
      .select((eb) => eb.fn.countAll<number>().as('runs'))
      .executeTakeFirstOrThrow()
    expect(runs).toBeGreaterThan(0)
  })
})

const findPaid = () =>
  db
    .selectFrom('balance_entries')
    .select(['payee_id', 'amount'])
    .where('kind', '=', 'payment')
    .execute()
