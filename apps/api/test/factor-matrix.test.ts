import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { FACTOR_GROUPS, type FactorGroup } from '@tallyroom/domain/sign-in-rules'
import { roleNumber } from '@tallyroom/domain/roles'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { hashToken } from '../src/lib/tokens.ts'
import { makeTokenText } from '../src/people/tokens/token-text.ts'
import { buildAccount, buildAgent, buildOffice } from './build-world.ts'
import { testDatabase } from './database.ts'
import { testServices } from './services.ts'
import { tokenOf } from './token-of.ts'
import { partnerEnvironment, waysIn } from './ways-in.ts'

/*
 * Of whom a second factor is required, who has one, and how they came: what their session may call.
 */

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: partnerEnvironment })
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())
const { signInAs, signInByPartner } = waysIn(app, clock)

const officeId = await buildOffice(db, { username: 'manila' })
const agentId = await buildAgent(db, { office_id: officeId, username: 'maria' })
await buildAccount(db, { username: 'root' })
await buildAccount(db, { username: 'ann', role: roleNumber('admin') })
await buildAccount(db, { username: 'bea', role: roleNumber('admin'), pay: true })

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  await db.deleteFrom('authenticators').execute()
  await db.updateTable('sign_in_rules').set(off).execute()
})

const off = { superadmins: null, admins: null, payers: null, offices: null, agents: null }

/** Whose groups are whose. */
const people: Record<string, readonly FactorGroup[]> = {
  root: ['superadmins', 'payers'],
  ann: ['admins'],
  bea: ['admins', 'payers'],
  manila: ['offices'],
  maria: ['agents'],
}
const sellers = new Set(['manila', 'maria'])

const kinds = {
  'a session of their own': (username: string) => tokenOf(services, username),
  'Sign in as': async (username: string) => {
    const as = username === 'maria' ? { agentId } : { companyId: officeId }
    return (await signInAs(await tokenOf(services, 'root'), as)).token
  },
  'a partner’s session': signInByPartner,
  'an API token': async (username: string) => {
    const text = makeTokenText()
    const { id } = await accountOf(username)
    await db
      .insertInto('api_tokens')
      .values({
        account_id: id,
        name: 'books',
        hash: hashToken(text),
        may: ['figures'],
        made_at: clock.now(),
        ends_at: new Date('2027-01-01'),
      })
      .execute()
    return text
  },
}
type Kind = keyof typeof kinds

const accountOf = (username: string) =>
  db.selectFrom('accounts').select('id').where('username', '=', username).executeTakeFirstOrThrow()

const giveFactor = async (username: string) => {
  const { id } = await accountOf(username)
  const begun_at = clock.now()
  const added = { account_id: id, secret_sealed: Buffer.of(1), begun_at, added_at: begun_at }
  await db
    .insertInto('authenticators')
    .values({ ...added, last_step: 0 })
    .execute()
}

const cases = Object.entries(people).flatMap(([username, groups]) =>
  (Object.keys(kinds) as Kind[])
    .filter((kind) => sellers.has(username) || kind.endsWith('own') || kind.endsWith('token'))
    .flatMap((kind) =>
      FACTOR_GROUPS.flatMap((required) =>
        [true, false].map((hasFactor) => {
          // In the name of an office or agent, it is root who needs one.
          const asked = kind === 'Sign in as' ? people['root'] : groups
          const isAsked = asked?.includes(required) === true && !hasFactor
          const outcome = !isAsked
            ? 'all'
            : kind === 'a session of their own'
              ? 'a factor'
              : kind === 'Sign in as'
                ? 'nothing'
                : 'all'
          return { username, kind, required, hasFactor, outcome }
        }),
      ),
    ),
)

const table: Record<EndpointName, Endpoint> = endpoints
const signedIn = Object.values(table).filter(({ ability }) => ability !== 'public')
const leading = signedIn.filter(({ beforeFactor }) => beforeFactor)
/** Such as every page makes. */
const some = [endpoints.me, endpoints.ownFactors, endpoints.listSessions, endpoints.signInRules]

const ask = async ({ method, path }: Endpoint, token: string) => {
  const url = path.replaceAll(/:\w+/g, '1')
  const answer = await app.inject({ method, url, headers: { authorization: `Bearer ${token}` } })
  const isLed = answer.json().message === 'Please add a second factor first.'
  return isLed ? 'led to a factor' : answer.statusCode
}

describe.each(cases)(
  '$username by $kind, required of $required, has one: $hasFactor',
  ({ username, kind, required, hasFactor, outcome }) => {
    test(`may call ${outcome}`, async () => {
      const token = await kinds[kind](username)
      if (hasFactor) await giveFactor(kind === 'Sign in as' ? 'root' : username)
      await db
        .updateTable('sign_in_rules')
        .set({ ...off, [required]: '2026-03-01' })
        .execute()
      const called = outcome === 'a factor' ? signedIn : some
      for (const endpoint of called.filter((one) => one !== endpoints.logout)) {
        const answer = await ask(endpoint, token)
        const isLed = outcome === 'a factor' && !leading.includes(endpoint)
        const what = `${endpoint.method} ${endpoint.path}`
        if (outcome === 'nothing') expect([what, answer]).toEqual([what, 401])
        else if (isLed) expect([what, answer]).toEqual([what, 'led to a factor'])
        else expect([what, answer]).not.toEqual([what, 'led to a factor'])
        if (outcome === 'all') expect([what, answer]).not.toEqual([what, 401])
      }
    })
  },
)

test('what adds a factor, and what leads there, is this and no more', () => {
  expect(leading.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'GET /api/accounts/me',
    'GET /api/factors',
    'POST /api/auth/logout',
    'POST /api/auth/prove',
    'POST /api/factors/authenticator',
    'POST /api/factors/authenticator/confirm',
    'POST /api/factors/passkeys',
    'POST /api/factors/passkeys/begin',
  ])
})
