import { randomUUID } from 'node:crypto'
import type { EndpointName } from '@tallyroom/contract/endpoints'
import { addDays } from '@tallyroom/domain/new-york'
import type { IdOf, ObjectKind, TargetOf } from './access-matrix-world.ts'
import { genericLayout, lineKey } from './payment-world.ts'

/** The parts of a request besides the caller's token. */
export type Sent = {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: Record<string, unknown> | readonly unknown[]
  /** The only field of a form, sent instead of a body. */
  file?: { field: string; bytes: Buffer }
}

/** One way to call an endpoint and the status each caller gets: one row per object it can be about. */
export type Case = {
  kind: ObjectKind | undefined
  sentFor: (id: never) => Sent
  answers: Record<string, string>
}

const plain = (answers: string, sent: Sent = {}): Case => ({
  kind: undefined,
  sentFor: () => sent,
  answers: { any: answers },
})

const about = <Kind extends ObjectKind>(
  kind: Kind,
  sentFor: (id: IdOf<Kind>) => Sent,
  answers: Record<TargetOf<Kind>, string>,
): Case => ({ kind, sentFor, answers })

/** The same with an unused name on each call. */
const fresh = (answers: string, sentFor: (name: string) => Sent): Case => ({
  kind: undefined,
  sentFor: () => sentFor(`new${++freshNames}`),
  answers: { any: answers },
})

let freshNames = 0

const newPassword = { password: 'a long one', passwordConfirm: 'a long one' }
const adminForm = {
  email: 'anna@example.com',
  earningVisible: false,
  approveAgents: false,
  showSuspend: false,
  showCommonLogs: false,
  pay: false,
}
const agentForm = {
  firstName: 'Maria',
  lastName: 'Santos',
  active: true,
  hidden: false,
  loginBlocked: false,
}
const siteForm = {
  shortname: 'lantern',
  abbr: 'LL',
  url: 'https://lantern.example',
  type: 'WEBCAMS',
  active: true,
}
const linkTypeForm = {
  typename: 'Premium',
  typealias: 'premium',
  url: 'https://lantern.example/join',
  payout: 400,
  earning: 20.5,
  active: true,
}
const managerForm = { manFirstName: 'Ramon', manLastName: 'Villanueva' }

/** An image of one pixel. */
const onePixel = Buffer.from(
  'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
  'base64',
)
const webhookForm = { url: 'https://books.example/hook', kinds: ['sale.recorded'] } as const
const partnerPostbackForm = { url: 'https://t.example/?cid={sub1}', events: ['sale.recorded'] }
const manualForm = { title: 'How to sell', html: '<p>Smile.</p>' }
/** A whole week, Monday to Sunday. */
const lastWeek = { start: '2026-03-02', end: '2026-03-08' }

const payrollFigure = { report: 'payroll', ...lastWeek, column: 'payout' }
const salesFigure = { report: 'sites', ...lastWeek, column: 'sales' }

/** A Monday that no schedule uses yet. */
const mondayOf = (name: string) => addDays('2090-01-02', 7 * Number(name.slice('new'.length)))
const scheduleOf = (validFrom: string) => ({
  validFrom,
  tiers: [{ from: 0, to: 1000, payoutPhp: 0, payoutDollars: 0 }],
})

const payForm = {
  payees: 'offices',
  periodLength: 'beWeek',
  avp: 'instead',
  minimumCentavos: 0,
  minimumCents: 0,
}
const yearOf2026 = { start: '2026-01-01', end: '2026-12-31' }
const officeFile = Buffer.from(
  'Office name,Username,Manager first name,Manager last name\n,,,',
).toString('base64')
const agentFile = Buffer.from('Office,Username,First name,Last name\nNowhere,,,').toString('base64')
const adjustmentFile = Buffer.from('nobody;1.00;Bonus').toString('base64')
const taxDetailsForm = {
  fromDay: '2026-03-01',
  registeredName: 'Manila Leads Inc.',
  country: 'PH',
  taxNumber: '123-456-789-000',
  address: '12 Ayala Avenue, Makati',
} as const

/** Without tax details, there is no rate. */
const taxRateForm = {
  fromDay: '2026-03-01',
  rateBp: 1000,
  code: 'WI515',
  reason: 'the law',
} as const

const adjustmentForm = { currency: 'PHP', amount: -100_00, reason: 'an advance' }

const csvOf = (criteria: object) => ({ format: 'csv', criteria })

const thisWeek = { start: '2026-02-23', end: '2026-03-01' }

/** What a passkey answers, in form. */
const signedByNobody = {
  id: 'AQ',
  authenticatorData: 'AQ',
  clientDataJSON: 'e30',
  signature: 'AQ',
  userHandle: 'AQ',
}

/**
 * Who may call which endpoint about whose objects. access-matrix.test.ts checks the running server against this
 * table.
 *
 * Each new endpoint needs an entry (the compiler and the test enforce it):
 *
 * - without an object: `endpoint: [plain('401 200 200 200 200 200 200')]`, with the request `{ params, query, body }`
 *   as an optional second argument;
 * - about an object: `about(kind, (id) => ({ params: { id } }), { own, colleague, foreign, missing })`, with as many
 *   of the four as the kind has in access-matrix-world.ts, where new kinds are added;
 * - about several kinds of objects: a list of several of these.
 *
 * A row holds the statuses for the seven callers, in the order of `callers` in access-matrix-world.ts: nobody, agent,
 * office, admin, admin with all flags, superadmin, superadmin who may delete. A status of 400 or more implies its error
 * code. Nobody, agents and offices must not be able to tell a foreign object from a missing one: the test compares
 * those answers byte by byte.
 *
 * At least one caller must get 200 for the request, because bad-input.test.ts corrupts it field by field.
 */
