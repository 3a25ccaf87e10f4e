import { announcementsEndpoints } from '@tallyroom/contract/desk/announcements'
import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { homeEndpoints } from '@tallyroom/contract/desk/home'
import {
  type AccountToConfirm,
  enteredAccountSchema,
  payeeAccountsEndpoints,
} from '@tallyroom/contract/pay/accounts/payee-accounts'
import type { AccountHand } from '@tallyroom/domain/acts'
import { roleNumber } from '@tallyroom/domain/roles'
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { buildPay, genericLayout } from '../../../test/payment-world.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { isSealedWith } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { announcementsRoutes } from '../../desk/announcements/announcements.routes.ts'
import { dashboardRoutes } from '../../desk/home/dashboard.routes.ts'
import { recordHand } from '../../people/hands/record-hand.ts'
import { payRoutes } from '../pay.routes.ts'
import { accountDigests } from './account-digest.ts'
import { accountSeals, resealPayeeAccounts } from './sealed-account.ts'
import { payeeAccountsRoutes } from '../acts/payee-accounts.routes.ts'
import { enterAccount } from './payee-accounts.ts'

const database = await testDatabase()
const { db } = database
// With `reveal`, one confirmation is enough without a doubt.
const services = testServices(database, { environment: { PASSWORD_COLUMN: 'reveal' } })
const call = await callRoutes([
  ...payeeAccountsRoutes(services),
  ...announcementsRoutes(services),
  ...dashboardRoutes(services),
  ...payRoutes(services),
])
const { ownPayeeAccount, enterPayeeAccount, accountsToConfirm, decideAccount, disownAccount } =
  payeeAccountsEndpoints

const at = services.clock.now()
const officeId = await buildOffice(db, { name: 'Manila', man_email: 'manila@example.com' })
const agentId = await buildAgent(db, { office_id: officeId, username: 'maria' })
const office = await member({ role: 'company', officeId, agentId: undefined })
const agent = await member({ role: 'agent', officeId, agentId })
const [ann, bob] = [await staff('ann'), await staff('bob')]

async function member(
  membership: Extract<Viewer, { role: 'company' | 'agent' }> | object,
): Promise<Viewer> {
  const known = viewer(membership as never)
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where(
      known.role === 'agent' ? 'agent_id' : 'office_id',
      '=',
      (known.agentId ?? known.officeId)!,
    )
    .executeTakeFirstOrThrow()
  return { ...known, accountId: id, sessionId: await session(id) }
}
async function staff(username: string): Promise<Viewer> {
  const accountId = await buildAccount(db, { username, role: roleNumber('superadmin') })
  return { ...viewer(), username, accountId }
}
async function session(account_id: number, ip = '203.0.113.50'): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('sessions')
    .values({
      id,
      account_id,
      started_at: services.clock.now(),
      last_seen_at: services.clock.now(),
      expires_at: new Date(services.clock.now().getTime() + 1e9),
      ip,
    })
    .execute()
  return id
}

beforeEach(async () => {
  services.clock.set(at.toISOString())
  await emptyTables(database.connection, [
    'payee_account_decisions',
    'payee_account_shares',
    'payee_accounts',
    'pay_holds',
    'account_hands',
    'audit_log',
  ])
  await db.deleteFrom('mails').execute()
})

const bank = {
  channel: 'bank',
  institution: 'BOPIPHMM',
  number: '1234-5678 90',
  accountName: 'Maria Santos',
  currency: 'PHP',
} as const
const enter = (who: Viewer, more: object = {}) =>
  call(who, enterPayeeAccount, { body: { ...bank, ...more } })
const own = async (who: Viewer) => (await call(who, ownPayeeAccount)).body
const listed = async (who = ann) => (await call(who, accountsToConfirm)).body
const waiting = async (who = ann) => (await listed(who)).waiting
const alert = async (who: Viewer) =>
  (await call(who, announcementsEndpoints.loginAlerts)).body.payeeAccount
