import type { Endpoint } from '@tallyroom/contract/endpoint'
import { decidingFields } from '@tallyroom/contract/effects'
import { linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { endpoints } from '@tallyroom/contract/endpoints'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { TOKEN_GROUPS } from '@tallyroom/contract/token-groups'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Viewer } from '../src/access/viewer.ts'
import { buildApp } from '../src/app.ts'
import { linkTypesRoutes, sitesRoutes } from '../src/catalogue/index.ts'
import { openDatabase } from '../src/db/database.ts'
import { previewPeriod } from '../src/pay/closing/periods.ts'
import { verifyInside } from '../src/pay/verify/verify-pay.ts'
import { agentsRoutes } from '../src/people/agents/agents.routes.ts'
import { tokenOfCaller } from './access-matrix-world.ts'
import { buildAgent, buildLinkType, buildOffice, buildSite } from './build-world.ts'
import { callRoutes, viewer } from './call-routes.ts'
import { emptyTables, testDatabase } from './database.ts'
import { buildPayWorld, PAY_TABLES } from './pay-world.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'
import { about } from './test-clock.ts'
import { sealWorld, undone, verifyWorld } from './verify-world.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { TOKEN_CALLS_A_MINUTE: '999999' } })
const owner = openDatabase(database.connection, {
  max: 1,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
afterAll(() => owner.close())
const call = await callRoutes([
  ...sitesRoutes(services),
  ...linkTypesRoutes(services),
  ...agentsRoutes(services),
])

const superadmin = viewer()
const { isProved: _proved, ...stale } = superadmin
const byToken: Viewer = {
  ...stale,
  sessionId: '',
  token: { id: 1, name: 'a program', may: TOKEN_GROUPS },
}
const signedInAs: Viewer = { ...superadmin, signedInBy: 7 }

let [siteId, typeId, agentId, otherOffice] = [0, 0, 0, 0]
beforeEach(async () => {
  siteId = await buildSite(db)
  typeId = await buildLinkType(db, { site_id: siteId })
  agentId = await buildAgent(db, {
    office_id: await buildOffice(db),
    fraud_flagged_at: services.clock.peek(),
  })
  otherOffice = await buildOffice(db)
})

/** By deciding field: a value that it does not have in a new row. */
const others = {
  site: {
    useApproveSale: true,
    avp: true,
    clickParam: 'sub1',
    transactionIdIsClick: true,
    alwaysOkText: 'OK',
    eventWords: [{ word: 'refund', event: 'sale' }],
    statusWords: [{ word: 'declined', standing: 'counts' }],
    wordReadings: [{ parameter: 'step', value: 'closed', event: 'sale', reading: 'nothing' }],
    tracker: 'everflow',
    severalProducts: true,
    countsForDays: 3650,
    partRule: 'in-proportion',
    deepHosts: ['thief.example'],
    insteadTypeId: 'one that exists',
    couponWins: true,
    couponPattern: '*10',
  },
  linkType: { bonus: true, typealias: 'other', url: 'https://thief.example/join' },
  agent: { officeId: 'another', fraudFlagged: false },
} satisfies {
  [Form in keyof typeof decidingFields]: Record<keyof (typeof decidingFields)[Form], unknown>
}

const cases = (Object.keys(others) as (keyof typeof others)[]).flatMap((form) =>
  Object.entries(others[form]).map(([field, value]) => ({ form, field, value })),
)

/** Changes one field of one row, and nothing else. */
function change(who: Viewer, { form, field, value }: (typeof cases)[number]) {
  const ids: Record<string, number> = { officeId: otherOffice, insteadTypeId: typeId }
  const body = { [field]: ids[field] ?? value }
  switch (form) {
    case 'site':
      return call(who, sitesEndpoints.updateSite, { params: { id: siteId }, body })
    case 'linkType':
      return call(who, linkTypesEndpoints.updateLinkType, { params: { id: typeId }, body })
    case 'agent':
      return field === 'fraudFlagged'
        ? call(who, agentsEndpoints.agentsStatus, { body: { ids: [agentId], ...body } })
        : call(who, agentsEndpoints.updateAgent, { params: { id: agentId }, body })
  }
}

const decidingTables = [
  'sites',
  'link_types',
  'agents',
  'rates',
  'former_site_flags',
  'former_link_type_flags',
] as const

/** All that decides what is paid: what is in force, and what was before. */
const state = () =>
  Promise.all(
    decidingTables.map((table) => db.selectFrom(table).selectAll().orderBy('id').execute()),
  )

describe.each(cases)('$form.$field', (one) => {
  test.each([
    ['a token', byToken, 'FORBIDDEN'],
    ['somebody signed in as another', signedInAs, 'FORBIDDEN'],
    ['a session without the password of the last ten minutes', stale, 'PROOF_NEEDED'],
  ] as const)('is not changed by %s, and nothing is written', async (_, who, code) => {
    const before = await state()
    const { status, body } = await change(who, one)
    expect([status, body.code]).toEqual([403, code])
    expect(await state()).toEqual(before)
  })

  test('is changed after the password, with who and when, and sealed', async () => {
    const { status } = await change(superadmin, one)
    expect(status).toBe(200)
    const isDated = decidingFields.site[one.field as keyof typeof decidingFields.site] !== 'now'
    const former =
      one.form === 'site' && isDated
        ? await db
            .selectFrom('former_site_flags')
            .select(['until', 'changed_by'])
            .where('site_id', '=', siteId)
            .execute()
        : one.field === 'bonus'
          ? await db
              .selectFrom('former_link_type_flags')
              .select(['until', 'changed_by'])
              .where('type_id', '=', typeId)
              .execute()
          : undefined
    if (!former) return
    expect(former).toEqual([
      { until: about(services.clock.peek()), changed_by: superadmin.accountId },
    ])
    const seals = await db
      .selectFrom('pay_seals')
      .select('row_key')
      .where(
        'table_name',
        '=',
        one.form === 'site' ? 'former_site_flags' : 'former_link_type_flags',
      )
      .execute()
    expect(seals.length).toBeGreaterThan(0)
  })
})

test('the refusal says what it is about, and where it can be done', async () => {
  const refusal = async (who: Viewer) =>
    (await change(who, { form: 'site', field: 'avp', value: true })).body.message
  expect(await refusal(byToken)).toBe(
    'A token can’t change “AVP” of a site, because it decides what is paid. Sign in to the back office for it.',
  )
  expect(await refusal(signedInAs)).toBe(
    'Only the holder of this account can change “AVP” of a site, because it decides what is paid.',
  )
})

test('a token sends a whole form back, and changes what decides nothing', async () => {
  await change(
    superadmin,
    cases.find(({ field }) => field === 'eventWords')!,
  )
  const { body: form } = await call(byToken, sitesEndpoints.site, { params: { id: siteId } })
  const saved = await call(byToken, sitesEndpoints.updateSite, {
    params: { id: siteId },
    body: { ...form, note: 'From a program' },
  })
  expect(saved.status).toBe(200)
  const { body: after } = await call(byToken, sitesEndpoints.site, { params: { id: siteId } })
  expect(after).toEqual({ ...form, note: 'From a program', version: form.version + 1 })
})

test('a token makes sites that decide nothing', async () => {
  const body = {
    sitename: 'Made by a program',
    shortname: 'p',
    abbr: 'P',
    url: 'https://p.example',
  }
  const make = (more: object) =>
    call(byToken, sitesEndpoints.createSite, { body: { ...body, type: 'DATING', ...more } })
  expect((await make({ avp: true })).status).toBe(403)
  expect((await make({ eventWords: [{ word: 'refund', event: 'sale' }] })).status).toBe(403)
  expect((await make({ avp: false, eventWords: [] })).status).toBe(200)
})

test('a token suspends sites and leaves their approve-sale flag as it is', async () => {
  const status = (more: object) =>
    call(byToken, sitesEndpoints.sitesStatus, { body: { ids: [siteId], ...more } })
  expect((await status({ status: 1 })).status).toBe(403)
  expect((await status({ status: 0 })).status).toBe(200)
  expect((await status({ status: 1, useApproveSale: false })).status).toBe(200)
})

test.each([
  ['sites', { avp: 'not avp', event_words: `'{"refund": "sale"}'` }],
  ['former_site_flags', { avp: 'not avp', until: `'2020-01-01T00:00:00Z'`, part_rule: `'whole'` }],
  ['link_types', { bonus: 'not bonus' }],
  ['former_link_type_flags', { bonus: 'not bonus', changed_by: '1234' }],
] as const)('a change of %s by SQL is named', async (table, changes) => {
  await sealWorld(db)
  await change(
    superadmin,
    cases.find(({ field }) => field === 'avp')!,
  )
  await change(
    superadmin,
    cases.find(({ field }) => field === 'bonus')!,
  )
  expect((await verifyWorld(db)).findings).toEqual([])
  for (const [column, value] of Object.entries(changes)) {
    const findings = await undone(owner, async (tx) => {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.raw(value)}`.execute(tx)
      return (await verifyInside(tx)).findings.join('\n')
    })
    expect([column, findings]).toEqual([column, expect.stringContaining('differs from its seal')])
  }
})

describe('whatever a program or a weaker session does', () => {
  test.each(TOKEN_GROUPS.map((group) => [`a token of “${group}”`, group] as const))(
    '%s leaves what the open period would pay as it is',
    async (_, group) => {
      await emptyTables(database.connection, [...PAY_TABLES])
      const world = await buildPayWorld(services, { avp: 'instead' })
      await world.sell('a', 'maria', '2026-02-03')
      await world.sell('b', 'noel', '2026-02-04', { plain: true })
      await db
        .insertInto('adjustments')
        .values({
          payee_kind: 'office',
          payee_id: world.offices.manila,
          currency: 'PHP',
          amount: -300_00,
          reason: 'Held back',
          held_back_for: world.agents.maria,
          made_at: services.clock.peek(),
          made_by: world.closer,
          made_by_name: 'closer',
        })
        .execute()
      await db.updateTable('agents').set({ fraud_flagged_at: services.clock.peek() }).execute()
      services.clock.set('2026-02-12T15:00:00Z')
      const home = { officeId: world.offices.manila, agentId: world.agents.maria }
      const token = await tokenOfCaller(services, 'superadmin', home, [group])
      const app = await buildApp(services)

      const payOf = async () => ({
        preview: await previewPeriod(services, '2026-02-A'),
        decided: await decided(),
      })
      const before = await payOf()
      expect(before.preview).toHaveLength(2)
      let succeeded = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(callOf(group, world), { minLength: 1, maxLength: 6 }),
          async (calls) => {
            for (const { endpoint, params, body } of calls) {
              const sent = { params, ...(body !== undefined && { body }) }
              const { statusCode } = await send(app, endpoint, sent, { token })
              if (statusCode === 200) succeeded++
            }
            expect(await payOf()).toEqual(before)
          },
        ),
        { numRuns: 12, seed: 20260212, endOnFailure: true },
      )
      expect(succeeded).toBeGreaterThan(0)
      await app.close()
    },
  )
})

/** What of the catalogue decides what later events pay. */
const decided = async () => ({
  sites: await db
    .selectFrom('sites')
    .select([
      'id',
      'use_approve_sale',
      'avp',
      'click_param',
      'transaction_id_is_click',
      'always_ok_text',
      'event_words',
      'status_words',
      'word_readings',
      'tracker',
      'several_products',
      'counts_for_days',
      'part_rule',
      'deep_hosts',
      'instead_type_id',
    ])
    // Without those that the program made itself, which no link leads to.
    .where('id', 'in', db.selectFrom('link_types').select('site_id'))
    .orderBy('id')
    .execute(),
  bonus: await db.selectFrom('link_types').select(['id', 'bonus']).orderBy('id').execute(),
  agents: await db
    .selectFrom('agents')
    .select(['id', 'office_id', 'fraud_flagged_at'])
    .orderBy('id')
    .execute(),
  rates: await db.selectFrom('rates').select(['id', 'payout_centavos']).orderBy('id').execute(),
})

type Body = Record<string, unknown>
type Call = { endpoint: Endpoint; params: Record<string, string>; body?: Body }

/** A call of a group about the objects of a world, with a body that its schema takes. */
function callOf(
  group: (typeof TOKEN_GROUPS)[number],
  { sites, offices, agents }: Awaited<ReturnType<typeof buildPayWorld>>,
): fc.Arbitrary<Call> {
  const some = (entries: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record(entries, { requiredKeys: [] })
  const oneOf = (ids: object) => fc.constantFrom(...(Object.values(ids) as number[]))
  const callAbout = (ids: object, endpoint: Endpoint, body?: fc.Arbitrary<Body>) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      params: oneOf(ids).map((id) => ({ id: String(id), siteId: String(id) })),
      ...(body && { body }),
    }) as fc.Arbitrary<Call>
  const ids = (of: object) => fc.uniqueArray(oneOf(of), { minLength: 1 })
  const fields = some(
    Object.fromEntries([
      ...Object.entries(others.site).map(([name, value]) => [name, fc.constant(value)] as const),
      ['note', fc.constant('x')] as const,
      ['hidden', fc.boolean()] as const,
      ['active', fc.boolean()] as const,
    ]),
  )
  const manager = fc.constant({ manFirstName: 'Ramon', manLastName: 'Villanueva' })
  const of: Record<(typeof TOKEN_GROUPS)[number], fc.Arbitrary<Call>[]> = {
    sites: [
      callAbout(sites, endpoints.updateSite, fields),
      callAbout(sites, endpoints.updateSite, some({ note: fc.constant('y') })),
      callAbout(
        sites,
        endpoints.sitesStatus,
        fc.record(
          { ids: ids(sites), status: fc.boolean(), useApproveSale: fc.boolean() },
          { requiredKeys: ['ids', 'status'] },
        ),
      ),
      callAbout(sites, endpoints.enableSiteForAllOffices),
      callAbout(
        sites,
        endpoints.createSite,
        fields.map((more) => ({
          sitename: `Made ${made++}`,
          shortname: 'm',
          abbr: 'M',
          url: 'https://m.example',
          type: 'DATING',
          ...more,
        })),
      ),
    ],
    people: [
      callAbout(
        agents,
        endpoints.agentsStatus,
        fc
          .tuple(
            ids(agents),
            fc.oneof(
              fc.record({ active: fc.boolean() }),
              fc.record({ hidden: fc.boolean() }),
              fc.record({ loginBlocked: fc.boolean() }),
              fc.constant({ fraudFlagged: false }),
            ),
          )
          .map(([who, status]) => ({ ids: who, ...status })),
      ),
      callAbout(
        agents,
        endpoints.updateAgent,
        some({ officeId: oneOf(offices), active: fc.boolean(), mustRead: fc.constant('x') }),
      ),
      callAbout(
        offices,
        endpoints.officesStatus,
        fc.record({ ids: ids(offices), active: fc.boolean() }),
      ),
      callAbout(offices, endpoints.updateOffice, manager),
    ],
    postbacks: [
      callAbout(sites, endpoints.testPostback, fc.constant({ typeId: 1, event: 'sale' })),
      callAbout(
        sites,
        endpoints.previewHeldPostbacks,
        fc.constant({ ids: [MISSING], act: 'record' }),
      ),
    ],
    links: [
      callAbout(
        agents,
        endpoints.createShortLink,
        fc.constant({ typeId: 1, agentId: agents.maria }),
      ),
      callAbout(agents, endpoints.renameShortLink, fc.constant({ name: 'another' })),
      callAbout(agents, endpoints.deleteShortLink),
      callAbout(agents, endpoints.shortLinks, fc.constant({ agentId: agents.maria })),
    ],
    figures: [callAbout(sites, endpoints.avpRules)],
    logs: [
      callAbout(
        sites,
        endpoints.searchPostbacks,
        fc.constant({ page: 1, pageSize: 10, criteria: [] }),
      ),
      callAbout(sites, endpoints.searchLoginLogs, fc.constant({ page: 1, pageSize: 10 })),
    ],
    statements: [callAbout(sites, endpoints.payPeriods), callAbout(sites, endpoints.balances)],
  }
  return fc.oneof(...of[group])
}

const MISSING = '00000000-0000-4000-8000-000000000000'
let made = 0
