import { endpoints } from '@tallyroom/contract/endpoints'
import { type Endpoint, needsProof } from '@tallyroom/contract/endpoint'
import { remoteLoginEndpoints } from '@tallyroom/contract/people/remote-login'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { handOutOf } from '../src/http/hand-out.ts'
import { hashPassword } from '../src/lib/password.ts'
import { buildHome, callers, type Home, objects } from './access-matrix-world.ts'
import { matrix, type Sent } from './access-matrix.ts'
import { buildAccount } from './build-world.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'
import { partnerEnvironment, password, waysIn } from './ways-in.ts'

const newPassword = { password: 'Quiet-Otter-91', passwordConfirm: 'Quiet-Otter-91' }

const database = await testDatabase()
const { db } = database
const services = testServices(database, {
  environment: partnerEnvironment,
})
const { clock } = services
const app = await buildApp(services)
afterAll(() => app.close())
const { signIn, proved, signInByPartner, signInAs } = waysIn(app, clock)

type Person = 'agent' | 'office' | 'superadmin'
const people: readonly Person[] = ['agent', 'office', 'superadmin']

/** A session of a person, and what a call that needs a recent proof answers in it. */
type Way = {
  open(username: string): Promise<string>
  answer: 'answered' | 'PROOF_NEEDED' | 'FORBIDDEN'
  /** Of a call that needs the holder's own session, if that is something else. */
  own?: 'answered'
  /** Of a call that answers with a password of others, or a link to it, if that is something else. */
  passwords?: 'FORBIDDEN'
  whose: readonly Person[]
}

const minutes = (count: number) => count * 60_000
const members = ['agent', 'office'] as const

const ways: Record<string, Way> = {
  'with the password': { open: signIn, answer: 'answered', whose: people },
  'with the password ten minutes ago': {
    open: async (username) => {
      const token = await signIn(username)
      clock.advance(minutes(10))
      return token
    },
    answer: 'PROOF_NEEDED',
    own: 'answered',
    whose: people,
  },
  'with the password entered again': {
    open: async (username) => {
      const token = await signIn(username)
      clock.advance(minutes(10))
      return proved(token)
    },
    answer: 'answered',
    whose: people,
  },
  'by a partner': {
    open: signInByPartner,
    answer: 'PROOF_NEEDED',
    passwords: 'FORBIDDEN',
    whose: members,
  },
  'by a partner, with the password entered': {
    open: async (username) => proved(await signInByPartner(username)),
    answer: 'answered',
    passwords: 'FORBIDDEN',
    whose: members,
  },
  'with Sign in as': {
    open: async (username) => (await signInAs(await signIn('root'), whoseOf(username))).token,
    answer: 'FORBIDDEN',
    whose: members,
  },
  'by returning from Sign in as ten minutes after the password': {
    open: async (username) => {
      const own = await signIn(username)
      clock.advance(minutes(9))
      const { token, cookie } = await signInAs(own, { agentId: home.agentId })
      clock.advance(minutes(1))
      const back = await send(app, remoteLoginEndpoints.returnToOwn, {}, { token, cookie })
      return back.json().token
    },
    answer: 'PROOF_NEEDED',
    own: 'answered',
    whose: ['superadmin'],
  },
}

const expectedOf = (name: keyof typeof endpoints, way: Way) => {
  const { proof, response }: Endpoint = endpoints[name]
  const opens = handOutOf(response).needed.some(
    (kind) => kind === 'password' || kind === 'invitation link',
  )
  if (way.passwords && opens) return { expected: way.passwords }
  return { expected: (proof === 'own-session' && way.own) || way.answer }
}

let home: Home
const usernames: Record<Person, string> = { agent: '', office: '', superadmin: 'root' }

beforeAll(async () => {
  await buildAccount(db, { username: 'root' })
})

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  home = await buildHome(db)
  await db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(password), must_change_password: false })
    .execute()
  usernames.agent = await usernameOf('agent_id', home.agentId)
  usernames.office = await usernameOf('office_id', home.officeId)
})

const names = Object.keys(endpoints) as (keyof typeof endpoints)[]
const table: Record<keyof typeof endpoints, Endpoint> = endpoints
const guarded = names.filter((name) => table[name].proof !== undefined || needsProof(table[name]))

/** What a call in the matrix answers to whoever may make it, and has proved themselves. */
const answered = new Set(['200', '404', '409'])

/** Every person who may make a guarded call, in every session that they could have. */
const cases = guarded.flatMap((name) => {
  const { kind, sentFor, answers } = matrix[name][0] ?? never(name)
  const target = 'own' in answers ? 'own' : 'any'
  const statuses = (answers[target] ?? '').split(' ')
  return people.flatMap((person) => {
    const status = statuses[callers.indexOf(person)] ?? ''
    if (!answered.has(status)) return []
    return Object.entries(ways)
      .filter(([, way]) => way.whose.includes(person))
      .map(([how, way]) => ({
        name,
        kind,
        sentFor,
        target,
        person,
        how,
        way,
        status,
        ...expectedOf(name, way),
      }))
  })
})

const tried = new Set(cases.map(({ name }) => name))