const decide = async (who: Viewer, body: object = { confirm: true }) =>
  call(who, decideAccount, { params: { id: (await waiting())[0]?.account.id ?? 1 }, body })

test('an account is in force once somebody else has confirmed it, and nobody sees its number', async () => {
  expect((await enter(office)).status).toBe(200)
  const first = await own(office)
  expect(first).toMatchObject({
    needed: true,
    payee: 'Manila',
    inForce: null,
    newest: { state: 'waiting', lastCharacters: '7890', accountName: 'Maria Santos' },
  })
  await decide(ann)
  expect(await own(office)).toMatchObject({ inForce: { lastCharacters: '7890' }, newest: null })
  await enter(office, { number: '5550001111' })
  const [change] = await waiting()
  expect(change).toMatchObject({
    payee: { kind: 'office', id: officeId, name: 'Manila' },
    old: { lastCharacters: '7890' },
    numberChanged: true,
    account: { lastCharacters: '1111' },
    doubts: [],
    sharedWith: [],
    closedToYou: null,
  })
  expect(JSON.stringify([first, change, await own(office)])).not.toMatch(/1234567890|5550001111/)
  const { rows } = await database.pool.query(
    'select payee_accounts::text as row from payee_accounts',
  )
  expect(JSON.stringify(rows)).not.toMatch(/1234567890|Santos/)
})

test('the payee is notified at once, on their first screen and by mail', async () => {
  await enter(office)
  expect(await sentMails(services)).toMatchObject([
    {
      to: 'manila@example.com',
      subject: 'Tallyroom: your payment account was changed',
      text: expect.stringMatching(/“That wasn’t me” at once: http\S+\/app\/pay\/account\n/),
    },
  ])
  const id = (await waiting())[0].account.id
  expect(await alert(office)).toEqual({
    text: expect.stringMatching(/number ending in 7890\. It is paid from 4 Mar at the earliest/),
    disown: id,
  })
  expect(await alert({ ...office, signedInBy: ann.accountId })).toMatchObject({ disown: null })
  expect(await alert(agent)).toBeNull()
  await decide(ann, { confirm: false, reason: 'The name is another one' })
  expect(await alert(office)).toEqual({
    text: expect.stringContaining('was refused: The name is another one'),
    disown: null,
  })
  const shown = await own(office)
  expect(shown).toMatchObject({
    newest: { state: 'refused', refusal: { reason: 'The name is another one' } },
  })
  // Who refused it stays among staff.
  expect(JSON.stringify(shown)).not.toContain('"ann"')
  expect(await waiting()).toEqual([])
})

test('another number with the same last digits is told apart, without showing either', async () => {
  await enter(office)
  await decide(ann)
  await enter(office, { number: '9999997890' })
  const [change] = await waiting()
  expect([change.old.lastCharacters, change.account.lastCharacters]).toEqual(['7890', '7890'])
  expect(change.numberChanged).toBe(true)
  await enter(office, { accountName: 'Maria Reyes' })
  expect((await waiting())[0].numberChanged).toBe(false)
})

test('an office does not see its agents’ accounts', async () => {
  await enter(agent, { number: '0987654321' })
  expect(await own(office)).toMatchObject({ inForce: null, newest: null })
  expect(await own(agent)).toMatchObject({ payee: 'maria', newest: { lastCharacters: '4321' } })
})

test('whoever entered an account can’t confirm it, and nobody confirms it twice', async () => {
  await enter(office)
  expect((await decide({ ...ann, accountId: office.accountId })).status).toBe(403)
  const id = (await waiting())[0].account.id
  expect((await decide(ann)).status).toBe(200)
  const again = await call(bob, decideAccount, { params: { id }, body: { confirm: true } })
  expect(again.status).toBe(409)
})

