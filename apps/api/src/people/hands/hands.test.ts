import { accountHands, type AccountHand, DAY_MS } from '@tallyroom/domain/acts'
import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { roleNumber } from '@tallyroom/domain/roles'
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { inTransaction } from '../../db/transaction.ts'
import { adminsRoutes } from '../admins/admins.routes.ts'
import { agentsRoutes } from '../agents/agents.routes.ts'
import { loginRemote, signInAs } from '../auth/remote-login.ts'
import { officesRoutes } from '../offices/offices.routes.ts'
import { profileRoutes } from '../profile/profile.routes.ts'
import { findPersons } from './persons.ts'
import { recordDevice, recordFactorReset, recordHand } from './record-hand.ts'
import { whyMayNot } from './who-may.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { PASSWORD_COLUMN: 'reveal' } })
const { clock } = services
const call = await callRoutes([
  ...adminsRoutes(services),
  ...agentsRoutes(services),
  ...officesRoutes(services),
  ...profileRoutes(services),
])

const at = clock.now()
const on = (days: number) => new Date(at.getTime() + days * DAY_MS)
const account = (username: string) => buildAccount(db, { username, role: roleNumber('admin') })
const ann = await account('ann')
const bea = await account('bea')
const cem = await account('cem')
const dan = await account('dan')
const boss: Viewer = { ...viewer(), accountId: ann, username: 'ann' }

beforeEach(async () => {
  clock.set(at.toISOString())
  await emptyTables(database.connection, ['account_hands'])
})

const had = (kind: AccountHand, accountId: number, doer: number, day = 0) =>
  recordHand(db, {
    accountId,
    kinds: [kind],
    by: { accountId: doer, signedInBy: undefined },
    at: on(day),
  })
/** With the one that they had. */
const setsOwnPassword = (accountId: number, day: number) =>
  recordHand(db, {
    accountId,
    kinds: ['password'],
    by: { accountId, signedInBy: undefined },
    at: on(day),
  })
/** By a link that is mailed. */
const forgets = (accountId: number, day: number) =>
  recordHand(db, { accountId, kinds: ['password'], by: 'mailed link', at: on(day) })
/** In a session with the password. */
const movesMails = (accountId: number, day: number) =>
  recordHand(db, {
    accountId,
    kinds: ['email'],
    by: { accountId, signedInBy: undefined },
    at: on(day),
  })
const one = async (a: number, b: number, day = 0) =>
  (await findPersons(db, on(day), [a, b])).onePerson(a, b)

const kinds = Object.keys(accountHands) as AccountHand[] // the keys of a constant
const endByPassword = kinds.filter((kind) => accountHands[kind].until === 'own password')
/** How the holder sets a password that whoever had this hand can't know. */
const setsIndependently: Partial<Record<AccountHand, typeof forgets>> = {
  made: setsOwnPassword,
  password: forgets,
  readable: forgets,
  email: setsOwnPassword,
  'new email': setsOwnPassword,
  invited: setsOwnPassword,
  username: setsOwnPassword,
}
const endByThemselves = kinds.filter((kind) => accountHands[kind].until === 'then')

test.each(endByPassword)(
  '%s: one person until the holder has set a new password themselves, and seven days more',
  async (kind) => {
    await setsOwnPassword(bea, -1)
    await had(kind, bea, ann)
    expect(await one(ann, bea, 1000)).toMatchObject({ until: null })
    expect(await one(bea, ann, 1000)).toMatchObject({ until: null })
    await setsIndependently[kind]?.(bea, 3)
    await setsIndependently[kind]?.(bea, 9)
    expect(await one(ann, bea, 9.9)).toMatchObject({ until: on(10) })
    expect(await one(ann, bea, 10)).toBeUndefined()
  },
)

test.each(endByThemselves)(
  '%s: one person for its days, whatever the holder does',
  async (kind) => {
    await had(kind, bea, ann)
    await setsOwnPassword(bea, 1)
    const { days } = accountHands[kind]
    expect(await one(ann, bea, days - 0.1)).toMatchObject({ until: on(days) })
    expect(await one(bea, ann, days - 0.1)).toMatchObject({ until: on(days) })
    expect(await one(bea, ann, days)).toBeUndefined()
  },
)