test('the calls that need a recent proof', () => {
  // In the matrix, none of these people can make them, or their first body is refused before anything else.
  expect(guarded.filter((name) => !tried.has(name)).toSorted()).toEqual([
    'addPasskey',
    'confirmAddress',
    'confirmAuthenticator',
    'deleteAgent',
    'deleteSite',
    'enterAdjustmentFile',
    'giveUpBalance',
    'importAgents',
    'importOffices',
    'payOutside',
    'proposeTaxRate',
    'receiveMoney',
    'withdrawPayProposal',
  ])
  expect(guarded.toSorted()).toMatchInlineSnapshot(`
    [
      "addPasskey",
      "adminPassword",
      "adminsStatus",
      "agentPassword",
      "approvePayProposal",
      "approvePaymentRun",
      "backdateRate",
      "beginAuthenticator",
      "beginPasskey",
      "cancelPaymentRun",
      "changePassword",
      "chooseNotifications",
      "closeMonth",
      "closePayPeriod",
      "confirmAddress",
      "confirmAuthenticator",
      "convertBalance",
      "createAdjustment",
      "createAdmin",
      "createAgent",
      "createAvpSchedule",
      "createCoupon",
      "createLinkType",
      "createOffice",
      "createPartnerPostback",
      "createPayFileTemplate",
      "createPreferredDomain",
      "createToken",
      "createWebhook",
      "decideAccount",
      "decideHeldPostback",
      "decideSiteWord",
      "deleteAdmin",
      "deleteAgent",
      "deleteAvpSchedule",
      "deleteLinkType",
      "deletePartnerPostback",
      "deletePayFileTemplate",
      "deleteSavedView",
      "deleteSite",
      "deleteWebhook",
      "deliverPostback",
      "endAdminSessions",
      "endAgentSessions",
      "endCoupon",
      "endOfficeSessions",
      "endOtherSessions",
      "endSession",
      "enterAdjustmentFile",
      "enterPayeeAccount",
      "enterPaymentResults",
      "enterRefusedFile",
      "giveUpBalance",
      "importAgents",
      "importOffices",
      "inviteAdmin",
      "inviteAgent",
      "inviteOffice",
      "makeAdminInvitationLink",
      "makeAgentInvitationLink",
      "makeOfficeInvitationLink",
      "officePassword",
      "payOutside",
      "preferredDomainsStatus",
      "preparePaymentRun",
      "prepareRate",
      "prepareRates",
      "proposePayLimits",
      "proposeTaxRate",
      "readResultFile",
      "receiveMoney",
      "refusePayProposal",
      "removePaymentRunLine",
      "removeProvider",
      "renewRecoveryCodes",
      "requireProvider",
      "returnPayment",
      "reviewPaymentRun",
      "revokeToken",
      "rotatePostbackKey",
      "rotateWebhookSecret",
      "saveJournalAccounts",
      "saveOfficeFee",
      "savePayExchangeRate",
      "savePaySettings",
      "savePayerDetails",
      "saveSignInRules",
      "saveTaxDetails",
      "sendAddressLink",
      "sendAgentAddressLink",
      "setPayHold",
      "setPayMinimum",
      "settleHeldPostbacks",
      "settleRefusals",
      "signInAs",
      "switchPartnerPostback",
      "switchWebhook",
      "takeBackAdjustment",
      "takePaymentFile",
      "testPartnerPostback",
      "undoBackdating",
      "undoDecision",
      "updateAdmin",
      "updateAdminProfile",
      "updateAgent",
      "updateAgentProfile",
      "updateAvpSchedule",
      "updateCompanyProfile",
      "updateOffice",
      "updatePartnerPostback",
      "updatePayFileTemplate",
      "updatePreferredDomain",
      "updateSavedView",
      "updateWebhook",
      "withdrawAdminInvitation",
      "withdrawAgentInvitation",
      "withdrawOfficeInvitation",
      "withdrawPayProposal",
      "withdrawRate",
    ]
  `)
})

describe.each([...tried])('%s', (guardedName) => {
  test.each(cases.filter(({ name }) => name === guardedName))(
    'of $person, signed in $how, is $expected',
    async ({ name, kind, sentFor, target, person, way, status, expected }) => {
      const endpoint: Endpoint = endpoints[name]
      const build = kind && (objects[kind] as Record<string, typeof objects.office.own>)[target]
      const sent: Sent = sentFor((await build?.(db, home)) as never)
      const token = await way.open(usernames[person])
      const body =
        endpoint.proof === 'for-credentials' ? Object.assign({}, sent.body, newPassword) : sent.body
      const response = await send(app, endpoint, { ...sent, ...(body && { body }) }, { token })
      const outcome =
        String(response.statusCode) === status
          ? 'answered'
          : (response.headers['error-code'] ?? response.body)
      expect(outcome).toBe(expected)
    },
  )
})

const whoseOf = (username: string) =>
  username === usernames.agent ? { agentId: home.agentId } : { companyId: home.officeId }

async function usernameOf(column: 'office_id' | 'agent_id', id: number): Promise<string> {
  const { username } = await db
    .selectFrom('accounts')
    .select('username')
    .where(column, '=', id)
    .executeTakeFirstOrThrow()
  return username
}

function never(name: string): never {
  throw new Error(`${name} is not in the access matrix`)
}