test('an account entered from an address of staff needs two people', async () => {
  await session(ann.accountId, '127.0.0.1')
  await enter(office)
  expect(await waiting()).toMatchObject([
    {
      doubts: [{ doubt: 'staff address', by: 'ann', at: at.toISOString() }],
      account: { confirmations: 2, confirmedBy: [] },
    },
  ])
  await decide(ann)
  expect(await own(office)).toMatchObject({ inForce: null, newest: { confirmed: 1 } })
  expect((await decide(ann)).status).toBe(403)
  expect((await decide(bob)).status).toBe(200)
  expect(await own(office)).toMatchObject({ inForce: { lastCharacters: '7890' } })
  await db.deleteFrom('sessions').where('account_id', '=', ann.accountId).execute()
})

const hand = (kinds: AccountHand[], by: number, daysAgo: number) =>
  recordHand(db, {
    accountId: office.accountId,
    kinds,
    by: { accountId: by, signedInBy: undefined },
    at: new Date(at.getTime() - daysAgo * 86_400_000),
  })

test.each([
  ['password', 'password set'],
  ['email', 'email set'],
  ['username', 'username set'],
  ['signed in as', 'signed in as'],
  ['revealed', 'password shown'],
  ['device', 'staff device'],
] as const)(
  'a hand of staff in the payee’s sign-in is a doubt for 30 days: %s',
  async (kind, doubt) => {
    await hand([kind], ann.accountId, 30)
    await enter(office)
    expect((await waiting())[0].doubts).toEqual([])
    await hand([kind], ann.accountId, 29)
    // Whoever set the password could have set another one afterwards.
    await recordHand(db, {
      accountId: office.accountId,
      kinds: ['password'],
      by: 'mailed link',
      at,
    })
    await enter(office, { number: '5550001111' })
    const [{ doubts, account }] = await waiting()
    expect(doubts).toEqual([
      { doubt, by: 'ann', at: new Date(at.getTime() - 29 * 86_400_000).toISOString() },
    ])
    expect(account.confirmations).toBe(2)
  },
)

test('a sign-in that staff made is doubted until its holder sets a password of their own', async () => {
  await hand(['made'], ann.accountId, 400)
  await enter(office)
  expect((await waiting())[0].doubts).toMatchObject([{ doubt: 'made by staff', by: 'ann' }])
  await recordHand(db, { accountId: office.accountId, kinds: ['password'], by: 'mailed link', at })
  await enter(office, { number: '5550001111' })
  expect((await waiting())[0].doubts).toEqual([])
})

test('a device that only other payees share, or a grant of PAY, is no doubt', async () => {
  await hand(['device'], agent.accountId, 1)
  await hand(['pay'], ann.accountId, 1)
  await enter(office)
  expect((await waiting())[0].doubts).toEqual([])
})

test('whoever could have acted as the payee does not confirm its account, and the page says who can', async () => {
  await hand(['password'], ann.accountId, 1)
  await enter(office)
  const [{ closedToYou, confirmers }] = await waiting(ann)
  expect(closedToYou).toMatch(
    /^set the password of (\S+) on 28 Feb 2026, and \1 entered this account$/,
  )
  expect(confirmers).toContainEqual({ name: 'bob', whyNot: null })
  expect(await decide(ann)).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(/^You set the password of .* Somebody else must/) },
  })
  expect((await decide(ann, { confirm: false, reason: 'Not theirs' })).status).toBe(403)
  // Nothing that the payee could read.
  expect((await decide(bob, { confirm: false, reason: '\u200b' })).status).toBe(422)
  expect((await waiting(bob))[0].closedToYou).toBeNull()
  await buildPay(db)
  const counted = async (who: Viewer) =>
    (await call(who, homeEndpoints.home)).body.network.needs.pay.accounts
  expect([await counted(ann), await counted(bob)]).toEqual([
    null,
    { count: 1, since: at.toISOString() },
  ])
  expect((await decide(bob)).status).toBe(200)
  expect(await counted(bob)).toBeNull()
})

