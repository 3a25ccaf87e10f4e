import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { alarmsEndpoints } from '@tallyroom/contract/desk/alarms'
import { announcementsEndpoints } from '@tallyroom/contract/desk/announcements'
import { avpSchedulesEndpoints } from '@tallyroom/contract/catalogue/avp-schedules'
import { contactEndpoints } from '@tallyroom/contract/people/contact'
import { signInRulesEndpoints } from '@tallyroom/contract/people/sign-in-rules'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { endpoints } from '@tallyroom/contract/endpoints'
import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { officeFeesEndpoints } from '@tallyroom/contract/catalogue/office-fees'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { optionsEndpoints } from '@tallyroom/contract/catalogue/options'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { partnerPostbacksEndpoints } from '@tallyroom/contract/desk/partner-postbacks'
import { webhooksEndpoints } from '@tallyroom/contract/desk/webhooks'
import { savedViewsEndpoints } from '@tallyroom/contract/desk/saved-views'
import { siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { roleNumber } from '@tallyroom/domain/roles'
import { expect, test } from 'vitest'
import type { Viewer } from '../src/access/viewer.ts'
import { adminsRoutes } from '../src/people/admins/admins.routes.ts'
import { agentsRoutes } from '../src/people/agents/agents.routes.ts'
import { alarmsRoutes } from '../src/desk/alarms/alarms.routes.ts'
import { announcementsRoutes } from '../src/desk/announcements/announcements.routes.ts'
import { avpScheduleRoutes } from '../src/catalogue/avp-schedules/avp-schedules.routes.ts'
import { contactRoutes } from '../src/people/contact/contact.routes.ts'
import { linkTypesRoutes } from '../src/catalogue/link-types/link-types.routes.ts'
import { officeFeesRoutes } from '../src/catalogue/rates/office-fees.routes.ts'
import { officesRoutes } from '../src/people/offices/offices.routes.ts'
import { optionsRoutes } from '../src/catalogue/options/options.routes.ts'
import { paymentRunsRoutes } from '../src/pay/paying/payment-runs.routes.ts'
import { preferredDomainsRoutes } from '../src/people/domains/preferred-domains.routes.ts'
import { profileRoutes } from '../src/people/profile/profile.routes.ts'
import { partnerPostbacksRoutes } from '../src/desk/partner-postbacks/partner-postbacks.routes.ts'
import { outgoingOf } from '../src/lib/net/safe-fetch.ts'
import { webhooksRoutes } from '../src/desk/partner-postbacks/webhooks.routes.ts'
import { savedViewsRoutes } from '../src/desk/saved-views/saved-views.routes.ts'
import { signInRulesRoutes } from '../src/people/sign-in-settings/sign-in-rules.routes.ts'
import { siteManualsRoutes } from '../src/catalogue/manuals/site-manuals.routes.ts'
import { sitesRoutes } from '../src/catalogue/sites/sites.routes.ts'
import {
  buildAccount,
  buildAgent,
  buildDomain,
  buildLinkType,
  buildManual,
  buildOffice,
  buildSite,
} from './build-world.ts'
import { callRoutes, viewer } from './call-routes.ts'
import { testDatabase } from './database.ts'
import { testServices } from './services.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const asking = { ...services, outgoing: outgoingOf(services.config.webhookAllow) }
const call = await callRoutes(
  [
    adminsRoutes,
    agentsRoutes,
    alarmsRoutes,
    announcementsRoutes,
    avpScheduleRoutes,
    contactRoutes,
    linkTypesRoutes,
    officeFeesRoutes,
    officesRoutes,
    optionsRoutes,
    paymentRunsRoutes,
    preferredDomainsRoutes,
    profileRoutes,
    signInRulesRoutes,
    savedViewsRoutes,
    siteManualsRoutes,
    sitesRoutes,
  ]
    .flatMap((routesOf) => routesOf(services))
    .concat(partnerPostbacksRoutes(asking), webhooksRoutes(asking)),
)

const site = await buildSite(db, {
  note: 'Call Nora.',
  click_param: 'aff',
  event_words: JSON.stringify({ ftd: 'approval' }),
  status_words: JSON.stringify({ hold: 'pending' }),
  word_readings: JSON.stringify([
    { parameter: 'step', value: 'closed', event: 'sale', reading: 'nothing' },
  ]),
})
const otherSite = await buildSite(db)
const domain = await buildDomain(db, { description: 'The main one' })
const office = await buildOffice(db, {
  man_first_name: 'Ramon',
  man_last_name: 'Villanueva',
  man_email: 'ramon@example.com',
  agent_notes: 'Smile.',
  preferred_domain_id: domain,
})
const agent = await buildAgent(db, {
  office_id: office,
  first_name: 'Maria',
  last_name: 'Santos',
  must_read: 'Smile.',
})
await db.insertInto('agent_sites_off').values({ agent_id: agent, site_id: otherSite }).execute()
// Imported without fields that the forms now require.
const oldOffice = await buildOffice(db)
const oldAgent = await buildAgent(db, { office_id: oldOffice })
const admin = await buildAccount(db, {
  role: roleNumber('admin'),
  email: 'anna@example.com',
  approve_agents: true,
  show_suspend: true,
})
const oldAdmin = await buildAccount(db, { role: roleNumber('admin') })
const boss = await buildAccount(db)
const linkType = await buildLinkType(db, { site_id: site, bonus: true })
const manual = await buildManual(db, { site_id: site })

const superadmin: Viewer = { ...viewer(), accountId: boss }
const staff = { officeId: undefined, agentId: undefined }
const asAdmin = (accountId: number): Viewer => ({
  ...viewer({ role: 'admin', ...staff }),
  accountId,
})
const manager: Viewer = {
  ...viewer({ role: 'company', officeId: office, agentId: undefined }),
  accountId: await accountOf('office_id', office),
}
const seller: Viewer = {
  ...viewer({ role: 'agent', officeId: office, agentId: agent }),
  accountId: await accountOf('agent_id', agent),
}

const monday = '2090-01-02'
await call(superadmin, avpSchedulesEndpoints.createAvpSchedule, {
  body: {
    validFrom: monday,
    tiers: [
      { from: 0, to: 9, payoutPhp: 100, payoutDollars: 5 },
      { from: 10, to: 1000, payoutPhp: 150, payoutDollars: 6 },
    ],
  },
})
await call(superadmin, announcementsEndpoints.publishNews, { body: { html: '<p>News</p>' } })
await call(superadmin, announcementsEndpoints.publishAlert, {
  body: { enable: true, html: '<p>Alert</p>' },
})

await call(superadmin, savedViewsEndpoints.createSavedView, {
  body: { name: 'Payday', url: '/app/stats/sites?days=week-1' },
})
await call(manager, partnerPostbacksEndpoints.createPartnerPostback, {
  body: { url: 'https://t.example/?cid={sub1}', events: ['sale.recorded'] },
})
await call(superadmin, webhooksEndpoints.createWebhook, {
  body: { url: 'https://books.example/hook', kinds: ['sale.recorded'] },
})
const feeQuery = { siteId: String(site), typeId: String(linkType) }
await call(superadmin, officeFeesEndpoints.saveOfficeFee, {
  body: { typeId: linkType, companyId: office, enable: true, payout: 12.5 },
})

type Form = {
  who: Viewer
  read: Endpoint
  save: Endpoint
  params?: Record<string, string | number>
  query?: Record<string, string>
  /** Finds the form in an answer that contains several. */
  within?: (answer: never) => unknown
  /** Fields that identify the row and cannot be omitted. */
  keys?: readonly string[]
}

const { adminProfile, updateAdminProfile, companyProfile, updateCompanyProfile } = profileEndpoints
const { admin: readAdmin, updateAdmin } = adminsEndpoints
const { agent: readAgent, updateAgent } = agentsEndpoints
const { office: readOffice, updateOffice } = officesEndpoints
const feeKeys = ['typeId', 'companyId', 'enable']
const forms: [string, Form][] = Object.entries({
  office: { who: superadmin, read: readOffice, save: updateOffice, params: { id: office } },
  'office for an admin': {
    who: asAdmin(admin),
    read: readOffice,
    save: updateOffice,
    params: { id: office },
  },
  'old office': {
    who: superadmin,
    read: readOffice,
    save: updateOffice,
    params: { id: oldOffice },
  },
  agent: { who: superadmin, read: readAgent, save: updateAgent, params: { id: agent } },
  'agent for its office': {
    who: manager,
    read: readAgent,
    save: updateAgent,
    params: { id: agent },
  },
  'old agent': { who: superadmin, read: readAgent, save: updateAgent, params: { id: oldAgent } },
  admin: { who: superadmin, read: readAdmin, save: updateAdmin, params: { id: admin } },
  'old admin': { who: superadmin, read: readAdmin, save: updateAdmin, params: { id: oldAdmin } },
  site: {
    who: superadmin,
    read: sitesEndpoints.site,
    save: sitesEndpoints.updateSite,
    params: { id: site },
  },
  'link type': {
    who: superadmin,
    read: linkTypesEndpoints.linkType,
    save: linkTypesEndpoints.updateLinkType,
    params: { id: linkType },
  },
  domain: {
    who: superadmin,
    read: preferredDomainsEndpoints.preferredDomain,
    save: preferredDomainsEndpoints.updatePreferredDomain,
    params: { id: domain },
  },
  manual: {
    who: superadmin,
    read: siteManualsEndpoints.siteManual,
    save: siteManualsEndpoints.updateSiteManual,
    params: { id: manual },
  },
  'profile of a superadmin': { who: superadmin, read: adminProfile, save: updateAdminProfile },
  'profile of an admin': { who: asAdmin(admin), read: adminProfile, save: updateAdminProfile },
  'profile of an admin without email': {
    who: asAdmin(oldAdmin),
    read: adminProfile,
    save: updateAdminProfile,
  },
  'profile of an agent': {
    who: seller,
    read: profileEndpoints.agentProfile,
    save: profileEndpoints.updateAgentProfile,
  },
  'profile of an office': { who: manager, read: companyProfile, save: updateCompanyProfile },
  'saved view': {
    who: superadmin,
    read: savedViewsEndpoints.savedViews,
    save: savedViewsEndpoints.updateSavedView,
    params: { id: 1 },
    within: ({ views }: { views: unknown[] }) => views[0],
  },
  'postback to a partner': {
    who: manager,
    read: partnerPostbacksEndpoints.partnerPostbacks,
    save: partnerPostbacksEndpoints.updatePartnerPostback,
    params: { id: 1 },
    within: ({ postbacks }: { postbacks: unknown[] }) => postbacks[0],
  },
  webhook: {
    who: superadmin,
    read: webhooksEndpoints.webhooks,
    save: webhooksEndpoints.updateWebhook,
    params: { id: 2 },
    within: ({ webhooks }: { webhooks: unknown[] }) => webhooks[0],
  },
  'future schedule': {
    who: superadmin,
    read: avpSchedulesEndpoints.avpSchedules,
    save: avpSchedulesEndpoints.updateAvpSchedule,
    params: { validFrom: monday },
    within: ({ schedules }: { schedules: unknown[] }) => schedules[0],
  },
  'own rates of an office': {
    who: superadmin,
    read: officeFeesEndpoints.officeFees,
    save: officeFeesEndpoints.saveOfficeFee,
    query: feeQuery,
    within: (fees: { companyId: number }[]) => fees.find(({ companyId }) => companyId === office),
    keys: feeKeys,
  },
  'rates of an office without its own': {
    who: superadmin,
    read: officeFeesEndpoints.officeFees,
    save: officeFeesEndpoints.saveOfficeFee,
    query: feeQuery,
    within: (fees: { companyId: number }[]) =>
      fees.find(({ companyId }) => companyId === oldOffice),
    keys: feeKeys,
  },
  'file for a bank': {
    who: superadmin,
    read: payFilesEndpoints.payFileTemplates,
    save: payFilesEndpoints.updatePayFileTemplate,
    params: { id: 1 },
    within: (templates: { id: number }[]) => templates.find(({ id }) => id === 1),
  },
  'thresholds of alarms': {
    who: superadmin,
    read: alarmsEndpoints.alarmSettings,
    save: alarmsEndpoints.saveAlarmSettings,
  },
  contact: {
    who: superadmin,
    read: contactEndpoints.contact,
    save: contactEndpoints.saveContact,
  },
  'who needs a second factor': {
    who: superadmin,
    read: signInRulesEndpoints.signInRules,
    save: signInRulesEndpoints.saveSignInRules,
  },
  alert: {
    who: superadmin,
    read: announcementsEndpoints.lastAlert,
    save: announcementsEndpoints.publishAlert,
  },
  news: {
    who: superadmin,
    read: announcementsEndpoints.lastNews,
    save: announcementsEndpoints.publishNews,
  },
} satisfies Record<string, Form>)

test('every call that updates is in one of the forms, or has none to send back', () => {
  const tried = new Set(forms.map(([, { save }]) => save))
  const updates = Object.entries<Endpoint>(endpoints).filter(
    ([, endpoint]) => endpoint.action === 'UPDATE' && !tried.has(endpoint),
  )
  expect(updates.map(([name]) => name).toSorted()).toEqual(
    [
      // Sets only a new password.
      'changePassword',
      'resetPassword',
      // Actions without fields.
      'confirmAddress',
      'acceptInvitation',
      'inviteAgent',
      'inviteOffice',
      'makeAgentInvitationLink',
      'makeOfficeInvitationLink',
      'withdrawAgentInvitation',
      'withdrawOfficeInvitation',
      'inviteAdmin',
      'makeAdminInvitationLink',
      'withdrawAdminInvitation',
      'sendAddressLink',
      'sendAgentAddressLink',
      'deliverPostback',
      'askForDecision',
      'decideHeldPostback',
      'undoDecision',
      'followUpHeldPostback',
      'enableSiteForAllOffices',
      'endOtherSessions',
      'endSession',
      'endAdminSessions',
      'endAgentSessions',
      'endOfficeSessions',
      'disownSignIn',
      'moveSavedView',
      'rotatePostbackKey',
      'rotateWebhookSecret',
      'sendAgain',
      'tryQueueAgain',
      'verifyNow',
      'decideHeld',
      'testPartnerPostback',
      'testWebhook',
      'sendWebhookAgain',
      'setDemoVisitors',
      'settleHeldPostbacks',
      'decideSiteWord',
      'decideAccount',
      'giveUpBalance',
      'enterPaymentResults',
      'readResultFile',
      'returnPayment',
      'enterRefusedFile',
      'settleRefusals',
      'removePaymentRunLine',
      'takePaymentFile',
      'undoBackdating',
      'withdrawRate',
      // Single values, requested again for each change.
      'closeMonth',
      'savePayExchangeRate',
      'setPayMinimum',
      'renameShortLink',
      'chooseNotifications',
      'quietAlarm',
      'quietSite',
      // Switches pay on. Reads return the settings of now and of later.
      'savePaySettings',
      // Always all of its names.
      'saveJournalAccounts',
      // A list, which is tested below.
      'saveOptions',
    ].toSorted(),
  )
})

test.each(forms)('sending the form of %s back unchanged changes nothing', async (_, form) => {
  const before = await read(form)
  expect((await save(form, before))[0]).toBe(200)
  expect(unversioned(await read(form))).toEqual(unversioned(before))
})

test.each(forms)('fields omitted from the form of %s stay unchanged', async (name, form) => {
  const before = unversioned(await read(form))
  for (const left of Object.keys(before)) {
    // The form's only field.
    if (name === 'news' && left === 'html') continue
    if (form.keys?.includes(left)) continue
    const { [left]: _left, ...rest } = before
    expect([left, (await save(form, rest))[0]]).toEqual([left, 200])
    expect([left, unversioned(await read(form))]).toEqual([left, before])
  }
})

test('the options may be sent back unchanged', async () => {
  const options = (await call(superadmin, optionsEndpoints.options)).body
  expect((await call(superadmin, optionsEndpoints.saveOptions, { body: options })).status).toBe(200)
  expect((await call(superadmin, optionsEndpoints.options)).body).toEqual(options)
})

test.each([
  ['agent', { username: 'another' }],
  ['agent', { id: 999 }],
  ['agent', { approved: false }],
  ['agent', { officeName: 'Another' }],
  ['office', { companyId: 999 }],
  ['office', { id: 999 }],
  ['admin', { username: 'another' }],
  ['admin', { active: false }],
  ['admin', { loginBlocked: true }],
  ['site', { id: 999 }],
  ['link type', { siteId: 999 }],
  ['manual', { siteId: 999 }],
  ['own rates of an office', { officeName: 'Another' }],
  ['own rates of an office', { own: null }],
  ['profile of an admin', { username: 'another' }],
  ['profile of an office', { activated: false }],
  ['old office', { manFirstName: 'Ana', manLastName: '' }],
])('of the form of %s, %o is refused and nothing is changed', async (name, change) => {
  const form = forms.find(([known]) => known === name)?.[1]
  if (!form) throw new Error(`no form ${name}`)
  const before = await read(form)
  if (name === 'old office') {
    // A field imported as empty may stay empty, but one that an office has filled in since may not
    // be emptied.
    await save(form, { manFirstName: 'Ana', manLastName: 'Cruz' })
    expect(await save(form, change)).toMatchObject([
      422,
      { data: { manLastName: ['Enter the manager’s last name'] } },
    ])
    return
  }
  const [field = ''] = Object.keys(change)
  expect(await save(form, { ...before, ...change })).toMatchObject([
    422,
    { data: { [field]: ['can’t be changed here'] } },
  ])
  expect(await read(form)).toEqual(before)
})

/** Values that a schema may take and a rule may not. */
const suspects = ['', 'another', 999, 1, true, false, null, [999]]

/** Fields of a form with a value that its schema takes and its rules refuse. */
async function ruleMistakes(form: Form, present: object): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  // Whoever hides an account may not see it any more.
  const tried = Object.entries(present).filter(([field]) => !/^(active|hidden)$/.test(field))
  for (const [field, value] of tried) {
    for (const suspect of suspects) {
      if (suspect === value) continue
      const sent = { ...present, [field]: suspect }
      if (!form.save.body?.safeParse(sent).success) continue
      const [status, { data }] = await refusalOf(form, sent)
      // What was taken is put back.
      if (status === 200) await save(form, present)
      if (!data?.[field]) continue
      found[field] = suspect
      break
    }
  }
  return found
}

