import { commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { type ChangingEndpoint, type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import { OPTION_NAMES } from '@tallyroom/contract/catalogue/options'
import { secretFieldsOf } from '@tallyroom/contract/secrets'
import { TRACKER_IDS } from '@tallyroom/domain/tracker-ids'
import { roleNumber } from '@tallyroom/domain/roles'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import {
  buildAccount,
  buildAgent,
  buildDomain,
  buildLinkType,
  buildManual,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { buildPay, genericLayout } from '../../../test/payment-world.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { buildApp } from '../../app.ts'

/*
 * Changes every field of every form through the API, and looks for it in the history. Forms and fields come from the
 * contract, so a field that history does not know is found here.
 */

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { CAPTCHA: 'off' } })
const app = await buildApp(services)
afterAll(() => app.close())

const site = await buildSite(db, {
  event_words: JSON.stringify({ ftd: 'approval' }),
  status_words: JSON.stringify({ hold: 'pending' }),
  word_readings: JSON.stringify([
    { parameter: 'step', value: 'closed', event: 'sale', reading: 'nothing' },
  ]),
})
await buildSite(db)
const domain = await buildDomain(db)
await buildDomain(db)
const names = { man_first_name: 'Ramon', man_last_name: 'Villanueva', man_email: 'r@m.example' }
const office = await buildOffice(db, { ...names, username: 'manila' })
await buildOffice(db)
const own = await buildOffice(db, { ...names, man_email: 'c@m.example', username: 'cebu' })
const agent = await buildAgent(db, { office_id: office, first_name: 'Maria', last_name: 'Cruz' })
await buildAgent(db, { office_id: own, username: 'carlo' })
const adminRole = { role: roleNumber('admin'), show_suspend: true }
const admin = await buildAccount(db, { ...adminRole, email: 'a@m.example' })
await buildAccount(db, { ...adminRole, email: 'b@m.example', username: 'ann' })
await buildAccount(db, { username: 'Root' })
await buildPay(db)
const linkType = await buildLinkType(db, { site_id: site, bonus: true })
const manual = await buildManual(db, { site_id: site })
const token = await tokenOf(services, 'Root')
const as = async (username: string) => ({ token: await tokenOf(services, username) })

type Values = Record<string, unknown>

let monday = '2090-01-02'
const tiersUpTo = (to: number) => [
  { from: 0, to, payoutPhp: 100, payoutDollars: 5 },
  { from: to + 1, to: 1000, payoutPhp: 150, payoutDollars: 6 },
]
const otherTiers = [tiersUpTo(8)]
const created = async (endpoint: Endpoint, body: Values | readonly unknown[]) => {
  const answer = await send(app, endpoint, { body }, { token })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}
await created(endpoints.createAvpSchedule, {
  validFrom: monday,
  tiers: tiersUpTo(9),
})
const wide = { width: 30, align: 'left', fill: 'space' }
const layout = {
  ...genericLayout,
  columns: [
    { header: 'Day', field: 'date', words: { office: 'C', agent: 'I' }, ...wide },
    ...genericLayout.columns.map((column) => ({ ...column, ...wide })),
  ],
  channels: genericLayout.channels.map((one) => ({ ...one, upTo: 50_000_00 })),
  firstLine: [{ field: 'date', ...wide }],
  lastLine: [{ field: 'date', ...wide }],
  institutions: [{ bic: 'BOPIPHMM', name: 'BPI', code: '018' }],
  payer: { name: 'The Network', account: '0011', bic: 'BOPIPHMM', letters: 'sepa' },
  results: {
    reference: 'Ref',
    status: 'Status',
    paid: ['OK'],
    failed: ['NO'],
    amount: null,
    reason: null,
    bankReference: null,
  },
}
const template = (await created(endpoints.createPayFileTemplate, { name: 'Of our bank', layout }))
  .id
const { id: shortLink } = await created(endpoints.createShortLink, {
  typeId: linkType,
  agentId: agent,
})
const fees = { typeId: linkType, companyId: office, enable: true }
await created(endpoints.saveOfficeFee, fees)

/** Where a form is filled in. */
type Place = {
  params?: Record<string, string | number>
  /** The stored form. */
  present?: () => Promise<Values>
  /** Who fills it in. */
  by?: { token: string }
  /** Sent along with each change. */
  always?: Values
  /** Sent along with the change of a field. */
  along?: Record<string, Values>
  /** Values of forms' fields for the paths that take few. */
  takes?: Record<string, readonly unknown[]>
  /** Accepted, as the form's answer has them, but never changed. */
  ignored?: readonly string[]
}

const get =
  (endpoint: Endpoint, params = {}, by = { token }) =>
  async (): Promise<Values> =>
    (await send(app, endpoint, { params }, by)).json()
const oneOf =
  (endpoint: Endpoint, query: Record<string, string | number>, is: (one: Values) => boolean) =>
  async (): Promise<Values> => {
    const answer = (await send(app, endpoint, { query }, { token })).json()
    return answer.find(is)
  }

const [cebu, carlo, ann] = [await as('cebu'), await as('carlo'), await as('ann')]
const at = (id: number) => ({ params: { id } })

const paySettings: Values = {}
const journalAccounts: Values = {
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
}

const otherVendors = [[{ kind: 'office', id: office, name: 'Cebu Inc.' }]]

/** Every form. */
const forms: Partial<Record<EndpointName, Place>> = {
  updateSite: {
    ...at(site),
    present: get(endpoints.site, { id: site }),
    takes: { tracker: TRACKER_IDS, couponPattern: ['*10', 'TR-*'] },
    ignored: ['insteadSiteId', 'typeCount', 'officesAllowed', 'officesTotal'],
  },
  updateLinkType: {
    ...at(linkType),
    present: get(endpoints.linkType, { id: linkType }),
    along: { validFrom: { payout: 999 } },
  },
  saveOfficeFee: {
    always: fees,
    along: { validFrom: { payout: 999 } },
    present: oneOf(
      endpoints.officeFees,
      { siteId: site, typeId: linkType },
      ({ companyId }) => companyId === office,
    ),
    ignored: ['typeId', 'companyId'],
  },
  updateSiteManual: { ...at(manual), present: get(endpoints.siteManual, { id: manual }) },
  renameShortLink: {
    ...at(shortLink),
    present: async () => {
      const { items } = await created(endpoints.shortLinks, { agentId: agent })
      return items[0]
    },
  },
  updateAvpSchedule: {
    // The form moves the schedule.
    get params() {
      return { validFrom: monday }
    },
    present: async () => {
      const { schedules } = (await send(app, endpoints.avpSchedules, {}, { token })).json()
      monday = schedules[0].validFrom
      return schedules[0]
    },
    takes: { 'tiers.from': otherTiers, 'tiers.to': otherTiers },
    ignored: ['validTo', 'state', 'tiers.index'],
  },
  updateOffice: { ...at(office), present: get(endpoints.office, { id: office }) },
  updateAgent: {
    ...at(agent),
    present: get(endpoints.agent, { id: agent }),
    ignored: ['loginOpenUntil', 'sites.siteId'],
  },
  updateAdmin: { ...at(admin), present: get(endpoints.admin, { id: admin }) },
  updatePreferredDomain: {
    ...at(domain),
    present: get(endpoints.preferredDomain, { id: domain }),
  },
  updatePayFileTemplate: {
    ...at(template),
    present: oneOf(endpoints.payFileTemplates, {}, ({ id }) => id === template),
    ignored: ['id', 'usedBy'],
    takes: {
      'layout.payer.bic': [{ ...layout, payer: { ...layout.payer, bic: 'BNORPHMM' } }],
      'layout.institutions.bic': [
        { ...layout, institutions: [{ bic: 'BNORPHMM', name: 'BPI', code: '018' }] },
      ],
    },
  },
  saveJournalAccounts: {
    always: journalAccounts,
    present: get(endpoints.journalAccounts),
    takes: {
      'vendors.kind': otherVendors,
      'vendors.id': otherVendors,
      'vendors.name': otherVendors,
    },
  },
  savePaySettings: {
    always: paySettings,
    present: async () => {
      const { now, next, firstDay, waitingDays, bankTimeZone } = await get(endpoints.paySettings)()
      const { payees, periodLength, avp, minimumCentavos, minimumCents, holdingDays } = (next ??
        now) as Values
      const form = { payees, periodLength, avp, minimumCentavos, minimumCents, holdingDays }
      return Object.assign(paySettings, { ...form, firstDay, waitingDays, bankTimeZone })
    },
    takes: {
      firstDay: ['2026-01-16', '2026-01-12', '2026-01-15', '2026-02-01'],
      bankTimeZone: ['Asia/Manila'],
    },
  },
  saveAlarmSettings: { present: get(endpoints.alarmSettings) },
  saveContact: { present: get(endpoints.contact) },
  saveSignInRules: { present: get(endpoints.signInRules) },
  updateCompanyProfile: { by: cebu, present: get(endpoints.companyProfile, {}, cebu) },
  updateAgentProfile: { by: carlo, present: get(endpoints.agentProfile, {}, carlo) },
  updateAdminProfile: { by: ann, present: get(endpoints.adminProfile, {}, ann) },
  changePassword: { by: ann },
}

/** Calls that change something without being the form of a lasting object: what they did is in their sentences. */
const acts: Partial<Record<ChangingEndpoint, true>> = {
  resetPassword: true,
  confirmAddress: true,
  endAdminSessions: true,
  endAgentSessions: true,
  endOfficeSessions: true,
  inviteAgent: true,
  makeAgentInvitationLink: true,
  withdrawAgentInvitation: true,
  inviteOffice: true,
  makeOfficeInvitationLink: true,
  withdrawOfficeInvitation: true,
  inviteAdmin: true,
  makeAdminInvitationLink: true,
  withdrawAdminInvitation: true,
  acceptInvitation: true,
  sendAddressLink: true,
  sendAgentAddressLink: true,
  disownSignIn: true,
  requireProvider: true,
  closeMonth: true,
  quietAlarm: true,
  quietSite: true,
  undoBackdating: true,
  publishNews: true,
  publishAlert: true,
  setDemoVisitors: true,
  settleHeldPostbacks: true,
  decideSiteWord: true,
  askForDecision: true,
  decideHeldPostback: true,
  undoDecision: true,
  followUpHeldPostback: true,
  updateSavedView: true,
  chooseNotifications: true,
  moveSavedView: true,
  updatePartnerPostback: true,
  testPartnerPostback: true,
  updateWebhook: true,
  rotateWebhookSecret: true,
  testWebhook: true,
  sendWebhookAgain: true,
  tryQueueAgain: true,
  decideHeld: true,
  decideAccount: true,
  removePaymentRunLine: true,
  takePaymentFile: true,
  enterPaymentResults: true,
  readResultFile: true,
  returnPayment: true,
  enterRefusedFile: true,
  settleRefusals: true,
  giveUpBalance: true,
  savePayExchangeRate: true,
  setPayMinimum: true,
}

const PASSWORD = 'A-New-Passw0rd-0f-Theirs'
/** They only guard the saving of a form, or repeat the path or another field. */
const guards = new Set(['version', 'passwordConfirm', 'id'])

/** A field of a form, also one of an object or of the first item of a list within it. */
type Path = readonly [string, ...string[]]

const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as z.ZodType)
    : schema instanceof z.ZodPipe
      ? bare(schema.in as z.ZodType)
      : schema