test('two accounts of one person confirm once', async () => {
  const cem = await staff('cem')
  await hand(['password'], agent.accountId, 1)
  await recordHand(db, {
    accountId: cem.accountId,
    kinds: ['made'],
    by: { accountId: ann.accountId, signedInBy: undefined },
    at,
  })
  await enter(office)
  const id = (await waiting())[0].account.id
  expect((await decide(ann)).status).toBe(200)
  const again = await call(cem, decideAccount, { params: { id }, body: { confirm: true } })
  expect(again.status).toBe(403)
  expect((await waiting(cem))[0].closedToYou).toMatch(/made by ann .* confirmed this account$/)
  expect((await call(bob, decideAccount, { params: { id }, body: { confirm: true } })).status).toBe(
    200,
  )
})

test('nothing can be entered after Sign in as, or without a recent proof of the holder', async () => {
  expect((await enter({ ...office, signedInBy: ann.accountId })).status).toBe(403)
  const { isProved: _, ...unproved } = office
  expect(await enter(unproved)).toMatchObject({ status: 403, body: { code: 'PROOF_NEEDED' } })
})

test('entering the same account again changes nothing', async () => {
  await enter(office)
  expect(await enter(office)).toMatchObject({
    status: 422,
    body: { data: { number: ['is already the number of your account'] } },
  })
})

test.each([
  [{ number: '12345O7890' }, 'number', 'must have digits only'],
  [{ number: '12345' }, 'number', 'must have 6 to 20 digits'],
  [{ institution: 'GXCHPHM2' }, 'institution', 'must be a bank’s code (BIC) of 8 or 11 characters'],
  [{ institution: 'BPI' }, 'institution', 'must be a bank’s code (BIC) of 8 or 11 characters'],
  [{ accountName: '=cmd()' }, 'accountName', 'must begin with a letter or a digit'],
  [{ accountName: ' ' }, 'accountName', 'Enter the account holder’s name'],
  [{ accountName: '\u200b' }, 'accountName', 'Enter the account holder’s name'],
  [{ accountName: 'Maria\u202esotnaS' }, 'accountName', 'must not have invisible characters'],
  [{ accountName: 'Mar\u00adia' }, 'accountName', 'must not have invisible characters'],
  [
    { channel: 'wallet', institution: 'GXCHPHM2', number: '0817 123 4567' },
    'number',
    'must be a mobile number, such as 0917 123 4567',
  ],
  [
    { channel: 'wallet', institution: 'GXCHPHM2', number: '+63 917 123 4567', currency: 'USD' },
    'currency',
    'must be pesos, because e-wallets take no dollars',
  ],
])('%j is refused at its field', (change, field, message) => {
  const parsed = enteredAccountSchema.safeParse({ ...bank, ...change })
  expect(parsed.error?.issues.map((issue) => [issue.path[0], issue.message])).toContainEqual([
    field,
    message,
  ])
})

test('after a rotation, accounts are encrypted with the newest key, and bound to their row', async () => {
  await enter(office)
  const rotated = {
    ...services,
    secret: Buffer.alloc(32, 'newest'),
    formerSecrets: [services.secret],
  }
  const read = () => db.selectFrom('payee_accounts').selectAll().executeTakeFirstOrThrow()
  await resealPayeeAccounts(rotated)
  const account = await read()
  expect(isSealedWith(deriveKey(rotated.secret, 'payee-accounts'), account.sealed)).toBe(true)
  const seals = accountSeals({ ...rotated, formerSecrets: [] })
  expect(seals.open(account, account.sealed)).toEqual({
    number: '1234567890',
    accountName: 'Maria Santos',
    details: {},
  })
  expect(seals.open({ ...account, payee_id: 1 + account.payee_id }, account.sealed)).toBeUndefined()
  const newest = accountDigests({ ...rotated, formerSecrets: [] })
  expect(account.number_digest).toEqual(
    newest.of({ institution: 'BOPIPHMM', number: '1234567890' }),
  )
})