const refusalOf = async (form: Form, sent: object) =>
  (await save(form, sent)) as [number, { data?: Record<string, string[]> }]

test.each(forms)('every mistake of the form of %s is named in one answer', async (name, form) => {
  const { version: _, ...present } = await read(form)
  const ofRules = await ruleMistakes(form, present)
  if (/^(office|agent|admin|profile|site|manual|link type)/.test(name))
    expect(Object.keys(ofRules)).not.toEqual([])
  const before = await read(form)
  const isTaken = (sent: object) => form.save.body?.safeParse(sent).success
  for (const field of Object.keys(present)) {
    const { [field]: _left, ...rest } = present
    // Without a field that it must have, the rest can't be judged.
    if (field in ofRules || isTaken({ ...present, [field]: { a: 1 } }) || !isTaken(rest)) continue
    const wrong = { ...ofRules, [field]: { a: 1 } }
    const [status, { data = {} }] = await refusalOf(form, { ...present, ...wrong })
    const named = new Set(Object.keys(data).map((one) => one.split('.')[0]))
    expect([status, Object.keys(wrong).filter((one) => !named.has(one))]).toEqual([422, []])
  }
  expect(await read(form)).toEqual(before)
})

test('mistakes that only the database, only the rules and only the schema know are named together', async () => {
  await buildOffice(db, { name: 'Taken' })
  const ofOffice = await call(asAdmin(admin), updateOffice, {
    params: { id: office },
    body: {
      officeName: 'Taken',
      manFirstName: '',
      manLastName: '',
      manEmail: 'x',
      username: 'renamed',
      preferredDomainId: 999,
      siteIds: [999],
      nick: 1,
    },
  })
  expect(ofOffice).toMatchObject({ status: 422, body: { message: 'Please check your input.' } })
  expect(ofOffice.body.data).toEqual({
    _form: ['Unknown field: "nick".'],
    officeName: ['is already taken'],
    manFirstName: ['Enter the manager’s first name'],
    manLastName: ['Enter the manager’s last name'],
    manEmail: ['must be an email address'],
    username: ['can only be changed by a superadmin'],
    preferredDomainId: ['is not an active domain'],
    siteIds: ['contains a site that no longer exists'],
  })
  const own = await call(manager, updateCompanyProfile, {
    body: { officeName: '', manFirstName: '', manLastName: '', manEmail: 'x' },
  })
  expect(own.body.data).toEqual({
    officeName: ['Enter an office name'],
    manFirstName: ['Enter the manager’s first name'],
    manLastName: ['Enter the manager’s last name'],
    manEmail: ['must be an email address'],
  })
  const ofAgent = await call(superadmin, updateAgent, {
    params: { id: agent },
    body: { firstName: '', officeId: 999, approved: false, mustRead: 1, password: 'password' },
  })
  expect(Object.keys(ofAgent.body.data).toSorted()).toEqual(
    ['approved', 'firstName', 'mustRead', 'officeId', 'password'].toSorted(),
  )
})