export const matrix: Record<EndpointName, Case[]> = {
  health: [plain('200 200 200 200 200 200 200')],
  brand: [plain('200 200 200 200 200 200 200')],

  captcha: [plain('200 200 200 200 200 200 200')],
  login: [
    plain('422 422 422 422 422 422 422', { body: { username: 'somebody', password: 'a guess' } }),
  ],
  enterFactor: [
    plain('422 422 422 422 422 422 422', { body: { step: 'a guess', code: '123456' } }),
  ],
  challengeStep: [plain('422 422 422 422 422 422 422', { body: { step: 'a guess' } })],
  challengePasskey: [plain('200 200 200 200 200 200 200')],
  // Nobody has such a passkey.
  signInByPasskey: [plain('422 422 422 422 422 422 422', { body: { passkey: signedByNobody } })],
  // None is configured.
  provider: [plain('200 200 200 200 200 200 200')],
  beginProvider: [plain('409 409 409 409 409 409 409')],
  signInByProvider: [plain('409 409 409 409 409 409 409', { body: { code: 'x', state: 'x' } })],
  // Nor any caller another.
  challengeProof: [plain('401 409 409 409 409 409 409')],
  prove: [plain('401 422 422 422 422 422 422', { body: { password: 'a guess' } })],
  logout: [plain('401 200 200 200 200 200 200')],
  me: [plain('401 200 200 200 200 200 200')],

  signInAs: [
    about('office', (companyId) => ({ body: { companyId } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
    about('agent', (agentId) => ({ body: { agentId } }), {
      own: '401 403 403 403 403 200 200',
      colleague: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  loginRemote: [plain('422 422 422 422 422 422 422', { body: { token: 'a guess' } })],
  // No caller is signed in as someone else.
  returnToOwn: [plain('401 409 409 409 409 409 409')],
  // The name is the same each time, so requests after the third have to wait.
  forgot: [
    plain('200 200 200 429 429 429 429', {
      body: { username: 'somebody', email: 'somebody@example.com' },
    }),
  ],
  forgotWithoutMail: [plain('200 200 200 429 429 429 429', { body: { username: 'nobody' } })],
  resetPassword: [
    plain('422 422 422 422 422 422 422', {
      body: { token: 'a guess', password: 'a long one', passwordConfirm: 'a long one' },
    }),
  ],

  disownSignIn: [plain('422 422 422 422 422 422 422', { body: { token: 'a guess' } })],

  companies: [plain('401 200 200 200 200 200 200')],
  companyAgents: [
    plain('401 200 200 200 200 200 200'),
    about('office', (companyId) => ({ query: { companyId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],

  preferredDomainsList: [plain('401 403 403 200 200 200 200')],
  preferredDomains: [plain('401 403 403 403 403 200 200')],
  preferredDomainsWithCompanies: [plain('401 403 403 403 403 200 200')],
  preferredDomainsWithCompanyName: [plain('401 403 403 403 403 200 200')],
  preferredDomain: [
    about('preferredDomain', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  createPreferredDomain: [
    fresh('401 403 403 403 403 200 200', (name) => ({
      body: { domain: `https://${name}.example`, description: '' },
    })),
  ],
  updatePreferredDomain: [
    about(
      'preferredDomain',
      (id) => ({ params: { id }, body: { domain: `https://renamed-${id}.example` } }),
      {
        own: '401 403 403 403 403 200 200',
        missing: '401 403 403 403 403 404 404',
      },
    ),
  ],
  preferredDomainsStatus: [
    about('preferredDomain', (id) => ({ body: { ids: [id], hidden: false } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  searchOffices: [plain('401 403 403 200 200 200 200', { body: {} })],
  office: [
    about('office', (id) => ({ params: { id } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  officePassword: [
    about('office', (id) => ({ params: { id } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  officeSites: [
    about('office', (id) => ({ params: { id } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  createOffice: [
    fresh('401 403 403 403 403 200 200', (name) => ({
      body: { ...managerForm, ...newPassword, officeName: name, username: name },
    })),
  ],
  updateOffice: [
    about(
      'office',
      (id) => ({
        params: { id },
        body: {
          ...managerForm,
          officeName: `Renamed ${id}`,
          siteIds: [],
          active: true,
          hidden: false,
        },
      }),
      {
        own: '401 403 403 200 200 200 200',
        foreign: '401 403 403 200 200 200 200',
        missing: '401 403 403 404 404 404 404',
      },
    ),
  ],
  endOfficeSessions: [
    about('office', (id) => ({ params: { id } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  officesStatus: [
    about('office', (id) => ({ body: { ids: [id], active: true } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],

  searchAgents: [
    plain('401 403 200 200 200 200 200', { body: {} }),
    // A search filters the caller's own agents; foreign criteria find nothing.
    about('agent', (value) => ({ body: { criteria: [{ field: 'agents.id', value }] } }), {
      own: '401 403 200 200 200 200 200',
      colleague: '401 403 200 200 200 200 200',
      foreign: '401 403 200 200 200 200 200',
      missing: '401 403 200 200 200 200 200',
    }),
  ],
  agent: [
    about('agent', (id) => ({ params: { id } }), {
      own: '401 403 200 200 200 200 200',
      colleague: '401 403 200 200 200 200 200',
      foreign: '401 403 404 200 200 200 200',
      missing: '401 403 404 404 404 404 404',
    }),
  ],
  agentPassword: [
    about('agent', (id) => ({ params: { id } }), {
      own: '401 403 200 200 200 200 200',
      colleague: '401 403 200 200 200 200 200',
      foreign: '401 403 404 200 200 200 200',
      missing: '401 403 404 404 404 404 404',
    }),
  ],
  agentSites: [
    about('agent', (id) => ({ params: { id } }), {
      own: '401 403 200 200 200 200 200',
      colleague: '401 403 200 200 200 200 200',
      foreign: '401 403 404 200 200 200 200',
      missing: '401 403 404 404 404 404 404',
    }),
  ],
  // Staff must name an office; an office adds agents to itself.
  createAgent: [
    fresh('401 403 200 422 422 422 422', (username) => ({
      body: { ...agentForm, ...newPassword, username },
    })),
  ],
  updateAgent: [
    about('agent', (id) => ({ params: { id }, body: agentForm }), {
      own: '401 403 200 200 200 200 200',
      colleague: '401 403 200 200 200 200 200',
      foreign: '401 403 404 200 200 200 200',
      missing: '401 403 404 404 404 404 404',
    }),
  ],
  agentsStatus: [
    about('agent', (id) => ({ body: { ids: [id], active: true } }), {
      own: '401 403 200 200 200 200 200',
      colleague: '401 403 200 200 200 200 200',
      foreign: '401 403 404 200 200 200 200',
      missing: '401 403 404 404 404 404 404',
    }),
    // Callers who cannot see hidden agents cannot hide any.
    about('agent', (id) => ({ body: { ids: [id], hidden: false } }), {
      own: '401 403 403 200 200 200 200',
      colleague: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
    // Offices cannot judge the agents from whom they earn.
    about('agent', (id) => ({ body: { ids: [id], fraudFlagged: false } }), {
      own: '401 403 403 200 200 200 200',
      colleague: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  endAgentSessions: [
    about('agent', (id) => ({ params: { id } }), {
      own: '401 403 200 200 200 200 200',
      colleague: '401 403 200 200 200 200 200',
      foreign: '401 403 404 200 200 200 200',
      missing: '401 403 404 404 404 404 404',
    }),
  ],
  deleteAgent: [
    about('agent', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 403 200',
      colleague: '401 403 403 403 403 403 200',
      foreign: '401 403 403 403 403 403 200',
      missing: '401 403 403 403 403 403 404',
    }),
  ],

  unapproved: [plain('401 403 403 403 200 200 200')],
  unapprovedCount: [plain('401 403 403 403 200 200 200')],
  approve: [
    about('unapproved', (id) => ({ body: { ids: [id] } }), {
      own: '401 403 403 403 200 200 200',
      foreign: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],

  admins: [plain('401 403 403 403 403 200 200')],
  admin: [
    about('admin', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  adminPassword: [
    about('admin', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  createAdmin: [
    fresh('401 403 403 403 403 200 200', (username) => ({
      body: { ...adminForm, ...newPassword, username },
    })),
  ],
  updateAdmin: [
    about('admin', (id) => ({ params: { id }, body: adminForm }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],

  adminsStatus: [
    about('admin', (id) => ({ body: { ids: [id], active: false } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  endAdminSessions: [
    about('admin', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  deleteAdmin: [
    about('admin', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],

  adminProfile: [plain('401 403 403 200 200 200 200')],
  updateAdminProfile: [
    plain('401 403 403 200 200 200 200', { body: { email: 'someone@example.com' } }),
    // Only callers with the grant.
    plain('401 403 403 422 200 200 200', { body: { showSuspend: true } }),
  ],
  companyProfile: [plain('401 403 200 403 403 403 403')],
  updateCompanyProfile: [
    fresh('401 403 200 403 403 403 403', (officeName) => ({
      body: { ...managerForm, officeName, manEmail: 'ramon@example.com' },
    })),
  ],
  // They have a password.
  readInvitation: [plain('422 422 422 422 422 422 422', { body: { token: 'a guess' } })],
  acceptInvitation: [
    plain('422 422 422 422 422 422 422', { body: { ...newPassword, token: 'a guess' } }),
  ],
  inviteAgent: [
    about('agent', (id) => ({ params: { id } }), {
      own: '401 403 409 409 409 409 409',
      colleague: '401 403 409 409 409 409 409',
      foreign: '401 403 404 409 409 409 409',
      missing: '401 403 404 404 404 404 404',
    }),
  ],
  makeAgentInvitationLink: [
    about('agent', (id) => ({ params: { id } }), {
      own: '401 403 409 409 409 409 409',
      colleague: '401 403 409 409 409 409 409',
      foreign: '401 403 404 409 409 409 409',
      missing: '401 403 404 404 404 404 404',
    }),
  ],
  withdrawAgentInvitation: [
    about('agent', (id) => ({ params: { id } }), {
      own: '401 403 409 409 409 409 409',
      colleague: '401 403 409 409 409 409 409',
      foreign: '401 403 404 409 409 409 409',
      missing: '401 403 404 404 404 404 404',
    }),
  ],
  inviteOffice: [
    about('office', (id) => ({ params: { id } }), {
      own: '401 403 403 409 409 409 409',
      foreign: '401 403 403 409 409 409 409',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  makeOfficeInvitationLink: [
    about('office', (id) => ({ params: { id } }), {
      own: '401 403 403 409 409 409 409',
      foreign: '401 403 403 409 409 409 409',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  withdrawOfficeInvitation: [
    about('office', (id) => ({ params: { id } }), {
      own: '401 403 403 409 409 409 409',
      foreign: '401 403 403 409 409 409 409',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  inviteAdmin: [
    about('admin', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 409 409',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  makeAdminInvitationLink: [
    about('admin', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 409 409',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  withdrawAdminInvitation: [
    about('admin', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 409 409',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  checkOfficeFile: [plain('401 403 403 403 403 200 200', { body: { file: officeFile } })],
  // It has nobody new.
  importOffices: [plain('401 403 403 403 403 422 422', { body: { file: officeFile } })],
  checkAgentFile: [plain('401 403 200 200 200 200 200', { body: { file: agentFile } })],
  importAgents: [plain('401 403 422 422 422 422 422', { body: { file: agentFile } })],
  confirmAddress: [plain('401 422 403 403 403 403 403', { body: { token: 'a guess' } })],
  // None waits.
  sendAddressLink: [plain('401 409 403 403 403 403 403')],
  sendAgentAddressLink: [
    about('agent', (id) => ({ params: { id } }), {
      own: '401 403 409 409 409 409 409',
      colleague: '401 403 409 409 409 409 409',
      foreign: '401 403 404 409 409 409 409',
      missing: '401 403 404 404 404 404 404',
    }),
  ],
  agentProfile: [plain('401 200 403 403 403 403 403')],
  updateAgentProfile: [plain('401 200 403 403 403 403 403', { body: newPassword })],

  listSessions: [plain('401 200 200 200 200 200 200')],
  endSession: [
    about('session', (id) => ({ params: { id } }), {
      own: '401 200 404 404 404 404 404',
      foreign: '401 404 404 404 404 404 404',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  ownFactors: [plain('401 200 200 200 200 200 200')],
  beginAuthenticator: [plain('401 200 200 200 200 200 200')],
  // The code is wrong.
  confirmAuthenticator: [plain('401 422 422 422 422 422 422', { body: { code: 'a guess' } })],
  // No caller has an app.
  removeAuthenticator: [
    plain('401 404 404 404 404 404 404', { body: { password: 'a guess', code: '123456' } }),
  ],
  beginPasskey: [plain('401 200 200 200 200 200 200')],
  // It was made from no challenge of ours.
  addPasskey: [
    plain('401 422 422 422 422 422 422', {
      body: {
        name: 'My phone',
        made: { id: 'AQ', attestationObject: 'AQ', clientDataJSON: 'e30', transports: ['usb'] },
      },
    }),
  ],
  // No caller has one.
  removePasskey: [
    plain('401 404 404 404 404 404 404', {
      params: { id: '1' },
      body: { password: 'a guess', code: '123456' },
    }),
  ],
  ownProvider: [plain('401 200 200 200 200 200 200')],
  removeProvider: [plain('401 404 404 404 404 404 404')],
  renewRecoveryCodes: [plain('401 409 409 409 409 409 409')],
  ownTokens: [plain('401 200 200 200 200 200 200')],
  createToken: [
    plain('401 200 200 200 200 200 200', { body: { name: 'My tracker', may: ['figures'] } }),
  ],
  allTokens: [plain('401 403 403 403 403 200 200')],
  revokeToken: [
    about('token', (id) => ({ params: { id } }), {
      own: '401 200 404 404 404 200 200',
      foreign: '401 404 404 404 404 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  bell: [plain('401 200 200 200 200 200 200')],
  bellCount: [plain('401 200 200 200 200 200 200')],
  readBell: [
    plain('401 200 200 200 200 200 200', { body: { until: '2026-03-01T12:00:00Z' } }),
    plain('401 200 200 200 200 200 200', { body: { id: randomUUID() } }),
  ],
  notifications: [plain('401 200 200 200 200 200 200')],
  chooseNotifications: [
    plain('401 200 200 200 200 200 200', { body: { topic: 'day', choice: 'digest' } }),
  ],
  unsubscribePage: [plain('404 404 404 404 404 404 404', { params: { token: 'x' } })],
  unsubscribe: [plain('404 404 404 404 404 404 404', { params: { token: 'x' } })],
  savedViews: [plain('401 200 200 200 200 200 200')],
  createSavedView: [
    fresh('401 200 200 200 200 200 200', (name) => ({
      body: { name, url: '/app/stats/sites?days=week', mail: null },
    })),
  ],
  partnerPostbacks: [plain('401 200 200 200 200 200 200')],
  createPartnerPostback: [plain('401 200 200 403 403 403 403', { body: partnerPostbackForm })],
  updatePartnerPostback: [
    about('partnerPostback', ({ id }) => ({ params: { id }, body: partnerPostbackForm }), {
      own: '401 200 404 403 403 403 403',
      foreign: '401 404 404 403 403 403 403',
      missing: '401 404 404 403 403 403 403',
    }),
  ],
  deletePartnerPostback: [
    about('partnerPostback', ({ id }) => ({ params: { id } }), {
      own: '401 200 404 403 403 403 403',
      foreign: '401 404 404 403 403 403 403',
      missing: '401 404 404 403 403 403 403',
    }),
  ],
  switchPartnerPostback: [
    about(
      'partnerPostback',
      ({ id }) => ({ params: { id }, body: { on: true, sendMissed: true } }),
      {
        own: '401 200 404 403 403 403 403',
        foreign: '401 404 404 403 403 403 403',
        missing: '401 404 404 403 403 403 403',
      },
    ),
  ],
  previewPartnerPostback: [
    plain('401 200 200 403 403 403 403', { body: { url: partnerPostbackForm.url } }),
  ],
  testPartnerPostback: [
    plain('401 200 200 403 403 403 403', { body: { url: 'http://127.0.0.1/?cid={sub1}' } }),
  ],
  partnerPostbackLog: [
    about('partnerPostback', ({ id }) => ({ params: { id } }), {
      own: '401 200 404 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  webhooks: [plain('401 403 403 403 403 200 200')],
  createWebhook: [plain('401 403 403 403 403 200 200', { body: webhookForm })],
  updateWebhook: [
    about('webhook', ({ id }) => ({ params: { id }, body: webhookForm }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 404 404',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  rotateWebhookSecret: [
    about('webhook', ({ id }) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 404 404',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  deleteWebhook: [
    about('webhook', ({ id }) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      // A partner's postback is no webhook.
      foreign: '401 403 403 403 403 404 404',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  switchWebhook: [
    about('webhook', ({ id }) => ({ params: { id }, body: { on: true } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 404 404',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  testWebhook: [
    about('webhook', ({ id }) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 404 404',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  webhookLog: [
    about('webhook', ({ id }) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 404 404',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  sendWebhookAgain: [
    about('webhook', (params) => ({ params }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 404 404',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  queue: [plain('401 403 403 403 403 200 200')],
  tryQueueAgain: [plain('401 403 403 403 403 200 200', { body: { queue: 'mails' } })],
  decideHeld: [
    plain('401 403 403 403 403 200 200', { body: { queue: 'deliveries', decision: 'drop' } }),
  ],
  verifications: [plain('401 403 403 403 200 200 200')],
  verifyNow: [plain('401 403 403 403 200 200 200', { params: { what: 'totals' } })],
  sendAgain: [
    about('partnerPostback', (params) => ({ params }), {
      own: '401 200 404 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],

  alarms: [plain('401 403 403 200 200 200 200')],
  alarmChart: [plain('401 403 403 200 200 200 200', { query: { watched: 'network', id: '0' } })],
  quietAlarm: [
    about('alarm', (id) => ({ params: { id }, body: { until: null } }), {
      own: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  quietSite: [
    about('site', (id) => ({ params: { id }, body: { until: null } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  contact: [plain('401 403 403 403 403 200 200')],
  signInRules: [plain('401 403 403 403 403 200 200')],
  saveSignInRules: [plain('401 403 403 403 403 200 200', { body: { agents: null } })],
  staffProvider: [plain('401 403 403 403 403 200 200')],
  requireProvider: [plain('401 403 403 403 403 409 409', { body: { only: true } })],
  saveContact: [plain('401 403 403 403 403 200 200', { body: { name: 'Ann' } })],
  alarmSettings: [plain('401 403 403 403 403 200 200')],
  saveAlarmSettings: [plain('401 403 403 403 403 200 200', { body: { leastSales: 6 } })],

  updateSavedView: [
    about('savedView', (id) => ({ params: { id }, body: { name: 'Mine', mail: null } }), {
      own: '401 200 404 404 404 404 404',
      foreign: '401 404 404 404 404 404 404',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  moveSavedView: [
    about('savedView', (id) => ({ params: { id }, body: { to: 'up' } }), {
      own: '401 200 404 404 404 404 404',
      foreign: '401 404 404 404 404 404 404',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  deleteSavedView: [
    about('savedView', (id) => ({ params: { id } }), {
      own: '401 200 404 404 404 404 404',
      foreign: '401 404 404 404 404 404 404',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  endOtherSessions: [plain('401 200 200 200 200 200 200')],
  changePassword: [
    plain('401 200 200 200 200 200 200', {
      body: { password: 'a long one', passwordConfirm: 'a long one' },
    }),
  ],

  countToMigrate: [plain('401 403 403 403 403 200 200')],
  migrate: [plain('401 403 403 403 403 200 200')],

  sites: [plain('401 200 200 200 200 200 200')],
  searchSites: [plain('401 403 403 200 200 200 200', { body: {} })],
  site: [
    about('site', (id) => ({ params: { id } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  siteAgents: [
    about('site', (id) => ({ params: { id } }), {
      own: '401 403 200 200 200 200 200',
      foreign: '401 403 404 200 200 200 200',
      missing: '401 403 404 404 404 404 404',
    }),
  ],
  createSite: [
    fresh('401 403 403 403 403 200 200', (sitename) => ({ body: { ...siteForm, sitename } })),
  ],
  updateSite: [
    about('site', (id) => ({ params: { id }, body: { ...siteForm, sitename: `Renamed ${id}` } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  sitesStatus: [
    about('site', (id) => ({ body: { ids: [id], status: 0 } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  enableSiteForAllOffices: [
    about('site', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  deleteSite: [
    about('site', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 403 200',
      foreign: '401 403 403 403 403 403 200',
      missing: '401 403 403 403 403 403 404',
    }),
  ],
  linkType: [
    about('linkType', ({ typeId }) => ({ params: { id: typeId } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  createLinkType: [
    about('site', (siteId) => ({ body: { ...linkTypeForm, siteId } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  updateLinkType: [
    about('linkType', ({ typeId }) => ({ params: { id: typeId }, body: linkTypeForm }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  deleteLinkType: [
    about('linkType', ({ typeId }) => ({ params: { id: typeId } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  typesBySite: [
    about('site', (siteId) => ({ params: { siteId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],

  officeFees: [
    about('linkType', (type) => ({ query: type }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  saveOfficeFee: [
    about('officeFee', (ids) => ({ body: { ...ids, enable: true, earning: 12.5 } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  rates: [
    about('linkType', ({ siteId, typeId }) => ({ query: { siteId, typeId } }), {
      own: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  prepareRate: [
    about('officeFee', (ids) => ({ body: { ...ids, validFrom: '2199-12-01', payout: 480 } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  prepareRates: [
    about('officeFee', (ids) => ({ body: { validFrom: '2199-12-02', rates: [ids] } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  withdrawRate: [
    about('preparedRate', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  rateBackdatings: [
    about('linkType', ({ siteId, typeId }) => ({ query: { siteId, typeId } }), {
      own: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  previewBackdating: [
    about('officeFee', (ids) => ({ body: { ...ids, from: '2020-01-02', payout: 480 } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  backdateRate: [
    about(
      'backdatableRate',
      (ids) => ({
        body: {
          ...ids,
          from: '2020-01-02',
          payout: 480,
          reason: 'Agreed by phone',
          requestId: randomUUID(),
        },
      }),
      { own: '401 403 403 403 403 200 200', missing: '401 403 403 403 403 404 404' },
    ),
  ],
  previewUndo: [
    about('backdating', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  undoBackdating: [
    about('backdating', (id) => ({ params: { id }, body: { reason: 'By mistake' } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  links: [
    about('seller', (ids) => ({ body: ids }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 404 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
    // Agents need not name themselves; everyone else must name an agent.
    about('site', (siteId) => ({ body: { siteId } }), {
      own: '401 200 422 422 422 422 422',
      foreign: '401 404 422 422 422 422 422',
      missing: '401 404 422 422 422 422 422',
    }),
  ],
  shortLinks: [
    about('agent', (agentId) => ({ body: { agentId } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 404 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  namedShortLink: [
    about('shortName', (name) => ({ params: { name } }), {
      own: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  createShortLink: [
    about('sellerOfType', (ids) => ({ body: ids }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 404 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  createLinkTest: [
    about('sellerOfType', (ids) => ({ body: ids }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 404 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  linkTest: [
    about('linkTest', (id) => ({ params: { id } }), {
      own: '401 200 404 404 404 404 404',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  renameShortLink: [
    about('shortLink', (id) => ({ params: { id }, body: { name: `renamed-${id}` } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 404 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  deleteShortLink: [
    about('shortLink', (id) => ({ params: { id } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 404 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  linkRates: [
    about('agent', (agentId) => ({ body: { agentId } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 404 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],

  coupons: [plain('401 200 200 200 200 200 200', { body: {} })],
  couponPatterns: [plain('401 200 403 403 403 403 403')],
  createCoupon: [
    about(
      'seller',
      ({ siteId, agentId }) => ({ body: { code: `CODE-${siteId}-${agentId}`, siteId, agentId } }),
      {
        own: '401 403 403 403 403 200 200',
        colleague: '401 403 403 403 403 200 200',
        foreign: '401 403 403 403 403 200 200',
        missing: '401 403 403 403 403 404 404',
      },
    ),
  ],
  // No site has a pattern here.
  makeCoupon: [
    about('site', (siteId) => ({ body: { siteId, name: 'ANNA' } }), {
      own: '401 422 403 403 403 403 403',
      foreign: '401 422 403 403 403 403 403',
      missing: '401 422 403 403 403 403 403',
    }),
  ],
  endCoupon: [
    about('coupon', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  // The agent did not make it.
  endOwnCoupon: [
    about('coupon', (id) => ({ params: { id } }), {
      own: '401 409 403 403 403 403 403',
      foreign: '401 404 403 403 403 403 403',
      missing: '401 404 403 403 403 403 403',
    }),
  ],

  siteStats: [
    plain('401 200 200 200 200 200 200', { body: thisWeek }),
    plain('401 422 422 200 200 200 200', { body: { ...thisWeek, groupBy: 'office' } }),
    plain('401 422 200 200 200 200 200', { body: { ...thisWeek, groupBy: 'agent' } }),
    plain('401 200 200 200 200 200 200', { body: { ...thisWeek, groupBy: 'type' } }),
    // Criteria filter the caller's own figures; foreign criteria find nothing.
    about('office', (companyId) => ({ body: { ...thisWeek, companyId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('agent', (agentId) => ({ body: { ...thisWeek, agentId } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('site', (siteId) => ({ body: { ...thisWeek, siteId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 422 422 200 200 200 200',
      missing: '401 422 422 422 422 422 422',
    }),
  ],
  avpStats: [
    plain('401 200 200 200 200 200 200', { body: lastWeek }),
    plain('401 422 200 200 200 200 200', { body: { ...lastWeek, groupBy: 'agent' } }),
    plain('401 422 422 200 200 200 200', { body: { ...lastWeek, avp: 0 } }),
    about('office', (companyId) => ({ body: { ...lastWeek, companyId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('agent', (agentId) => ({ body: { ...lastWeek, agentId } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('site', (siteId) => ({ body: { ...lastWeek, siteId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 422 422 200 200 200 200',
      missing: '401 422 422 422 422 422 422',
    }),
  ],
  payroll: [
    plain('401 403 403 200 200 200 200', { body: thisWeek }),
    about('office', (companyId) => ({ body: { ...thisWeek, companyId } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 200 200 200 200',
    }),
    about('agent', (agentId) => ({ body: { ...thisWeek, agentId } }), {
      own: '401 403 403 200 200 200 200',
      colleague: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 200 200 200 200',
    }),
    about('site', (siteId) => ({ body: { ...thisWeek, siteId } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 422 422 422 422',
    }),
  ],
  payrollAvp: [
    plain('401 403 403 200 200 200 200', { body: lastWeek }),
    about('office', (companyId) => ({ body: { ...lastWeek, companyId } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 200 200 200 200',
    }),
    about('agent', (agentId) => ({ body: { ...lastWeek, agentId } }), {
      own: '401 403 403 200 200 200 200',
      colleague: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 200 200 200 200',
    }),
    about('site', (siteId) => ({ body: { ...lastWeek, siteId } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 422 422 422 422',
    }),
  ],
  explain: [
    plain('401 403 403 200 200 200 200', { body: payrollFigure }),
    plain('401 403 403 422 200 200 200', { body: { ...payrollFigure, column: 'earn' } }),
    plain('401 403 403 200 200 200 200', {
      body: { ...payrollFigure, report: 'payrollAvp', column: 'payoutPhp' },
    }),
    plain('401 200 200 200 200 200 200', { body: salesFigure }),
    plain('401 200 200 200 200 200 200', { body: { ...salesFigure, report: 'avp' } }),
    plain('401 422 422 422 200 200 200', { body: { ...salesFigure, column: 'earn' } }),
    plain('401 422 422 200 200 200 200', { body: { ...salesFigure, report: 'avp', avp: 1 } }),
    about('agent', (agentId) => ({ body: { ...salesFigure, agentId } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('site', (siteId) => ({ body: { ...salesFigure, siteId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 422 422 200 200 200 200',
      missing: '401 422 422 422 422 422 422',
    }),
    about('site', (siteId) => ({ body: { ...payrollFigure, siteId } }), {
      own: '401 403 403 200 200 200 200',
      foreign: '401 403 403 200 200 200 200',
      missing: '401 403 403 422 422 422 422',
    }),
  ],
  avpPeriods: [plain('401 200 200 200 200 200 200')],
  avpStanding: [
    about('agent', (agentId) => ({ params: { agentId } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 404 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  avpCloseAgents: [
    about('office', (companyId) => ({ body: { companyId } }), {
      own: '401 403 200 200 200 200 200',
      foreign: '401 403 200 200 200 200 200',
      missing: '401 403 200 200 200 200 200',
    }),
  ],
  whatIf: [
    plain('401 403 403 200 200 200 200', {
      body: { ...lastWeek, rates: [{ typeId: 1, payout: 450 }] },
    }),
  ],
  exportWhatIf: [
    plain('401 403 403 200 200 200 200', {
      body: csvOf({ ...lastWeek, rates: [{ typeId: 1, payout: 450 }] }),
    }),
  ],
  avpSchedules: [plain('401 403 403 403 403 200 200')],
  createAvpSchedule: [
    fresh('401 403 403 403 403 200 200', (name) => ({ body: scheduleOf(mondayOf(name)) })),
  ],
  updateAvpSchedule: [
    fresh('401 403 403 403 403 404 404', (name) => ({
      params: { validFrom: mondayOf(name) },
      body: scheduleOf(mondayOf(name)),
    })),
  ],
  deleteAvpSchedule: [
    fresh('401 403 403 403 403 404 404', (name) => ({ params: { validFrom: mondayOf(name) } })),
  ],

  top10: [
    plain('401 403 200 200 200 200 200', { body: thisWeek }),
    about('site', (siteId) => ({ body: { ...thisWeek, siteIds: [siteId] } }), {
      own: '401 403 200 200 200 200 200',
      foreign: '401 403 422 200 200 200 200',
      missing: '401 403 422 422 422 422 422',
    }),
  ],
  top10Computed: [plain('401 200 200 200 200 200 200', { body: { period: 'week' } })],
  officePerformance: [
    plain('401 403 200 200 200 200 200', { body: { period1: thisWeek, period2: thisWeek } }),
  ],
  officeCharts: [plain('401 403 200 200 200 200 200', { body: thisWeek })],
  exportSiteStats: [
    plain('401 200 200 200 200 200 200', { body: csvOf(thisWeek) }),
    plain('401 422 422 200 200 200 200', { body: csvOf({ ...thisWeek, groupBy: 'office' }) }),
    // A file names the caller and their office; exports.test.ts shows that it reveals nothing about others.
    about('site', (siteId) => ({ body: csvOf({ ...thisWeek, siteId }) }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 422 422 200 200 200 200',
      missing: '401 422 422 422 422 422 422',
    }),
  ],
  exportAvpStats: [
    plain('401 200 200 200 200 200 200', { body: csvOf(lastWeek) }),
    plain('401 422 422 200 200 200 200', { body: csvOf({ ...lastWeek, avp: 0 }) }),
  ],
  exportPayroll: [
    plain('401 403 403 200 200 200 200', { body: csvOf(thisWeek) }),
    plain('401 403 403 200 200 200 200', { body: { format: 'xlsx', criteria: thisWeek } }),
  ],
  exportPayrollAvp: [plain('401 403 403 200 200 200 200', { body: csvOf(lastWeek) })],
  exportTop10: [
    plain('401 403 200 200 200 200 200', { body: csvOf(thisWeek) }),
    about('site', (siteId) => ({ body: csvOf({ ...thisWeek, siteIds: [siteId] }) }), {
      own: '401 403 200 200 200 200 200',
      foreign: '401 403 422 200 200 200 200',
      missing: '401 403 422 422 422 422 422',
    }),
  ],
  exportOfficePerformance: [
    plain('401 403 200 200 200 200 200', {
      body: csvOf({ period1: thisWeek, period2: thisWeek }),
    }),
  ],
  exportOfficeCharts: [plain('401 403 200 200 200 200 200', { body: csvOf(thisWeek) })],
  dashboard: [plain('401 200 200 200 200 200 200')],
  firstPayment: [plain('401 403 403 403 403 200 200')],
  home: [plain('401 200 200 200 200 200 200')],
  demoVisitors: [plain('401 403 403 403 403 200 200')],
  // Starting them is refused outside the demo world.
  setDemoVisitors: [plain('401 403 403 403 403 200 200', { body: { on: false } })],

  searchPostbacks: [plain('401 403 403 200 200 200 200', { body: {} })],
  deliverPostback: [
    about('postback', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  heldSides: [
    about('heldPostback', (id) => ({ params: { id } }), {
      own: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  askForDecision: [
    about('heldPostback', (id) => ({ params: { id } }), {
      own: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  decideHeldPostback: [
    about(
      'heldPostback',
      (id) => ({
        params: { id },
        body: { act: 'record', effect: 'another', reason: 'Agreed' },
      }),
      {
        own: '401 403 403 403 403 200 200',
        missing: '401 403 403 403 403 200 200',
      },
    ),
  ],
  // Nothing is decided about it.
  undoDecision: [
    about('heldPostback', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 409 409',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  followUpHeldPostback: [
    about('heldPostback', (id) => ({ params: { id }, body: { assignedTo: null } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  deciders: [plain('401 403 403 403 403 200 200')],
  previewHeldPostbacks: [
    about('heldPostback', (id) => ({ body: { ids: [id], act: 'record' } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 200 200',
    }),
  ],
  settleHeldPostbacks: [
    about('heldPostback', (id) => ({ body: { ids: [id], act: 'record', reason: 'Agreed' } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 200 200',
    }),
  ],
  sitePostback: [
    about('site', (siteId) => ({ params: { siteId } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  postbackReadings: [
    about('site', (siteId) => ({ params: { siteId }, query: {} }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  siteWords: [
    about('site', (siteId) => ({ params: { siteId } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  // Nothing waits with this word.
  decideSiteWord: [
    about(
      'site',
      (siteId) => ({
        params: { siteId },
        body: {
          parameter: 'outcome',
          value: 'sent_back',
          event: 'sale',
          reading: 'nothing',
          reason: 'Asked',
        },
      }),
      {
        own: '401 403 403 403 403 409 409',
        foreign: '401 403 403 403 403 409 409',
        missing: '401 403 403 403 403 404 404',
      },
    ),
  ],
  rotatePostbackKey: [
    about('site', (siteId) => ({ params: { siteId } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  testPostback: [
    about('linkType', ({ siteId, typeId }) => ({ params: { siteId }, body: { typeId } }), {
      own: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],

  siteManuals: [plain('401 200 200 200 200 200 200')],
  availableSites: [plain('401 403 403 403 403 200 200')],
  siteManual: [
    about('manual', (id) => ({ params: { id } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  createSiteManual: [
    about('site', (siteId) => ({ body: { siteId, ...manualForm } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 422 422',
    }),
  ],
  updateSiteManual: [
    about('manual', (id) => ({ params: { id }, body: manualForm }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],
  deleteSiteManual: [
    about('manual', (id) => ({ params: { id } }), {
      own: '401 403 403 403 403 200 200',
      foreign: '401 403 403 403 403 200 200',
      missing: '401 403 403 403 403 404 404',
    }),
  ],

  lastNews: [plain('401 200 200 200 200 200 200')],
  publishNews: [plain('401 403 403 403 403 200 200', { body: { html: '<p>Good news.</p>' } })],
  loginAlerts: [plain('401 200 200 200 200 200 200')],
  lastAlert: [plain('401 403 403 403 403 200 200')],
  publishAlert: [
    plain('401 403 403 403 403 200 200', { body: { enable: true, html: '<p>Beware.</p>' } }),
  ],

  uploadImage: [
    plain('401 403 403 403 403 200 200', { file: { field: 'image', bytes: onePixel } }),
  ],
  // Browsers request images without a token.
  image: [
    about('image', (name) => ({ params: { name } }), {
      own: '200 200 200 200 200 200 200',
      missing: '404 404 404 404 404 404 404',
    }),
  ],

  searchClickLogs: [
    plain('401 200 200 200 200 200 200', { body: {} }),
    // As with figures, foreign criteria find nothing.
    about('office', (companyId) => ({ body: { companyId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('agent', (agentId) => ({ body: { agentId } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('site', (siteId) => ({ body: { siteId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
  ],
  searchSaleLogs: [
    plain('401 200 200 200 200 200 200', { body: {} }),
    // As with figures, foreign criteria find nothing.
    about('office', (companyId) => ({ body: { companyId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('agent', (agentId) => ({ body: { agentId } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('site', (siteId) => ({ body: { siteId } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
  ],
  find: [plain('401 200 200 200 200 200 200', { body: { text: 'lantern' } })],
  // As with figures, foreign criteria find nothing.
  otherLogs: [
    plain('401 200 200 200 200 200 200', { body: { empty: 'sales' } }),
    about('agent', (agentId) => ({ body: { empty: 'sales', agentId } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
  ],
  sale: [
    about('sale', (eventId) => ({ params: { eventId } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 404 200 200 200 200 200',
      foreign: '401 404 404 200 200 200 200',
      missing: '401 404 404 404 404 404 404',
    }),
  ],
  searchChatLogs: [
    plain('401 200 200 200 200 200 200', { body: {} }),
    about('office', (value) => ({ body: { criteria: [{ field: 'companyId', value }] } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('agent', (value) => ({ body: { criteria: [{ field: 'agentId', value }] } }), {
      own: '401 200 200 200 200 200 200',
      colleague: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
    about('site', (value) => ({ body: { criteria: [{ field: 'siteId', value }] } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
  ],
  submitChatLog: [
    about(
      'site',
      (siteId) => ({ body: { clientUsername: 'riverman', siteId, conversation: 'hi' } }),
      {
        own: '401 200 403 403 403 403 403',
        foreign: '401 422 403 403 403 403 403',
        missing: '401 422 403 403 403 403 403',
      },
    ),
  ],
  searchCommonLogs: [plain('401 403 403 403 200 200 200', { body: {} })],
  downloadCommonLogs: [plain('401 403 403 403 200 200 200', { body: {} })],
  searchLoginLogs: [
    plain('401 403 200 200 200 200 200', { body: {} }),
    // As with figures, foreign criteria find nothing.
    about('office', (companyId) => ({ body: { companyId } }), {
      own: '401 403 200 200 200 200 200',
      foreign: '401 403 200 200 200 200 200',
      missing: '401 403 200 200 200 200 200',
    }),
    about('agent', (agentId) => ({ body: { agentId } }), {
      own: '401 403 200 200 200 200 200',
      colleague: '401 403 200 200 200 200 200',
      foreign: '401 403 200 200 200 200 200',
      missing: '401 403 200 200 200 200 200',
    }),
  ],

  searchBlackListIp: [plain('401 403 403 200 200 200 200', { body: {} })],
  addBlackListIp: [plain('401 403 403 200 200 200 200', { body: { ip: '198.51.100.7' } })],
  deleteBlackListIp: [
    about('blackListIp', (id) => ({ params: { id } }), {
      own: '401 403 403 200 200 200 200',
      missing: '401 403 403 404 404 404 404',
    }),
  ],
  deleteBlackListIpsByValue: [
    plain('401 403 403 200 200 200 200', { body: { ips: ['198.51.100.8'] } }),
  ],
  options: [plain('401 403 403 403 403 200 200')],
  saveOptions: [
    plain('401 403 403 403 403 200 200', { body: [{ name: 'payout_visible', value: 0 }] }),
  ],

  // Public endpoints: tracked links and merchants' postbacks, which carry no session.
  go: [
    about('trackedLink', (link) => ({ params: link }), {
      own: '302 302 302 302 302 302 302',
      missing: '404 404 404 404 404 404 404',
    }),
  ],
  goShort: [
    about('shortName', (name) => ({ params: { name } }), {
      own: '302 302 302 302 302 302 302',
      missing: '404 404 404 404 404 404 404',
    }),
  ],
  postbackByGet: [
    about('site', (siteId) => ({ params: { siteId }, query: { click_id: 'x' } }), {
      own: '401 401 401 401 401 401 401',
      foreign: '401 401 401 401 401 401 401',
      missing: '401 401 401 401 401 401 401',
    }),
  ],
  postbackByPost: [
    about('site', (siteId) => ({ params: { siteId }, body: { click_id: 'x' } }), {
      own: '401 401 401 401 401 401 401',
      foreign: '401 401 401 401 401 401 401',
      missing: '401 401 401 401 401 401 401',
    }),
  ],

  ownPayeeAccount: [plain('401 200 200 403 403 403 403')],
  enterPayeeAccount: [
    fresh('401 200 200 403 403 403 403', (name) => ({
      body: {
        channel: 'bank',
        institution: 'BOPIPHMM',
        number: name.slice(3).padStart(10, '1'),
        accountName: 'Maria Santos',
        currency: 'PHP',
      },
    })),
  ],
  accountsToConfirm: [plain('401 403 403 403 200 200 200')],
  disownAccount: [
    about('ownPayeeAccount', (id) => ({ params: { id } }), {
      own: '401 404 200 403 403 403 403',
      foreign: '401 404 404 403 403 403 403',
      missing: '401 404 404 403 403 403 403',
    }),
  ],
  decideAccount: [
    about('payeeAccount', (id) => ({ params: { id }, body: { confirm: true } }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  paymentRuns: [plain('401 403 403 403 200 200 200')],
  paymentRunCandidates: [
    plain('401 403 403 403 200 200 200', {
      body: { period: null, currency: 'PHP', templateId: 1 },
    }),
  ],
  preparePaymentRun: [
    about('owed', (period) => ({ body: { period, currency: 'PHP', templateId: 1 } }), {
      own: '401 403 403 403 200 200 200',
    }),
  ],
  paymentRun: [
    about('preparedRun', ({ id }) => ({ params: { id } }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  removePaymentRunLine: [
    about(
      'preparedRun',
      ({ id, lineId }) => ({ params: { id }, body: { lineId, reason: 'fraud under review' } }),
      {
        own: '401 403 403 403 200 200 200',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  reviewPaymentRun: [
    about('preparedRun', ({ id }) => ({ params: { id } }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  approvePaymentRun: [
    about('preparedRun', ({ id, seen }) => ({ params: { id }, body: seen }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  cancelPaymentRun: [
    about('preparedRun', ({ id }) => ({ params: { id }, body: { reason: 'a wrong period' } }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  takePaymentFile: [
    about('sentRun', ({ id }) => ({ params: { id }, body: { name: `R-test-${id}_1-Pesos.csv` } }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  enterPaymentResults: [
    about('sentRun', ({ id }) => ({ params: { id }, body: { allPaid: true } }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  returnPayment: [
    about(
      'paidRun',
      ({ id, lineId }) => ({
        params: { id },
        body: { lineId, returnedOn: '2026-02-21', reason: 'account closed' },
      }),
      {
        own: '401 403 403 403 200 200 200',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  enterRefusedFile: [
    about(
      'runAtBank',
      ({ id, file }) => ({
        params: { id },
        body: { name: file, refusedOn: '2026-02-21', reason: 'a wrong date' },
      }),
      {
        own: '401 403 403 403 200 200 200',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  settleRefusals: [
    about(
      'refusedRun',
      ({ id, lineId }) => ({
        params: { id },
        body: { lineIds: [lineId], note: 'Mail of the bank of 3 March' },
      }),
      {
        own: '401 403 403 403 200 200 200',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  readResultFile: [
    about(
      'sentRun',
      ({ id }) => ({
        params: { id },
        body: {
          file: Buffer.from('Reference,Status').toString('base64'),
          columns: null,
          take: false,
        },
      }),
      {
        own: '401 403 403 403 200 200 200',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  payFileTemplates: [plain('401 403 403 403 200 200 200')],
  createPayFileTemplate: [
    fresh('401 403 403 403 200 200 200', (name) => ({ body: { name, layout: genericLayout } })),
  ],
  updatePayFileTemplate: [
    about(
      'payFileTemplate',
      (id) => ({ params: { id }, body: { name: `Renamed ${id}`, layout: genericLayout } }),
      {
        own: '401 403 403 403 200 200 200',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  deletePayFileTemplate: [
    about('payFileTemplate', (id) => ({ params: { id } }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  previewPayFile: [plain('401 403 403 403 200 200 200', { body: { layout: genericLayout } })],

  // Without the option payout_visible, offices and agents see nothing about pay.
  paySettings: [plain('401 403 403 403 200 200 200')],
  payLeftOut: [plain('401 403 403 403 200 200 200', { query: { firstDay: '2026-02-01' } })],
  latestExchangeRate: [plain('401 403 403 403 200 200 200')],
  avpRules: [plain('401 200 200 200 200 200 200')],
  savePaySettings: [plain('401 403 403 403 200 200 200', { body: payForm })],
  payPeriods: [plain('401 403 403 403 200 200 200')],
  payChecks: [plain('401 403 403 403 200 200 200', { params: { name: '2026-02-B' } })],
  payPreview: [plain('401 403 403 403 200 200 200', { params: { name: '2026-02-B' } })],
  payPreviewOf: [
    about('office', (id) => ({ params: { name: '2026-02-B', kind: 'office', id } }), {
      own: '401 403 403 403 404 404 404',
      foreign: '401 403 403 403 404 404 404',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  // The period has not ended; closing one would change what the next caller finds.
  closePayPeriod: [
    plain('401 403 403 403 409 409 409', {
      params: { name: '2026-03-A' },
      body: { typed: '2026-03-A' },
    }),
  ],
  savePayExchangeRate: [
    plain('401 403 403 403 200 200 200', {
      params: { name: '2026-02-B' },
      body: { pesosE4: 582_500, source: 'BSP' },
    }),
  ],
  payProposals: [plain('401 403 403 403 200 200 200')],
  decidedPayProposals: [plain('401 403 403 403 200 200 200')],
  approvePayProposal: [
    about('payProposal', (id) => ({ params: { id } }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  refusePayProposal: [
    about('payProposal', (id) => ({ params: { id }, body: { reason: 'too much' } }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  // Somebody else has entered it.
  withdrawPayProposal: [
    about('payProposal', (id) => ({ params: { id }, body: { reason: 'a mistake' } }), {
      own: '401 403 403 403 403 403 403',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  proposePayLimits: [
    plain('401 403 403 403 200 200 200', {
      body: { adjustmentCentavos: 5_000_00, adjustmentCents: 100_00, reason: 'a new rule' },
    }),
  ],
  earned: [
    plain('401 403 403 200 200 200 200', { body: { start: '2026-02-01', end: '2026-02-15' } }),
    about(
      'office',
      (companyId) => ({ body: { start: '2026-02-01', end: '2026-02-15', companyId } }),
      {
        own: '401 403 403 200 200 200 200',
        foreign: '401 403 403 200 200 200 200',
        missing: '401 403 403 200 200 200 200',
      },
    ),
  ],
  recentEarned: [
    plain('401 200 200 200 200 200 200'),
    about('office', (companyId) => ({ query: { companyId: String(companyId) } }), {
      own: '401 200 200 200 200 200 200',
      foreign: '401 200 200 200 200 200 200',
      missing: '401 200 200 200 200 200 200',
    }),
  ],
  estimate: [plain('401 403 403 403 403 403 403', { params: { name: '2026-02-B' } })],
  statements: [plain('401 403 403 403 200 200 200')],
  statement: [
    about('statement', (id) => ({ params: { id } }), {
      own: '401 403 403 403 200 200 200',
      foreign: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  statementLine: [
    about('statement', (id) => ({ params: { id }, query: { key: lineKey } }), {
      own: '401 403 403 403 200 200 200',
      foreign: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  exportStatement: [
    about('statement', (id) => ({ params: { id }, body: { format: 'csv' } }), {
      own: '401 403 403 403 200 200 200',
      foreign: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  balances: [plain('401 403 403 403 200 200 200')],
  balance: [
    about('office', (id) => ({ params: { kind: 'office', id } }), {
      own: '401 403 403 403 200 200 200',
      foreign: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  journal: [plain('401 403 403 403 200 200 200', { query: { month: '2026-02' } })],
  // Nothing was booked then.
  exportJournal: [
    plain('401 403 403 403 409 409 409', {
      body: { month: '2025-02', format: 'plain', what: 'all', since: null },
    }),
  ],
  // Nothing was exported.
  journalExport: [plain('401 403 403 403 404 404 404', { params: { id: 1 } })],
  closeMonth: [plain('401 403 403 403 200 200 200', { body: { month: '2025-02' } })],
  journalAccounts: [plain('401 403 403 403 200 200 200')],
  saveJournalAccounts: [
    plain('401 403 403 403 200 200 200', {
      body: {
        commissions: '610',
        reimbursements: '620',
        givenUp: '630',
        payable: '210',
        payableUsd: '211',
        bank: '110',
        transit: '111',
        outside: '100',
        advances: '120',
        clearing: '190',
        withheld: '230',
        taxRate: 'None',
        vendors: [],
      },
    }),
  ],
  payeeYears: [plain('401 403 403 403 200 200 200', { query: yearOf2026 })],
  payeeYear: [
    about('office', (id) => ({ params: { kind: 'office', id }, query: yearOf2026 }), {
      own: '401 403 403 403 200 200 200',
      foreign: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  taxDetails: [
    about('office', (id) => ({ params: { kind: 'office', id } }), {
      own: '401 403 403 403 200 200 200',
      foreign: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  proposeTaxRate: [
    about('office', (id) => ({ body: { kind: 'office', id, ...taxRateForm } }), {
      own: '401 403 403 403 422 422 422',
      foreign: '401 403 403 403 422 422 422',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  saveTaxDetails: [
    // Offices of the matrix have one tax number, as those of one taxpayer do.
    about(
      'office',
      (id) => ({ body: { kind: 'office', id, ...taxDetailsForm, sameTaxpayer: 1 } }),
      {
        own: '401 403 403 403 200 200 200',
        foreign: '401 403 403 403 200 200 200',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  taxQuarter: [plain('401 403 403 403 200 200 200', { query: { quarter: '2026-Q1' } })],
  exportTaxQuarter: [
    plain('401 403 403 403 200 200 200', { body: { quarter: '2026-Q1', format: 'csv' } }),
  ],
  alphalist: [plain('401 403 403 403 200 200 200', { query: { quarter: '2026-Q1' } })],
  // Nothing was withheld.
  exportAlphalist: [
    plain('401 403 403 403 409 409 409', { body: { quarter: '2026-Q1', district: '043' } }),
  ],
  taxCertificates: [
    about('office', (id) => ({ params: { kind: 'office', id } }), {
      own: '401 403 403 403 200 200 200',
      foreign: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  // Nothing was withheld.
  taxCertificate: [
    about('office', (id) => ({ params: { kind: 'office', id, quarter: '2026-Q1' } }), {
      own: '401 403 403 403 404 404 404',
      foreign: '401 403 403 403 404 404 404',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  payerDetails: [plain('401 403 403 403 200 200 200')],
  savePayerDetails: [plain('401 403 403 403 200 200 200', { body: taxDetailsForm })],
  createAdjustment: [
    about('office', (id) => ({ body: { kind: 'office', id, ...adjustmentForm } }), {
      own: '401 403 403 403 200 200 200',
      foreign: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  convertBalance: [
    about(
      'office',
      (id) => ({
        body: { kind: 'office', id, currency: 'USD', pesosE4: 57_0000, source: 'the bank' },
      }),
      {
        own: '401 403 403 403 409 409 409',
        foreign: '401 403 403 403 409 409 409',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  receiveMoney: [
    about(
      'office',
      (id) => ({
        body: {
          kind: 'office',
          id,
          currency: 'PHP',
          amount: 1,
          way: 'cash',
          paidOn: '2026-02-20',
          voucher: '118',
          reason: 'gives it back',
        },
      }),
      {
        own: '401 403 403 403 422 422 422',
        foreign: '401 403 403 403 422 422 422',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  payOutside: [
    about(
      'office',
      (id) => ({
        body: {
          kind: 'office',
          id,
          currency: 'PHP',
          amount: 1,
          way: 'cash',
          paidOn: '2026-02-20',
          voucher: '118',
          reason: 'no account yet',
        },
      }),
      {
        own: '401 403 403 403 422 422 422',
        foreign: '401 403 403 403 422 422 422',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  checkAdjustmentFile: [plain('401 403 403 403 200 200 200', { body: { file: adjustmentFile } })],
  enterAdjustmentFile: [
    // Nobody has this name.
    plain('401 403 403 403 422 422 422', { body: { file: adjustmentFile } }),
  ],
  takeBackAdjustment: [
    about('adjustment', (id) => ({ params: { id }, body: { reason: 'a mistake' } }), {
      own: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  // Nobody of them was deleted.
  giveUpBalance: [
    about('office', (id) => ({ params: { kind: 'office', id }, body: {} }), {
      own: '401 403 403 403 403 403 409',
      foreign: '401 403 403 403 403 403 409',
      missing: '401 403 403 403 403 403 404',
    }),
  ],
  setPayHold: [
    about(
      'office',
      (id) => ({ params: { kind: 'office', id }, body: { held: true, reason: 'under review' } }),
      {
        own: '401 403 403 403 200 200 200',
        foreign: '401 403 403 403 200 200 200',
        missing: '401 403 403 403 404 404 404',
      },
    ),
  ],
  setPayMinimum: [
    about('office', (id) => ({ params: { kind: 'office', id }, body: { amount: 500_00 } }), {
      own: '401 403 403 403 200 200 200',
      foreign: '401 403 403 403 200 200 200',
      missing: '401 403 403 403 404 404 404',
    }),
  ],
  profit: [plain('401 403 403 403 200 200 200')],
}