test('accounts from before get their digest at the next start, and those that wait are doubted', async () => {
  await enter(agent, { institution: 'BOPIPHMM001' })
  await enter(office)
  await emptyTables(database.connection, ['payee_account_shares'])
  await db.updateTable('payee_accounts').set({ number_digest: null }).execute()
  await resealPayeeAccounts(services)
  expect((await waiting()).map(({ sharedWith }: AccountToConfirm) => sharedWith)).toEqual([
    [{ kind: 'office', id: officeId, name: 'Manila', state: 'waiting' }],
    [{ kind: 'agent', id: agentId, name: 'maria', state: 'waiting' }],
  ])
})

test('the account of another payee is doubted, by bank and digits, and by every key', async () => {
  await enter(agent, { institution: 'BOPIPHMM001' })
  await decide(ann)
  const cebu = await buildOffice(db, { name: 'Cebu' })
  const other = await member({ role: 'company', officeId: cebu, agentId: undefined })
  await enter(other, { institution: 'BNORPHMM' })
  // After a rotation, before the digests were made anew.
  const rotated = {
    ...services,
    secret: Buffer.alloc(32, 'newest'),
    formerSecrets: [services.secret],
  }
  await enterAccount(rotated, office, {
    ip: '203.0.113.50',
    entered: bank,
  })
  const shared = (await waiting()).map(({ payee, sharedWith, account }: AccountToConfirm) => [
    payee.name,
    sharedWith,
    account.confirmations,
  ])
  expect(shared).toEqual([
    ['Cebu', [], 1],
    ['Manila', [{ kind: 'agent', id: agentId, name: 'maria', state: 'former' }], 2],
  ])
  await resealPayeeAccounts(rotated)
  expect((await waiting())[1].sharedWith).toMatchObject([{ name: 'maria', state: 'in force' }])
  // Maria's was confirmed before anybody could know.
  expect(await own(agent)).toMatchObject({ inForce: { lastCharacters: '7890' } })
})

test('an account that waits is doubted as soon as another payee enters it', async () => {
  await enter(agent)
  expect((await waiting())[0].account.confirmations).toBe(1)
  await enter(office, { accountName: 'Somebody Else' })
  expect((await waiting())[0]).toMatchObject({
    sharedWith: [{ name: 'Manila', state: 'waiting' }],
    account: { confirmations: 2 },
  })
  await decide(ann)
  expect(await own(agent)).toMatchObject({ inForce: null, newest: { confirmed: 1 } })
})

test('an e-wallet is the same account however its number is written', async () => {
  const wallet = { channel: 'wallet', institution: 'GXCHPHM2' }
  await enter(agent, { ...wallet, number: '0917 123 4567' })
  await enter(office, { ...wallet, number: '+63 917-123-4567' })
  expect((await waiting())[1].sharedWith).toMatchObject([{ name: 'maria' }])
})

test.each([
  ['on', 2],
  ['reveal', 1],
  ['off', 1],
] as const)(
  'with PASSWORD_COLUMN=%s, an account without a doubt needs %i of two people',
  async (mode, confirmations) => {
    const shown = testServices(database, { environment: { PASSWORD_COLUMN: mode } })
    const callShown = await callRoutes(payeeAccountsRoutes(shown))
    await callShown(office, enterPayeeAccount, { body: bank })
    const { passwordsShown, waiting: all } = (await callShown(ann, accountsToConfirm)).body
    expect(passwordsShown).toBe(mode === 'on')
    expect(all).toMatchObject([{ doubts: [], account: { confirmations } }])
  },
)

test('of two payees who enter one account at once, both are doubted', async () => {
  await Promise.all([enter(agent), enter(office)])
  const names = (await waiting()).map(({ sharedWith }: AccountToConfirm) =>
    sharedWith.map(({ name }) => name),
  )
  expect(names.toSorted()).toEqual([['Manila'], ['maria']])
})