test('of a new object, too, the rules are told with what the schema knows', async () => {
  const made = await call(superadmin, agentsEndpoints.createAgent, {
    body: {
      firstName: '',
      lastName: 'Santos',
      username: 'much too long',
      password: 'password',
      passwordConfirm: 'passwort',
      officeId: 999,
    },
  })
  expect(Object.keys(made.body.data).toSorted()).toEqual(
    ['firstName', 'officeId', 'password', 'passwordConfirm', 'username'].toSorted(),
  )
  const before = await db.selectFrom('offices').select('id').execute()
  const ofOffice = await call(superadmin, officesEndpoints.createOffice, {
    body: { officeName: 'Taken', username: 'taken', preferredDomainId: 999, manEmail: 'x' },
  })
  expect(Object.keys(ofOffice.body.data).toSorted()).toEqual(
    [
      'manEmail',
      'manFirstName',
      'manLastName',
      'officeName',
      'password',
      'preferredDomainId',
    ].toSorted(),
  )
  expect(await db.selectFrom('offices').select('id').execute()).toEqual(before)
})

test('what is refused for other mistakes is not saved, and tells nobody', async () => {
  const rows = () =>
    Promise.all([
      db.selectFrom('accounts').selectAll().execute(),
      db.selectFrom('mails').selectAll().execute(),
    ])
  const before = await rows()
  await call(superadmin, updateAgent, {
    params: { id: agent },
    body: { mustRead: 1, password: 'a fine one, 4 sure', loginBlocked: true },
  })
  expect(await rows()).toEqual(before)
})