const fieldsOf = (body: Endpoint['body']): [string, z.ZodType][] =>
  body instanceof z.ZodObject ? Object.entries<z.ZodType>(body.shape) : []

function pathsOf(name: string, schema: z.ZodType): Path[] {
  const inner = bare(schema)
  const held = inner instanceof z.ZodArray ? bare(inner.element as z.ZodType) : inner
  return held instanceof z.ZodObject
    ? Object.entries<z.ZodType>(held.shape).flatMap(([key, one]) =>
        pathsOf(key, one).map((path): Path => [name, ...path]),
      )
    : [[name]]
}

function schemaAt(schema: z.ZodType, [key, ...rest]: readonly string[]): z.ZodType {
  if (key === undefined) return schema
  const inner = bare(schema)
  const held = inner instanceof z.ZodArray ? bare(inner.element as z.ZodType) : inner
  return schemaAt((held as z.ZodObject).shape[key] as z.ZodType, rest)
}

const valueAt = (value: unknown, [key, ...rest]: readonly string[]): unknown =>
  key === undefined
    ? value
    : valueAt((Array.isArray(value) ? value[0] : (value as Values | null))?.[key], rest)

function withValue(
  value: unknown,
  [key, ...rest]: readonly string[],
  set: unknown,
  place = 0,
): unknown {
  if (key === undefined) return set
  if (Array.isArray(value))
    return value.map((one, index) =>
      index === place ? withValue(one, [key, ...rest], set, place) : one,
    )
  return { ...(value as Values), [key]: withValue((value as Values)[key], rest, set, place) }
}