test('IPv6: a network of staff is a whole /64', async () => {
  await session(ann.accountId, '2001:db8:1:2::1')
  const from = (ip: string) => enterAccount(services, agent, { ip, entered: bank })
  await from('2001:db8:1:3::9')
  expect((await waiting())[0].doubts).toEqual([])
  await emptyTables(database.connection, ['payee_accounts'])
  await from('2001:db8:1:2::9')
  expect((await waiting())[0].doubts).toMatchObject([{ doubt: 'staff address', by: 'ann' }])
  await db.deleteFrom('sessions').where('account_id', '=', ann.accountId).execute()
})

test('a payee that signed in from a network of staff is doubted wherever it enters its account', async () => {
  await session(ann.accountId, '198.51.100.7')
  const id = await session(office.accountId, '198.51.100.7')
  await enter(office)
  expect((await waiting())[0].doubts).toMatchObject([{ doubt: 'staff address', by: 'ann' }])
  await db.deleteFrom('sessions').where('account_id', '=', ann.accountId).execute()
  await db.deleteFrom('sessions').where('id', '=', id).execute()
})

test.each([
  ['within a day of it', 23, [{ doubt: 'new password' }]],
  ['later', 24, []],
])('a first account entered after a new password, %s', async (_, hours, doubts) => {
  const set = (password_set_at: Date | null) =>
    db.updateTable('accounts').set({ password_set_at }).where('id', '=', office.accountId).execute()
  await set(new Date(at.getTime() - hours * 3_600_000))
  await enter(office)
  expect((await waiting())[0].doubts).toMatchObject(doubts)
  // It says nothing about a change: whoever stole a sign-in would find an account in force.
  await enter(office, { number: '5550001111' })
  expect((await waiting())[0].doubts).toEqual([])
  await set(null)
})

test.each([
  ['a partner signed the payee in', { acting_account_id: null }, 29, true],
  ['a partner did so long ago', { acting_account_id: null }, 31, false],
  ['a superadmin signed in as the payee', { acting_account_id: 4711 }, 1, false],
])('a partner’s sign-in: %s', async (_, values, daysAgo, isDoubted) => {
  const hash = Buffer.alloc(32)
  await db
    .insertInto('audit_log')
    .values({
      id: 1,
      at: new Date(at.getTime() - daysAgo * 86_400_000),
      account_id: office.accountId,
      role: roleNumber('company'),
      username: 'manila',
      action_type: 'LOGIN',
      action_name: 'POST /api/auth/login-remote',
      response_code: 200,
      previous_hash: hash,
      hash,
      ...values,
    })
    .execute()
  await enter(office)
  expect((await waiting())[0].doubts).toMatchObject(isDoubted ? [{ doubt: 'partner sign-in' }] : [])
})

test.each([
  ['2026-03-01T04:59:59Z', '2026-03-03'],
  ['2026-03-01T05:00:00Z', '2026-03-04'],
  // The clocks change on 8 March and 1 November.
  ['2026-03-07T04:30:00Z', '2026-03-09'],
  ['2026-03-08T04:30:00Z', '2026-03-10'],
  ['2026-03-09T03:59:00Z', '2026-03-11'],
  ['2026-10-31T03:59:00Z', '2026-11-02'],
  ['2026-11-02T04:59:00Z', '2026-11-04'],
])('an account entered at %s is paid from %s in New York', async (enteredAt, paidFrom) => {
  services.clock.set(enteredAt)
  await enter({ ...office, sessionId: await session(office.accountId) })
  expect((await own(office)).newest.paidFrom).toBe(paidFrom)
  services.clock.set(`${paidFrom}T03:00:00Z`)
  expect((await own(office)).newest.paidFrom).toBe(paidFrom)
  services.clock.set(`${paidFrom}T05:00:00Z`)
  expect((await own(office)).newest.paidFrom).toBeNull()
})