/** What a superadmin can do in somebody's name after a hand, with a private window and time. */
const byTheirDoer: [string, (() => Promise<void>)[]][] = [
  [
    'sets the address, and forgets the password',
    [() => had('email', bea, ann), () => forgets(bea, 1)],
  ],
  [
    'sets the address, forgets the password, and changes it',
    [() => had('email', bea, ann), () => forgets(bea, 1), () => setsOwnPassword(bea, 2)],
  ],
  [
    'enters an address, which is confirmed, and forgets the password',
    [() => had('new email', bea, ann), () => had('email', bea, ann, 1), () => forgets(bea, 2)],
  ],
  [
    'enters an address, and forgets the password while it waits',
    [() => had('new email', bea, ann), () => forgets(bea, 1)],
  ],
  [
    'sets the password, and changes it',
    [() => had('password', bea, ann), () => setsOwnPassword(bea, 1)],
  ],
  [
    'sets the password, moves the mails, and forgets it',
    [() => had('password', bea, ann), () => movesMails(bea, 1), () => forgets(bea, 2)],
  ],
  [
    'sets the password, takes the address away, and changes it',
    [() => had('password', bea, ann), () => movesMails(bea, 1), () => setsOwnPassword(bea, 2)],
  ],
  [
    'could read the password, and changes it',
    [() => had('readable', bea, ann), () => setsOwnPassword(bea, 1)],
  ],
  [
    'reads the password, sets the address, and changes the password',
    [
      () => had('revealed', bea, ann, -40),
      () => had('email', bea, ann),
      () => setsOwnPassword(bea, 1),
    ],
  ],
]

test.each(byTheirDoer)('whoever %s stays one person with the holder', async (_, deeds) => {
  for (const deed of deeds) await deed()
  expect(await one(ann, bea, 1000)).toMatchObject({ until: null })
})

test.each<[string, (() => Promise<void>)[]]>([
  ['a link to an address that is older', [() => had('password', bea, ann), () => forgets(bea, 1)]],
  [
    'the password that they had before',
    [() => had('email', bea, ann), () => setsOwnPassword(bea, 1)],
  ],
  [
    'a password by somebody else, changed',
    [
      () => had('password', bea, ann),
      () => had('password', bea, cem, 0.5),
      () => setsOwnPassword(bea, 1),
    ],
  ],
  [
    'a password from the command line, changed',
    [
      () => had('password', bea, ann),
      () => recordHand(db, { accountId: bea, kinds: ['password'], by: 'operator', at: on(0.5) }),
      () => setsOwnPassword(bea, 1),
    ],
  ],
])('a holder shows that the account is theirs by %s', async (_, deeds) => {
  for (const deed of deeds) await deed()
  expect(await one(ann, bea, 7)).toMatchObject({ until: on(8) })
  expect(await one(ann, bea, 8)).toBeUndefined()
})

test('a payee without an address has no other way than to change the password', async () => {
  const agent = await buildAgent(db, { office_id: await buildOffice(db) })
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('agent_id', '=', agent)
    .executeTakeFirstOrThrow()
  await had('password', id, ann)
  await setsOwnPassword(id, 1)
  expect(await one(ann, id, 7.9)).toMatchObject({ until: on(8) })
  // Somebody took the address away: then there was another way.
  await had('email', id, ann, 10)
  await had('password', id, ann, 10)
  await setsOwnPassword(id, 11)
  expect(await one(ann, id, 1000)).toMatchObject({ until: null })
})

test('reasons name what was done, from either side', async () => {
  await had('password', bea, ann)
  expect((await one(ann, bea))?.why).toBe('set the password of bea on 1 Mar 2026')
  expect((await one(bea, ann))?.why).toBe('had the password set by ann on 1 Mar 2026')
})

test('two accounts in which a third had a hand are one person', async () => {
  await had('made', bea, ann)
  await had('pay', cem, ann, 1)
  expect(await one(bea, cem)).toEqual({
    why: 'had the account made by ann on 1 Mar 2026, ann granted PAY to cem on 2 Mar 2026',
    until: on(8),
  })
})

test('two accounts that had a hand in the same third account are two people', async () => {
  await had('password', cem, ann)
  await had('password', cem, bea)
  expect(await one(ann, bea)).toBeUndefined()
  expect(await one(ann, cem)).toBeDefined()
})

test('a hand in somebody who had a hand counts', async () => {
  await had('made', bea, ann)
  await had('made', cem, bea)
  expect((await one(ann, cem))?.why).toBe(
    'made the account bea on 1 Mar 2026, bea made the account cem on 1 Mar 2026',
  )
})