test('a form that cannot be parsed is refused as a whole, also beside other mistakes', async () => {
  const unparsable = { length: { toString: 1 } }
  for (const body of [{ manEmail: unparsable }, { officeName: '', manEmail: unparsable }]) {
    const { status, body: answer } = await call(manager, updateCompanyProfile, { body })
    expect({ status, answer }).toMatchObject({
      status: 400,
      answer: { data: { _form: ['The request could not be parsed.'] } },
    })
  }
})

test('all missing fields are requested at once, in our own words', async () => {
  const refused = async (endpoint: Endpoint) =>
    (await call(superadmin, endpoint, { body: {} })).body.data
  expect(await refused(agentsEndpoints.createAgent)).toEqual({
    officeId: ['Choose an office'],
    firstName: ['Enter a first name'],
    lastName: ['Enter a last name'],
    username: ['Enter a username'],
    password: ['Enter a password'],
  })
  expect(await refused(officesEndpoints.createOffice)).toEqual({
    officeName: ['Enter an office name'],
    manFirstName: ['Enter the manager’s first name'],
    manLastName: ['Enter the manager’s last name'],
    username: ['Enter a username'],
    password: ['Enter a password'],
  })
  const unknown = await call(superadmin, updateOffice, {
    params: { id: office },
    body: { nick: 1 },
  })
  expect(unknown.body.data).toEqual({ _form: ['Unknown field: "nick".'] })
})