test('a shorter wait acts on accounts that are entered afterwards', async () => {
  await buildPay(db)
  await enter(office)
  const setWaitingDays = (waiting_days: number) =>
    db
      .insertInto('pay_settings')
      .values({
        // Of a period that has not begun.
        from_day: '2026-12-01',
        payees: 'offices',
        period_length: 'beWeek',
        avp: 'instead',
        minimum_centavos: 0,
        minimum_cents: 0,
        set_at: at,
        set_by: 1,
        waiting_days,
      })
      .execute()
  await setWaitingDays(0)
  expect((await own(office)).newest.paidFrom).toBe('2026-03-04')
  await enter(office, { number: '5550001111' })
  expect((await own(office)).newest.paidFrom).toBeNull()
  await setWaitingDays(10)
  await enter(office, { number: '5550002222' })
  expect((await own(office)).newest.paidFrom).toBe('2026-03-11')
  await emptyTables(database.connection, ['pay_settings', 'pay_state'])
})

const disown = async (who: Viewer, id: number) =>
  (await call(who, disownAccount, { params: { id } })).status
const holds = () => db.selectFrom('pay_holds').selectAll().orderBy('id').execute()

test('That wasn’t me refuses an account for good, and puts its payee on hold at once', async () => {
  await enter(office)
  await decide(ann)
  await enter(office, { number: '5550001111' })
  await decide(ann)
  const { inForce } = await own(office)
  expect(inForce.lastCharacters).toBe('1111')
  expect(await disown(office, inForce.id)).toBe(200)
  expect(await own(office)).toMatchObject({
    inForce: { lastCharacters: '7890' },
    newest: { state: 'disowned', lastCharacters: '1111' },
  })
  expect(await holds()).toMatchObject([
    {
      payee_kind: 'office',
      payee_id: officeId,
      held: true,
      account_id: inForce.id,
      reason: expect.stringContaining(
        'did not enter the account at Bank of the Philippine Islands (BPI), number ending in 1111.',
      ),
      told: expect.stringContaining('We will contact you'),
    },
  ])
  expect((await listed()).disowned).toMatchObject([
    { payee: { name: 'Manila' }, account: { lastCharacters: '1111' }, runs: [] },
  ])
  expect((await alert(office)).disown).toBeNull()
  expect(await disown(office, inForce.id)).toBe(409)
  // To be paid to it after all, the payee enters it again, and it is confirmed again.
  expect((await enter(office, { number: '5550001111' })).status).toBe(200)
  expect((await own(office)).newest.state).toBe('waiting')
})

test('That wasn’t me works for an account that waits, and keeps the reason of an earlier hold', async () => {
  await db
    .insertInto('pay_holds')
    .values({
      payee_kind: 'agent',
      payee_id: agentId,
      held: true,
      reason: 'Fraud under review',
      set_at: at,
      set_by: 1,
      set_by_name: 'ann',
    })
    .execute()
  await enter(agent)
  const id = (await waiting())[0].account.id
  expect(await disown(agent, id)).toBe(200)
  expect(await waiting()).toEqual([])
  expect((await holds()).at(-1)?.reason).toMatch(/On hold before: Fraud under review$/)
  await db
    .insertInto('pay_holds')
    .values({
      payee_kind: 'agent',
      payee_id: agentId,
      held: false,
      reason: 'Called maria',
      set_at: at,
      set_by: 1,
      set_by_name: 'ann',
    })
    .execute()
  expect((await listed()).disowned).toEqual([])
  expect((await own(agent)).newest.state).toBe('disowned')
})