/** Other values that the schema might accept. */
function othersOf(schema: z.ZodType, present: unknown): unknown[] {
  const inner = bare(schema)
  if (inner instanceof z.ZodUnion)
    return (inner.options as z.ZodType[]).flatMap((one) => othersOf(one, present))
  if (inner instanceof z.ZodBoolean) return [present !== true, present === true]
  if (inner instanceof z.ZodEnum || inner instanceof z.ZodLiteral)
    return [...(inner instanceof z.ZodEnum ? inner.options : inner.values)].filter(
      (one) => one !== present,
    )
  if (inner instanceof z.ZodNumber) return [Number(present ?? 0) + 1, Number(present) - 1, 1, 2, 3]
  if (inner instanceof z.ZodArray) {
    const list = Array.isArray(present) ? present : []
    return [list.slice(0, -1), ...othersOf(inner.element as z.ZodType, list[0]).map((one) => [one])]
  }
  return [
    `${typeof present === 'string' ? present : ''}x`,
    'Changed',
    'kissmetrics',
    'other@m.example',
    'https://other.example',
    '<p>Other.</p>',
    '2090-02-06',
    '2026-01-01T00:00:00.000Z',
  ]
}

type Entry = { responseCode: number; changes: { fields: { field: string; from?: string }[] }[] }

