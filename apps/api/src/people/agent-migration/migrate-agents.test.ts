import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashSync } from 'bcryptjs'
import { createHash } from 'node:crypto'
import { buildAccount, buildAgent, buildOffice, buildSite } from '../../../test/build-world.ts'
import { viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { locks } from '../../db/locks.ts'
import { onlyOneRun } from '../../db/only-one.ts'
import { signIn } from '../auth/sign-in.ts'
import { importAgents } from './import-agents.ts'
import { migrateAgents } from './migrate-agents.ts'
import { countReady, findFailures } from './staged-agents.queries.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { CAPTCHA: 'off' } })

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const heading = 'office,username,first_name,last_name,email,password_hash,registered'
const imported = (...lines: string[]) =>
  importAgents(services, Buffer.from([heading, ...lines].join('\n')))

const signedIn = (username: string, password: string) =>
  signIn(services, {
    username,
    password,
    captchaString: '',
    captchaCheck: '',
    ip: '203.0.113.7',
    userAgent: 'a browser',
  })

const accountOf = (username: string) =>
  db
    .selectFrom('accounts')
    .leftJoin('agents', 'agents.id', 'accounts.agent_id')
    .leftJoin('offices', 'offices.id', 'agents.office_id')
    .select([
      'accounts.username',
      'accounts.email',
      'accounts.password_hash',
      'accounts.must_change_password',
      'accounts.created_at',
      'agents.first_name',
      'agents.active',
      'agents.approved_at',
      'offices.name as office',
    ])
    .where('accounts.username', '=', username)
    .executeTakeFirstOrThrow()

beforeEach(() => buildOffice(db, { name: 'Manila', username: 'manila' }))

afterEach(async () => {
  for (const table of ['migrating_agents', 'sessions', 'accounts', 'agents'] as const)
    await db.deleteFrom(table).execute()
  for (const table of ['office_sites', 'offices', 'sites', 'sign_in_waits'] as const)
    await db.deleteFrom(table).execute()
})

test('agents arrive approved, with their registration day, in the office of their name', async () => {
  await imported(
    `MANILA,Nina,Nina,Cruz,nina@example.com,${hashSync('her old one', 4)},2019-03-31`,
    `Manila,omar,,,,${md5('his old one')},`,
  )
  expect(await countReady(db)).toBe(2)

  expect(await migrateAgents(services, viewer())).toEqual({ migrated: 2, failed: 0 })

  expect(await countReady(db)).toBe(0)
  expect(await accountOf('Nina')).toMatchObject({
    email: 'nina@example.com',
    must_change_password: false,
    created_at: new Date('2019-03-31T04:00:00Z'),
    first_name: 'Nina',
    active: true,
    approved_at: about(services.clock.now()),
    office: 'Manila',
  })
  expect(await accountOf('omar')).toMatchObject({
    created_at: about(services.clock.now()),
    must_change_password: true,
    office: 'Manila',
  })
  const offices = await db.selectFrom('offices').select('name').execute()
  expect(offices).toEqual([{ name: 'Manila' }])
})

test('old passwords work once more and are then stored like new ones', async () => {
  await imported(
    `Manila,nina,,,,${hashSync('her old one', 4)},`,
    `Manila,omar,,,,${md5('his old one')},`,
  )
  await migrateAgents(services, viewer())
  for (const [username, password] of [
    ['nina', 'her old one'],
    ['omar', 'his old one'],
  ] as const) {
    await expect(signedIn(username, 'a guess')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(await signedIn(username, password)).toMatchObject({ token: expect.any(String) })
    const { password_hash } = await accountOf(username)
    expect(password_hash).toMatch(/^\$argon2id\$/)
    expect(await signedIn(username, password)).toMatchObject({ token: expect.any(String) })
  }
  expect((await accountOf('omar')).must_change_password).toBe(true)
})

test('no plain md5 hash is ever in the database, and no second copy of a hash remains', async () => {
  await imported(`Manila,omar,,,,${md5('his old one')},`)
  const staged = () => db.selectFrom('migrating_agents').select('password_hash').execute()
  expect(JSON.stringify(await staged())).not.toContain(md5('his old one'))
  await migrateAgents(services, viewer())
  expect(await staged()).toEqual([{ password_hash: '' }])
})

test('a missing office is created once, with an account, every site, and a password for the list', async () => {
  const siteId = await buildSite(db)
  await imported(
    `Makati North,nina,,,,${md5('x')},`,
    `makati north,omar,,,,${md5('x')},`,
    // These have the usernames that the accounts of the imported offices would get.
    `Olga,olga,,,,${md5('x')},`,
    `Manila!,otto,,,,${md5('x')},`,
  )
  expect(await migrateAgents(services, viewer())).toEqual({ migrated: 4, failed: 0 })

  const offices = await db
    .selectFrom('offices')
    .innerJoin('accounts', 'accounts.office_id', 'offices.id')
    .leftJoin('office_sites', 'office_sites.office_id', 'offices.id')
    .select(['name', 'username', 'site_id', 'password_sealed'])
    .where('name', '<>', 'Manila')
    .orderBy('offices.id')
    .execute()
  expect(offices).toEqual([
    {
      name: 'Makati North',
      username: 'makatinorth',
      site_id: siteId,
      password_sealed: expect.any(Buffer),
    },
    {
      name: 'Olga',
      username: expect.stringMatching(/^olga-\w{5}$/),
      site_id: siteId,
      password_sealed: expect.any(Buffer),
    },
    {
      name: 'Manila!',
      username: expect.stringMatching(/^manila-\w{5}$/),
      site_id: siteId,
      password_sealed: expect.any(Buffer),
    },
  ])
})

describe('an agent that cannot be migrated', () => {
  beforeEach(async () => {
    await buildAccount(db, { username: 'NINA' })
    await imported(`Quezon,nina,,,,${md5('x')},`, `Manila,omar,,,,${md5('x')},`)
    expect(await migrateAgents(services, viewer())).toEqual({ migrated: 1, failed: 1 })
  })

  test('leaves nothing behind, not even an office, and is reported with the reason', async () => {
    expect(await findFailures(db)).toEqual([
      { username: 'nina', officeName: 'Quezon', reason: 'username is already taken' },
    ])
    expect(await db.selectFrom('offices').select('name').execute()).toEqual([{ name: 'Manila' }])
    expect(await db.selectFrom('agents').select('id').execute()).toHaveLength(1)
  })

  test('is not retried until imported again', async () => {
    expect(await migrateAgents(services, viewer())).toEqual({ migrated: 0, failed: 0 })
    await db
      .updateTable('accounts')
      .set({ username: 'nina2' })
      .where('username', '=', 'NINA')
      .execute()
    const report = await imported(`Quezon,nina,,,,${md5('x')},`, `Manila,omar,,,,${md5('x')},`)
    expect(report).toEqual({
      ready: 1,
      bad: [{ line: 3, problem: 'was already migrated' }],
      encoding: 'UTF-8',
      ignored: [],
    })
    expect(await migrateAgents(services, viewer())).toEqual({ migrated: 1, failed: 0 })
    expect(await accountOf('nina')).toMatchObject({ office: 'Quezon' })
    expect(await findFailures(db)).toEqual([])
  })
})

test('the same file may be imported twice before the migration', async () => {
  await imported(`Manila,nina,,,,${md5('x')},`)
  expect(await imported(`Quezon,Nina,,,,${md5('x')},`)).toMatchObject({ ready: 1, bad: [] })
  expect(await countReady(db)).toBe(1)
  await migrateAgents(services, viewer())
  expect(await accountOf('Nina')).toMatchObject({ office: 'Quezon' })
})

test('of several concurrent runs, one migrates, and the others are refused', async () => {
  await imported(...Array.from({ length: 20 }, (_, n) => `Manila,agent${n},,,,${md5('x')},`))
  const runs = await Promise.allSettled(
    Array.from({ length: 3 }, () => migrateAgents(services, viewer())),
  )
  const done = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []))
  const refused = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason as unknown] : []))
  expect(done.reduce((sum, { migrated }) => sum + migrated, 0)).toBe(20)
  for (const reason of refused) expect(reason).toMatchObject({ code: 'CONFLICT' })
  expect(await db.selectFrom('agents').select('id').execute()).toHaveLength(20)
})

test('while another process is migrating, nothing happens here', async () => {
  await imported(`Manila,nina,,,,${md5('x')},`)
  await onlyOneRun(db, locks.migrateAgents, async () => {
    await expect(migrateAgents(services, viewer())).rejects.toMatchObject({ code: 'CONFLICT' })
  })
  expect(await countReady(db)).toBe(1)
  expect(await migrateAgents(services, viewer())).toEqual({ migrated: 1, failed: 0 })
})

test('an agent of an existing office does not change that office', async () => {
  const office = await db.selectFrom('offices').selectAll().executeTakeFirstOrThrow()
  await buildAgent(db, { office_id: office.id })
  await imported(`Manila,nina,,,,${md5('x')},`)
  await migrateAgents(services, viewer())
  expect(await db.selectFrom('offices').selectAll().execute()).toEqual([office])
})