test('a page from before That wasn’t me lifts no hold, and another reason leaves the account on the list', async () => {
  const params = { kind: 'office', id: officeId }
  const setHold = (body: object) =>
    call(ann, balancesEndpoints.setPayHold, { params, body: { reason: 'A dispute', ...body } })
  const none = { status: 409, body: { message: 'They are not on hold.' } }
  expect(await setHold({ held: false })).toMatchObject(none)
  expect((await setHold({ held: true, seen: null })).status).toBe(200)
  expect(await setHold({ held: true, seen: null })).toMatchObject({
    status: 409,
    body: { message: 'ann has put them on hold: “A dispute”. Look at it first.' },
  })
  const seen = (await holds())[0]?.set_at.toISOString()
  services.clock.set('2026-03-01T16:00:00Z')
  await enter(office)
  await disown(office, (await waiting())[0].account.id)
  for (const held of [true, false])
    expect(await setHold({ held, seen })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('says that they did not enter the account') },
    })
  services.clock.set('2026-03-01T17:00:00Z')
  const [{ saidAt }] = (await listed()).disowned
  expect((await setHold({ held: true, seen: saidAt })).status).toBe(200)
  expect((await listed()).disowned).toMatchObject([{ saidAt }])
  const lifts = await Promise.all([1, 2].map(() => setHold({ held: false })))
  expect(lifts.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await listed()).disowned).toEqual([])
})

test('That wasn’t me is the payee’s alone, and not of a superadmin signed in as them', async () => {
  await enter(office)
  const id = (await waiting())[0].account.id
  expect(await disown(agent, id)).toBe(404)
  expect(await disown(office, 999_999)).toBe(404)
  expect(await disown({ ...office, signedInBy: ann.accountId }, id)).toBe(403)
  expect(await disown(ann, id)).toBe(403)
  await enter(office, { number: '5550001111' })
  // It was replaced, so nothing would be paid to it.
  expect(await disown(office, id)).toBe(409)
  expect(await holds()).toEqual([])
})

test('what a bank wants to know is asked for as long as a template has it, and kept with the account', async () => {
  expect((await own(office)).wanted).toEqual([])
  await enter(office, { city: 'Cebu' })
  // Nobody has asked for it.
  expect((await own(office)).newest?.details).toEqual({})
  await decide(ann)
  const columns = [
    ...genericLayout.columns,
    { header: 'City', field: 'city' },
    { header: 'Mobile', field: 'mobile' },
  ]
  const { id } = await db
    .insertInto('pay_file_templates')
    .values({ name: 'Curious', layout: JSON.stringify({ ...genericLayout, columns }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  try {
    const wanted = ['city', 'mobile']
    expect(await own(office)).toMatchObject({ wanted, missing: wanted })
    const refused = await enter(office, { city: ' ' })
    expect(refused.body.data).toEqual({
      city: ['is required: the bank wants it'],
      mobile: ['is required: the bank wants it'],
    })
    expect((await enter(office, { city: '=1+1', mobile: '09170000000' })).body.data).toEqual({
      city: ['must begin with a letter or a digit'],
    })
    // The same account, with what was missing, is another one to confirm.
    const details = { city: 'Cebu', mobile: '09171234567' }
    expect(
      (await enter(office, { city: 'Cebu', mobile: '+63 917 123-4567', postcode: '6000' })).status,
    ).toBe(200)
    expect(await own(office)).toMatchObject({ missing: [], newest: { details } })
    expect(await waiting()).toMatchObject([{ old: { details: {} }, account: { details } }])
    await resealPayeeAccounts({
      ...services,
      secret: Buffer.alloc(32, 7),
      formerSecrets: [services.secret],
    })
    const rows = await db.selectFrom('payee_accounts').selectAll().orderBy('id', 'desc').execute()
    const seals = accountSeals({ secret: Buffer.alloc(32, 7), formerSecrets: [] })
    expect(seals.open(rows[0]!, rows[0]!.sealed)?.details).toEqual(details)
    // An e-wallet's number is one already.
    const wallet = { channel: 'wallet', institution: 'GXCHPHM2', number: '09179999999' }
    expect((await enter(agent, { ...wallet, city: 'Iloilo' })).status).toBe(200)
  } finally {
    await db.deleteFrom('pay_file_templates').where('id', '=', id).execute()
  }
})