/** Every message of a call about a wrong value of a single field, as `field: message`. */
function messagesAbout(values: readonly unknown[]): string[] {
  const messages = Object.values<Endpoint>(endpoints).flatMap(({ body }) => {
    if (!body) return []
    const fields = Object.keys((body as { shape?: object }).shape ?? {})
    const bodies = fields.flatMap((field) => values.map((value) => ({ [field]: value })))
    return [{}, ...bodies].flatMap((sent) =>
      (body.safeParse(sent).error?.issues ?? []).map(
        ({ path, message }) => `${path.join('.')}: ${message}`,
      ),
    )
  })
  return [...new Set(messages)].toSorted()
}

test('every field that people type or choose has a sentence that asks for it', () => {
  const unworded = messagesAbout(['']).filter((message) => message.endsWith('is required'))
  expect(unworded.map((message) => message.split(':')[0])).toEqual([
    'act',
    'choice',
    'column',
    'columns',
    'confirm',
    'criteria',
    'decision',
    'effect',
    'empty',
    'enable',
    'event',
    'format',
    'held',
    'hidden',
    'id',
    'ids',
    'ips',
    'kind',
    'layout',
    'lineId',
    'lineIds',
    'made',
    'on',
    'parameter',
    'passkey',
    'period1',
    'period2',
    'queue',
    'rates',
    'refusedOn',
    'report',
    'requestId',
    'returnedOn',
    'since',
    'state',
    'status',
    'step',
    'take',
    'text',
    'to',
    'token',
    'topic',
    'value',
    'vendors',
    'version',
    'what',
  ])
})

test('no message of a form is the validator’s own', () => {
  const wrong = ['', null, -1, 1.5, 1e300, {}, [], [{}], '9'.repeat(70_000), true]
  expect(
    messagesAbout(wrong).filter((message) => /: (Invalid|Too|Unrec|Expected)/.test(message)),
  ).toEqual([])
})

const read = async ({ who, read: endpoint, params = {}, query = {}, within }: Form) => {
  const { status, body } = await call(who, endpoint, { params, query })
  expect(status).toBe(200)
  return (within ? within(body as never) : body) as Record<string, unknown>
}

const save = async ({ who, save: endpoint, params = {} }: Form, body: object) => {
  const answer = await call(who, endpoint, { params, body })
  return [answer.status, answer.body] as const
}

const unversioned = ({ version: _version, ...form }: Record<string, unknown>) => form

async function accountOf(column: 'office_id' | 'agent_id', id: number): Promise<number> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where(column, '=', id)
    .executeTakeFirstOrThrow()
  return account.id
}