test('of several hands, the one that ends last decides', async () => {
  await had('pay', bea, ann)
  await had('signed in as', bea, ann)
  await had('revealed', bea, ann, -5)
  expect(await one(ann, bea)).toEqual({ why: 'signed in as bea on 1 Mar 2026', until: on(30) })
})

test('a shared device makes its accounts one person, but passes on no other hand', async () => {
  const devices = [{ accountId: bea, signedInAt: on(-28) }]
  await recordDevice(db, { accountId: ann, at }, devices)
  await recordDevice(db, { accountId: cem, at }, [{ accountId: bea, signedInAt: on(-30) }])
  await had('password', bea, dan)
  expect((await one(ann, bea))?.why).toBe('signed in on the same device as bea on 1 Mar 2026')
  expect((await one(bea, ann))?.why).toBe('signed in on the same device as ann on 1 Mar 2026')
  expect(await one(ann, dan)).toBeUndefined()
  expect(await one(cem, bea)).toBeUndefined()
  const rows = () => db.selectFrom('account_hands').select('id').execute()
  const before = await rows()
  await recordDevice(db, { accountId: ann, at: on(0.9) }, devices)
  expect(await rows()).toEqual(before)
  await recordDevice(db, { accountId: ann, at: on(1) }, devices)
  expect(await one(ann, bea, 30.9)).toBeDefined()
})

test('whoever lost the second factor to the operator approves nothing for seven days', async () => {
  await inTransaction(db, (tx) =>
    recordFactorReset(tx, { accountId: bea, kind: 'operator factor', at: tx.now }),
  )
  await setsOwnPassword(bea, 1)
  const barred = async (id: number, day: number) =>
    whyMayNot('approve run', id, [], await findPersons(db, on(day), [id]))
  expect(await barred(bea, 6.9)).toEqual({
    why: 'had the second factor removed by the operator on 1 Mar 2026',
    until: on(7),
  })
  expect(await barred(bea, 7)).toBeUndefined()
  expect(await barred(bea, -0.1)).toBeUndefined()
  expect(await barred(ann, 1)).toBeUndefined()
  // It makes nobody one person with anybody.
  expect(await one(ann, bea, 1)).toBeUndefined()
})

