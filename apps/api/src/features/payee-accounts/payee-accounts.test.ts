import { announcementsEndpoints } from '@tallyroom/contract/announcements'
import { enteredAccountSchema, payeeAccountsEndpoints } from '@tallyroom/contract/payee-accounts'
import { roleNumber } from '@tallyroom/domain/roles'
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { isSealedWith } from '../../lib/cipher.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { announcementsRoutes } from '../announcements/index.ts'
import { accountSeals, payeeAccountsRoutes, resealPayeeAccounts } from './index.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes([...payeeAccountsRoutes(services), ...announcementsRoutes(services)])
const { ownPayeeAccount, enterPayeeAccount, accountsToConfirm, decideAccount } =
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
      started_at: at,
      last_seen_at: at,
      expires_at: new Date(at.getTime() + 1e9),
      ip,
    })
    .execute()
  return id
}

beforeEach(async () => {
  await emptyTables(database.connection, ['payee_account_decisions', 'payee_accounts', 'audit_log'])
  services.mail.told.length = 0
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
const waiting = async (who = ann) => (await call(who, accountsToConfirm)).body
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
  expect(services.mail.told).toEqual([
    { to: 'manila@example.com', username: expect.any(String), changed: ['payment account'] },
  ])
  const alert = async (who: Viewer) =>
    (await call(who, announcementsEndpoints.loginAlerts)).body.accountAlert
  expect(await alert(office)).toContain('number ending in 7890. If this was not you')
  expect(await alert(agent)).toBeNull()
  await decide(ann, { confirm: false, reason: 'The name is another one' })
  expect(await alert(office)).toContain('was refused: The name is another one')
  expect(await own(office)).toMatchObject({
    newest: { state: 'refused', refusal: { by: 'ann', reason: 'The name is another one' } },
  })
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
    { doubts: ['staff address'], account: { confirmations: 2, confirmedBy: [] } },
  ])
  await decide(ann)
  expect(await own(office)).toMatchObject({ inForce: null, newest: { confirmedBy: ['ann'] } })
  expect((await decide(ann)).status).toBe(403)
  expect((await decide(bob)).status).toBe(200)
  expect(await own(office)).toMatchObject({ inForce: { lastCharacters: '7890' } })
  await db.deleteFrom('sessions').where('account_id', '=', ann.accountId).execute()
})

test.each([
  ['its password was revealed to staff', 'POST /api/offices/:id/password', officeId, 3, true],
  ['another password was revealed', 'POST /api/offices/:id/password', officeId + 1, 3, false],
  ['its password was revealed long ago', 'POST /api/offices/:id/password', officeId, 8, false],
  ['staff listed offices with their passwords', 'POST /api/offices/search', null, 0.5, false],
])('an account entered after %s', async (_, action, id, daysAgo, isDoubted) => {
  const hash = Buffer.alloc(32)
  await db
    .insertInto('audit_log')
    .values({
      id: 1,
      at: new Date(at.getTime() - daysAgo * 86_400_000),
      account_id: ann.accountId,
      role: roleNumber('superadmin'),
      username: 'ann',
      action_type: 'VIEW',
      action_name: action,
      response_code: 200,
      // Anybody can add a query to a call.
      get_params: JSON.stringify(id === null ? {} : { id, x: '\0' }),
      previous_hash: hash,
      hash,
    })
    .execute()
  await enter(office)
  expect((await waiting())[0].doubts).toEqual(isDoubted ? ['password shown'] : [])
})

test('nothing can be entered after Sign in as, or without a recent sign-in or the password', async () => {
  expect((await enter({ ...office, signedInBy: ann.accountId })).status).toBe(403)
  services.clock.set(new Date(at.getTime() + 11 * 60_000).toISOString())
  expect(await enter(office)).toMatchObject({
    status: 422,
    body: { data: { currentPassword: [expect.stringMatching(/^Enter your current password/)] } },
  })
  services.clock.set(at.toISOString())
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
  })
  expect(seals.open({ ...account, payee_id: 1 + account.payee_id }, account.sealed)).toBeUndefined()
})