async function lastEntry(): Promise<Entry> {
  const body = { changesOnly: true, pageSize: 1 }
  const answer = await send(app, commonLogsEndpoints.searchCommonLogs, { body }, { token })
  return answer.json().items[0]
}

const isForm = (name: string) => name in forms
const updates = Object.entries<Endpoint>(endpoints).filter(
  ([name, { action, body }]) =>
    action === 'UPDATE' && body instanceof z.ZodObject && !(name in acts),
)

test('every form is tried', () => {
  expect(updates.map(([name]) => name).toSorted()).toEqual(Object.keys(forms).toSorted())
})

test('what a new object is given, its form can tell', () => {
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const update = name.replace(/^create/, 'update') as EndpointName
    if (endpoint.action !== 'CREATE' || update === name || !isForm(update)) continue
    const known = fieldsOf(endpoints[update].body).map(([field]) => field)
    expect([name, known]).toEqual([
      name,
      expect.arrayContaining(
        fieldsOf(endpoint.body)
          .map(([field]) => field)
          // How the first password is chosen.
          .filter((field) => field !== 'invite'),
      ),
    ])
  }
})

const cases = updates.flatMap(([name, endpoint]) =>
  fieldsOf(endpoint.body).flatMap(([field, schema]) =>
    pathsOf(field, schema).map((path) => ({ name, endpoint, schema, path, title: path.join('.') })),
  ),
)

test.each(cases)('$name: $title', async ({ name, endpoint, schema, path }) => {
  const { present, by, always, along, takes, ignored } = forms[name as EndpointName] ?? {}
  const [field, ...inside] = path
  if (guards.has(field) || ignored?.includes(path.join('.'))) return
  const save = (body: Values) =>
    send(
      app,
      endpoint,
      { params: forms[name as EndpointName]?.params ?? {}, body },
      by ?? { token },
    )
  const isSecret = endpoint.body !== undefined && secretFieldsOf(endpoint.body).has(field)
  const stored = (await present?.()) ?? {}
  const tries = isSecret
    ? [{ password: PASSWORD, passwordConfirm: PASSWORD }]
    : (
        takes?.[path.join('.')] ??
        othersOf(schemaAt(schema, inside), valueAt(stored[field], inside)).flatMap((value) =>
          // The first item of a list may be bound by the next one.
          (Array.isArray(stored[field]) && inside.length > 0 ? [0, 1] : [0]).map((place) =>
            withValue(stored[field], inside, value, place),
          ),
        )
      )
        .map((value) => ({ [field]: value }))
        .filter((values) => !isDeepStrictEqual(values[field], stored[field]))
  const refusals: string[] = []
  const silent: Values[] = []
  let isFixed = false
  for (const values of tries) {
    const body = { ...always, ...along?.[field], ...values }
    const answer = await save(body)
    if (answer.statusCode !== 200) {
      refusals.push(answer.body)
      isFixed ||= /can’t be changed|can only be|can’t change a/.test(answer.body)
      continue
    }
    const fields = (await lastEntry()).changes.flatMap((change) => change.fields)
    if (isSecret) {
      expect(fields).toEqual([{ field: 'password' }])
      return
    }
    if (field in stored) await save({ ...always, [field]: stored[field] })
    if (fields.length > 0) return
    silent.push(values)
  }
  expect(silent).toEqual([])
  if (!isFixed) throw new Error(`no other value was accepted: ${refusals.join('; ')}`)
})

test.each(OPTION_NAMES)('saveOptions: %s', async (option) => {
  const answer = await send(app, endpoints.options, {}, { token })
  const { value } = answer.json().find(({ name }: { name: string }) => name === option)
  await created(endpoints.saveOptions, [{ name: option, value: 1 - value }])
  expect((await lastEntry()).changes).toMatchObject([
    { fields: [{ from: value ? 'on' : 'off', to: value ? 'off' : 'on' }] },
  ])
})

const changing = new Set<Endpoint['action']>(['CREATE', 'UPDATE', 'STATUS', 'DELETE'])
const changingCalls = Object.entries<Endpoint>(endpoints).filter(
  ([, { action, ability, path, body }]) =>
    changing.has(action) && ability !== 'public' && (path.includes(':') || body !== undefined),
)

const refusals = new Set([401, 403, 404, 409, 415, 422])

test.each(changingCalls)('%s about what is no id is refused', async (_, endpoint) => {
  for (const id of ['2026-02-30', '1e3', '99999999999', '1.x', '-1']) {
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, id]),
    )
    const { statusCode } = await send(
      app,
      endpoint,
      {
        params,
        body: endpoint.body ? { ids: [id], typeId: id, companyId: id } : undefined,
      } as never,
      { token },
    )
    expect({ id, isRefused: refusals.has(statusCode) }).toEqual({ id, isRefused: true })
  }
})