/** The hands in an account, as its page would tell them. */
async function told(accountId: number): Promise<string[]> {
  const persons = await findPersons(db, clock.now(), [accountId])
  return persons.handsIn(accountId).map(({ kind, by }) => `${kind} ${persons.nameOf(by)}`)
}
const idOf = async (username: string) =>
  (
    await db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id
const secret = { password: 'quiet-otter-91', passwordConfirm: 'quiet-otter-91' }

const helper = {
  username: 'helper9',
  email: 'helper9@example.com',
  earningVisible: false,
  approveAgents: false,
  showSuspend: false,
  showCommonLogs: false,
}

test('every change of an account by somebody else is a hand in it', async () => {
  const made = await call(boss, adminsEndpoints.createAdmin, {
    body: { ...helper, ...secret, pay: true },
  })
  expect(made).toMatchObject({ status: 200 })
  const { id } = made.body
  expect(await told(id)).toEqual(['pay ann', 'made ann'])
  const change = async (values: object) => {
    const { version } = (await call(boss, adminsEndpoints.admin, { params: { id } })).body
    const body = { password: '', passwordConfirm: '', version, ...values }
    expect((await call(boss, adminsEndpoints.updateAdmin, { params: { id }, body })).status).toBe(
      200,
    )
  }
  await emptyTables(database.connection, ['account_hands'])
  await change({ pay: true, email: 'helper9@example.com' })
  expect(await told(id)).toEqual([])
  await change({ pay: false })
  expect(await told(id)).toEqual([])
  await change({ pay: true })
  expect(await told(id)).toEqual(['pay ann'])
  await change({ email: 'mine@example.com' })
  await change(secret)
  expect(await told(id)).toEqual(['password ann', 'email ann', 'pay ann'])
  // Who may pay has no password that could be revealed.
  await change({ pay: false, ...secret })
  await call(boss, adminsEndpoints.adminPassword, { params: { id } })
  expect((await told(id))[0]).toBe('revealed ann')
})

test.each([
  ['on', ['readable root']],
  ['reveal', []],
])(
  'who is granted PAY had a password that every superadmin could read: %s',
  async (column, hands) => {
    await buildAccount(db, { username: 'root', role: roleNumber('superadmin') })
    const shows = testServices(database, { environment: { PASSWORD_COLUMN: column } })
    const ask = await callRoutes(adminsRoutes(shows))
    const { body: made } = await ask(boss, adminsEndpoints.createAdmin, {
      body: { ...helper, username: `helper_${column}`, ...secret, pay: false },
    })
    await ask(boss, adminsEndpoints.updateAdmin, {
      params: { id: made.id },
      body: { password: '', passwordConfirm: '', version: 1, pay: true },
    })
    expect((await told(made.id)).filter((hand) => hand.startsWith('readable'))).toEqual(hands)
    await db.deleteFrom('accounts').where('username', '=', 'root').execute()
  },
)

test('an office has a hand in the agents that it makes, and staff in offices', async () => {
  const made = await call(boss, officesEndpoints.createOffice, {
    body: {
      officeName: 'Makati',
      manFirstName: 'M',
      manLastName: 'K',
      manEmail: 'makati@example.com',
      agentNotes: '',
      username: 'makati',
      active: true,
      hidden: false,
      ...secret,
    },
  })
  expect(made).toMatchObject({ status: 200 })
  const makati = await idOf('makati')
  expect(await told(makati)).toEqual(['made ann'])
  const { version } = (await call(boss, officesEndpoints.office, { params: made.body })).body
  const changed = await call(boss, officesEndpoints.updateOffice, {
    params: made.body,
    body: { username: 'makati2', manEmail: 'ann@example.com', version, ...secret },
  })
  expect(changed).toMatchObject({ status: 200 })
  expect((await told(makati)).toSorted()).toEqual([
    'email ann',
    'made ann',
    'password ann',
    'username ann',
  ])
  const office: Viewer = {
    ...viewer({ role: 'company', officeId: made.body.id, agentId: undefined }),
    accountId: makati,
  }
  const agent = await call(office, agentsEndpoints.createAgent, {
    body: {
      username: 'maria',
      firstName: 'Maria',
      lastName: 'Santos',
      mustRead: '',
      active: true,
      hidden: false,
      loginBlocked: false,
      ...secret,
      password: 'wooden-harbor-77',
      passwordConfirm: 'wooden-harbor-77',
    },
  })
  expect(agent).toMatchObject({ status: 200 })
  expect(await told(await idOf('maria'))).toEqual(['made makati2'])
  const signed = { ...office, signedInBy: ann }
  const refused = await call(signed, agentsEndpoints.agentPassword, { params: agent.body })
  expect(refused.status).toBe(403)
  expect(await told(await idOf('maria'))).toEqual(['made makati2'])
  await call(office, agentsEndpoints.agentPassword, { params: agent.body })
  expect((await told(await idOf('maria')))[0]).toBe('revealed makati2')
})

test('Sign in as is a hand once the link was used', async () => {
  const officeId = await buildOffice(db, { username: 'davao' })
  const agentId = await buildAgent(db, { office_id: officeId, username: 'jose' })
  const session = randomUUID()
  await db
    .insertInto('sessions')
    .values({
      id: session,
      account_id: ann,
      started_at: at,
      last_seen_at: at,
      expires_at: on(1),
      ip: '203.0.113.7',
    })
    .execute()
  const { token, cookie } = await signInAs(services, { ...boss, sessionId: session }, { agentId })
  const jose = await idOf('jose')
  expect(await told(jose)).toEqual([])
  await loginRemote(services, {
    token,
    ip: '203.0.113.7',
    userAgent: '',
    cookies: cookie.split(';', 1)[0],
    identify: () => {},
  })
  expect(await told(jose)).toEqual(['signed in as ann'])
})

test('a password that the holder sets in the profile is their own', async () => {
  await had('made', ann, bea, -1)
  await db
    .insertInto('sessions')
    .values({
      id: boss.sessionId,
      account_id: ann,
      started_at: at,
      last_seen_at: at,
      expires_at: on(1),
      ip: '203.0.113.7',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const changed = await call(boss, profileEndpoints.changePassword, {
    body: secret,
  })
  expect(changed).toMatchObject({ status: 200 })
  expect(await one(ann, bea, 6.9)).toMatchObject({ until: on(7) })
  expect(await one(ann, bea, 7)).toBeUndefined()
})
