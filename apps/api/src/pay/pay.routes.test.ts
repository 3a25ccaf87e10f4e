import { balancesEndpoints, USUAL_HOLD } from '@tallyroom/contract/pay/balances/balances'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { profitEndpoints } from '@tallyroom/contract/pay/bookings/profit'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { callRoutes, viewer } from '../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../test/database.ts'
import { buildPayWorld, PAY_TABLES } from '../../test/pay-world.ts'
import { buildPasskey, giving } from '../../test/second-factor.ts'
import { testServices } from '../../test/services.ts'
import { about, elsewhere } from '../../test/test-clock.ts'
import { openDatabase } from '../db/database.ts'
import { rebuildTotals } from '../totals/index.ts'
import { payRoutes } from './pay.routes.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const call = await callRoutes(payRoutes(services))

beforeEach(() => emptyTables(connection, [...PAY_TABLES, 'options', 'postbacks', 'held_postbacks']))

const showPayouts = () =>
  db
    .insertInto('options')
    .values({ name: 'payout_visible', value: '1', changed_at: new Date(0) })
    .execute()

test('offices see their own statements, and agents their own lines of these, while payouts are shown', async () => {
  const { sell, close, offices, agents } = await buildPayWorld(services, { avp: 'information' })
  const { maria, noel } = agents
  await sell('a', 'maria', '2026-02-03')
  await sell('b', 'noel', '2026-02-03', { plain: true })
  await sell('c', 'noel', '2026-02-03', { plain: true, office_id: offices.manila })
  await close('2026-02-A', '2026-02-16')
  const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const mariaSelf = viewer({ role: 'agent', officeId: offices.manila, agentId: maria })
  const noelSelf = viewer({ role: 'agent', officeId: offices.cebu, agentId: noel })

  expect((await call(manila, statementsEndpoints.statements)).status).toBe(403)
  await showPayouts()

  const ofManila = await call(manila, statementsEndpoints.statements)
  expect(ofManila.body).toMatchObject({ total: 1, centavos: 800_00, items: [{ amount: 800_00 }] })
  const [{ id }] = ofManila.body.items
  const whole = await call(manila, statementsEndpoints.statement, { params: { id } })
  expect(whole.body).toMatchObject({ isPart: false, content: { amount: 800_00 } })

  const part = await call(mariaSelf, statementsEndpoints.statement, { params: { id } })
  expect(part.body).toMatchObject({
    isPart: true,
    amount: 500_00,
    content: { lines: [{ agentId: maria, centavos: 500_00 }], amount: 500_00, carried: 0 },
  })
  expect(part.body.content.lines).toHaveLength(1)
  // Noel sold for both offices.
  expect((await call(noelSelf, statementsEndpoints.statements)).body).toMatchObject({
    total: 2,
    centavos: 600_00,
  })

  const all = (await call(viewer(), statementsEndpoints.statements)).body.items
  const foreign = all.find((one: { id: number }) => one.id !== id)
  for (const params of [{ id: foreign.id }, { id: 2_000_000_000 }]) {
    expect((await call(manila, statementsEndpoints.statement, { params })).status).toBe(404)
    expect((await call(mariaSelf, statementsEndpoints.statement, { params })).status).toBe(404)
  }
  const balanceOf = (who: typeof manila, kind: string, payee: number) =>
    call(who, balancesEndpoints.balance, { params: { kind, id: payee } })
  expect((await balanceOf(manila, 'office', offices.manila)).body).toMatchObject({
    balances: [{ balance: 800_00, state: 'no-account' }],
    entries: [{ kind: 'statement', number: '2026-02-A-0002', balance: 800_00 }],
  })
  expect((await balanceOf(manila, 'office', offices.cebu)).status).toBe(404)
  expect((await balanceOf(mariaSelf, 'office', offices.manila)).status).toBe(404)
})

test('a payee on hold reads what was written for them, and never why, by whom, or who adjusted their pay', async () => {
  const { sell, close, who, offices } = await buildPayWorld(services, { avp: 'information' })
  await showPayouts()
  await sell('a', 'maria', '2026-02-03')
  const params = { kind: 'office', id: offices.manila }
  const boss = { ...who, username: 'the-boss' }
  await call(boss, balancesEndpoints.createAdjustment, {
    body: { ...params, currency: 'PHP', amount: 100, reason: 'Internet bill' },
  })
  await close('2026-02-A', '2026-02-16')
  const hold = (body: object) =>
    call(boss, balancesEndpoints.setPayHold, { params, body: { held: true, ...body } })
  const manila = viewer({ role: 'company', officeId: offices.manila, agentId: undefined })
  const balanceFor = async (viewing: typeof who | typeof manila) =>
    (await call(viewing, balancesEndpoints.balance, { params })).body

  expect((await hold({ reason: 'Fraud under review' })).status).toBe(200)
  expect((await balanceFor(manila)).balances[0].hold).toEqual({
    told: USUAL_HOLD,
    setAt: expect.any(String),
  })
  await hold({ reason: 'Fraud: sales of Rico', told: 'We are checking some sales.' })
  await hold({ held: false, reason: 'Rico is clean' })
  await hold({ reason: 'Fraud again', told: 'We will call you.' })
  const own = await balanceFor(manila)
  const setAt = expect.any(String)
  expect(own.holds).toEqual([
    { held: true, told: 'We will call you.', setAt },
    { held: false, told: null, setAt },
    { held: true, told: 'We are checking some sales.', setAt },
    { held: true, told: USUAL_HOLD, setAt },
  ])
  expect(own.adjustments).toMatchObject([{ reason: 'Internet bill' }])
  const [{ id }] = (await call(manila, statementsEndpoints.statements)).body.items
  const statement = { params: { id } }
  const ofOwn = (await call(manila, statementsEndpoints.statement, statement)).body
  expect(ofOwn.content.adjustments).toMatchObject([{ reason: 'Internet bill', by: '' }])
  expect(JSON.stringify([own, ofOwn])).not.toMatch(/Fraud|Rico|the-boss/)

  expect(await balanceFor(who)).toMatchObject({
    balances: [{ hold: { reason: 'Fraud again', setBy: 'the-boss', told: 'We will call you.' } }],
    adjustments: [{ madeBy: 'the-boss' }],
  })
  expect(
    (await call(who, statementsEndpoints.statement, statement)).body.content.adjustments,
  ).toMatchObject([{ by: 'the-boss' }])
})

test('everybody who sees tiers learns how they relate to rates; while pay is off, there is nothing to learn', async () => {
  const agent = viewer({ role: 'agent', officeId: 1, agentId: 1 })
  expect((await call(agent, paySettingsEndpoints.avpRules)).body).toEqual([])
  await buildPayWorld(services, { avp: 'instead' })
  expect((await call(agent, paySettingsEndpoints.avpRules)).body).toEqual([
    { fromDay: '2026-02-01', avp: 'instead' },
  ])
})

test('a preview shows what closing would make and the change from the previous period, and writes nothing', async () => {
  const { sell, close, who, offices } = await buildPayWorld(services, { avp: 'instead' })
  await sell('a', 'maria', '2026-02-03', { plain: true })
  await close('2026-02-A', '2026-02-16')
  await sell('b', 'maria', '2026-02-18', { plain: true })
  await sell('c', 'maria', '2026-02-19')
  await sell('d', 'noel', '2026-02-19')
  await sell('e', 'maria', '2026-02-20')
  services.clock.set('2026-03-02T15:00:00Z')
  const params = { name: '2026-02-B' }
  const preview = await call(who, payEndpoints.payPreview, { params })
  expect(preview.body).toMatchObject([
    { payee: { name: 'Manila' }, amount: 320_00, before: 300_00, change: 20_00, carried: 300_00 },
    { payee: { name: 'Cebu' }, amount: 10_00, before: 0, change: 10_00 },
  ])
  const previewed = await call(who, payEndpoints.payPreviewOf, {
    params: { ...params, kind: 'office', id: offices.manila },
  })
  expect(await db.selectFrom('bookings').select('event_id').execute()).toHaveLength(1)
  await close('2026-02-B', '2026-03-02')
  const { items } = (
    await call(who, statementsEndpoints.statements, { query: { period: '2026-02-B' } })
  ).body
  const id = items.find((one: { payee: { name: string } }) => one.payee.name === 'Manila').id
  const made = await call(who, statementsEndpoints.statement, { params: { id } })
  expect({ ...made.body.content, closedBy: '' }).toEqual({
    ...previewed.body,
    closedAt: about(previewed.body.closedAt),
  })
  expect((await call(who, payEndpoints.payPreview, { params })).status).toBe(409)
})

test('periods are listed with their states; an adjustment goes on the next statement and can be taken back once', async () => {
  const { close, who, offices } = await buildPayWorld(services, { avp: 'information' })
  await close('2026-02-A', '2026-02-16')
  const form = { kind: 'office', id: offices.cebu, amount: -50_00, reason: 'Advance' }
  expect(
    (await call(who, balancesEndpoints.createAdjustment, { body: { ...form, currency: 'USD' } }))
      .body.data,
  ).toEqual({ currency: ['must be pesos'] })
  const { id } = (
    await call(who, balancesEndpoints.createAdjustment, { body: { ...form, currency: 'PHP' } })
  ).body
  await close('2026-02-B', '2026-03-02')
  const balance = { params: { kind: 'office', id: offices.cebu } }
  expect((await call(who, balancesEndpoints.balance, balance)).body).toMatchObject({
    balances: [{ balance: -50_00, state: 'negative' }],
    adjustments: [{ id, amount: -50_00, statementId: expect.any(Number) }],
  })
  const takeBack = () =>
    call(who, balancesEndpoints.takeBackAdjustment, {
      params: { id },
      body: { reason: 'Wrong office' },
    })
  expect((await takeBack()).status).toBe(200)
  expect((await takeBack()).status).toBe(409)
  await close('2026-03-A', '2026-03-16')
  expect((await call(who, balancesEndpoints.balance, balance)).body.balances).toMatchObject([
    { balance: 0, state: 'nothing' },
  ])
  services.clock.set('2026-04-02T15:00:00Z')
  const periods = (await call(who, payEndpoints.payPeriods)).body
  expect(periods.map((one: { name: string; state: string }) => [one.name, one.state])).toEqual([
    ['2026-04-A', 'open'],
    ['2026-03-B', 'ready'],
    ['2026-03-A', 'closed'],
    ['2026-02-B', 'closed'],
    ['2026-02-A', 'closed'],
  ])
})

test('what an unpaid statement owes is due once: on the last statement, which carries it', async () => {
  const { close, sell, who, offices } = await buildPayWorld(services, { avp: 'information' })
  const statesOf = async (office: number) =>
    (
      await call(who, statementsEndpoints.statements, {
        query: { kind: 'office', id: `${office}` },
      })
    ).body.items.map((one: { period: { name: string }; state: string }) => [
      one.period.name,
      one.state,
    ])
  await sell('a', 'maria', '2026-02-03')
  await close('2026-02-A', '2026-02-16')
  expect(await statesOf(offices.manila)).toEqual([['2026-02-A', 'due']])
  await sell('b', 'maria', '2026-02-18')
  await close('2026-02-B', '2026-03-02')
  expect(await statesOf(offices.manila)).toEqual([
    ['2026-02-B', 'due'],
    ['2026-02-A', 'carried'],
  ])
})

test('open postbacks must be confirmed before a period is closed', async () => {
  const { who, sites } = await buildPayWorld(services, { avp: 'information' })
  const row = {
    received_at: new Date('2026-02-10T12:00:00Z'),
    site_id: sites.alpha,
    method: 'GET',
    ip: '203.0.113.7',
    params: '{}',
  }
  const held = { ...row, id: '00000000-0000-7000-8000-00000000000a', outcome: 'conflict' }
  // It has left the queue, in which it waited for three days.
  const unmatched = { ...row, id: '00000000-0000-7000-8000-00000000000b', outcome: 'waiting' }
  await db.insertInto('postbacks').values([held, unmatched]).execute()
  await db
    .insertInto('held_postbacks')
    .values({ postback_id: held.id, held_at: row.received_at, kind: 'early', reason: 'Early' })
    .execute()
  services.clock.set('2026-02-16T15:00:00Z')
  const params = { name: '2026-02-A' }
  expect((await call(who, payEndpoints.payChecks, { params })).body.postbacks).toMatchObject([
    { siteId: sites.alpha, siteName: 'Alpha', waiting: 1, conflicts: 1 },
  ])
  const close = (postbacks: object[]) =>
    call(who, payEndpoints.closePayPeriod, { params, body: { typed: '2026-02-A', postbacks } })
  const refused = await close([])
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringContaining('Alpha has 1 waiting and 1 conflicting postbacks'),
  ])
  expect((await close([{ siteId: sites.alpha, waiting: 1, conflicts: 1 }])).status).toBe(200)
})

test('what was signed to close one period closes no other', async () => {
  const { close, who } = await buildPayWorld(services, { avp: 'information' })
  const device = await buildPasskey(services, who.accountId)
  const attempt = (name: string, by = who) =>
    call(by, payEndpoints.closePayPeriod, {
      params: { name },
      body: { typed: name, postbacks: [] },
    })
  const signed = async (name: string) => {
    const { asks } = (await attempt(name)).body
    return giving(who, { challenge: asks.challenge, passkey: device.get(asks.passkey) })
  }
  services.clock.set('2026-03-02T15:00:00Z')
  const ofFirst = await signed('2026-02-A')
  await close('2026-02-A', '2026-03-02')
  expect(await attempt('2026-02-B', ofFirst)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('asked for something else') },
  })
  expect(await attempt('2026-02-B', await signed('2026-02-B'))).toMatchObject({ status: 200 })
})

test('checks name who is marked for fraud and whom to hold; a missing exchange rate hides no other check', async () => {
  const { sell, close, payIn, who, agents, offices } = await buildPayWorld(services, {
    avp: 'information',
  })
  const period = async (name: string, day: string, sales: number) => {
    const at = `2026-${day}`
    for (let sale = 0; sale < sales; sale++) await sell(`${name}${sale}`, 'maria', at)
    return name
  }
  await close(await period('2026-02-A', '02-03', 1), '2026-02-16')
  await close(await period('2026-02-B', '02-17', 1), '2026-03-02')
  await close(await period('2026-03-A', '03-03', 1), '2026-03-16')
  // Four times as much as usual, and an office paid in dollars.
  await period('2026-03-B', '03-17', 4)
  await sell('marked', 'noel', '2026-03-17', { fraud: true })
  await payIn('USD', offices.cebu)
  services.clock.set('2026-04-01T15:00:00Z')
  const params = { name: '2026-03-B' }
  const checks = async () => (await call(who, payEndpoints.payChecks, { params })).body
  const manila = { kind: 'office', id: offices.manila, name: 'Manila' }
  const cebu = { kind: 'office', id: offices.cebu, name: 'Cebu' }
  const marked = { agentId: agents.noel, marked: false, payee: cebu, centavos: 500_00 }
  expect(await checks()).toMatchObject({
    needExchangeRate: [cebu],
    unusual: [{ payee: manila, amount: 2_000_00, usual: 500_00 }],
    fraudAgents: [marked],
  })
  await db
    .updateTable('agents')
    .set({ fraud_flagged_at: services.clock.now() })
    .where('id', '=', agents.maria)
    .execute()
  const { fraudAgents } = await checks()
  expect(fraudAgents).toHaveLength(2)
  expect(fraudAgents).toContainEqual(
    expect.objectContaining({ agentId: agents.maria, marked: true, payee: manila }),
  )
})

test('checks count what tiers pay an agent who is marked for fraud or was suspended, in its currency', async () => {
  const { sell, close, payIn, who, agents, offices } = await buildPayWorld(services, {
    avp: 'instead',
  })
  await payIn('USD', offices.cebu)
  // Their week is paid in the period of its Sunday, 1 March.
  await sell('a', 'maria', '2026-02-24')
  await close('2026-02-A', '2026-03-02')
  await close('2026-02-B', '2026-03-02')
  await sell('b', 'noel', '2026-03-03', { agent_suspended: true })
  await sell('c', 'noel', '2026-03-03')
  const fraud_flagged_at = services.clock.now()
  await db.updateTable('agents').set({ fraud_flagged_at }).execute()
  services.clock.set('2026-03-16T15:00:00Z')
  const { body } = await call(who, payEndpoints.payChecks, { params: { name: '2026-03-A' } })
  expect(body.fraudAgents).toHaveLength(2)
  expect(body.fraudAgents).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ agentId: agents.maria, centavos: 10_00, cents: 0 }),
      expect.objectContaining({ agentId: agents.noel, centavos: 0, cents: 40 }),
    ]),
  )
  expect(body.suspendedAgents).toMatchObject([
    { agentId: agents.noel, sales: 1, centavos: 0, cents: 20 },
  ])
})

test('a balance says that it waits for an account, or that a new one waits to be confirmed', async () => {
  const { sell, close, payIn, who, offices, closer } = await buildPayWorld(services, {
    avp: 'information',
  })
  await sell('a', 'maria', '2026-02-03')
  await close('2026-02-A', '2026-02-16')
  const stateOf = async () => (await call(who, balancesEndpoints.balances)).body[0].state
  expect(await stateOf()).toBe('no-account')
  await payIn('PHP', offices.manila)
  expect(await stateOf()).toBe('payable')
  // Somebody enters another one.
  const { id } = await db
    .insertInto('payee_accounts')
    .values({
      payee_kind: 'office',
      payee_id: offices.manila,
      channel: 'bank',
      sealed: Buffer.alloc(1),
      last_characters: '1111',
      currency: 'PHP',
      entered_at: services.clock.now(),
      entered_by: closer,
      entered_by_name: 'somebody',
      confirmations: 2,
      doubts: [],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await stateOf()).toBe('account-waits')
  const decide = (decided_by: number, confirmed: boolean) =>
    db
      .insertInto('payee_account_decisions')
      .values({
        account_id: id,
        decided_by,
        decided_by_name: 'x',
        confirmed,
        decided_at: services.clock.now(),
      })
      .execute()
  await decide(1, true)
  expect(await stateOf()).toBe('account-waits')
  // The second person refuses it, so the previous account stays in force.
  await decide(2, false)
  expect(await stateOf()).toBe('payable')
})

test('checks compare the totals of a finished period with its events', async () => {
  const { sell, who } = await buildPayWorld(services, { avp: 'instead' })
  await sell('a', 'maria', '2026-02-03')
  await rebuildTotals(db)
  const checked = async () =>
    (await call(who, payEndpoints.payChecks, { params: { name: '2026-02-A' } })).body.totals
  services.clock.set('2026-02-15T15:00:00Z')
  expect(await checked()).toBeNull()
  services.clock.set('2026-02-16T15:00:00Z')
  expect(await checked()).toEqual({ differences: 0, first: null })
  // An event that is in no total.
  await sell('b', 'maria', '2026-02-15')
  await sell('next period', 'maria', '2026-02-16')
  expect(await checked()).toEqual({
    differences: 1,
    first: expect.stringMatching(/^totals_day_agent_type \(2026-02-15,.*no row found$/),
  })
})

test('totals that take too long to compare do not prevent closing', async () => {
  const { who } = await buildPayWorld(services, { avp: 'instead' })
  services.clock.set('2026-02-16T15:00:00Z')
  const owner = openDatabase(connection, { max: 1, applicationName: 'a lock', asOwner: true })
  await owner.db.transaction().execute(async (tx) => {
    await sql`lock table totals_day_agent_type in access exclusive mode`.execute(tx)
    const params = { name: '2026-02-A' }
    const checks = await elsewhere(() => call(who, payEndpoints.payChecks, { params }))
    expect([checks.status, checks.body.totals]).toEqual([200, 'too many'])
  })
  await owner.close()
})

test('profit compares pesos and dollars at the period’s own exchange rate', async () => {
  const { sell, close, who } = await buildPayWorld(services, { avp: 'instead' })
  services.clock.set('2026-02-10T15:00:00Z')
  await call(who, payEndpoints.savePayExchangeRate, {
    params: { name: '2026-02-A' },
    body: { pesosE4: 500_000, source: 'BSP' },
  })
  await sell('a', 'maria', '2026-02-03', { plain: true })
  await sell('b', 'noel', '2026-02-03')
  await close('2026-02-A', '2026-02-16')
  expect((await call(who, profitEndpoints.profit)).body).toMatchObject([
    {
      key: '2026-02-A',
      earningCents: 50_00,
      ratesCentavos: 300_00,
      tiersCentavos: 10_00,
      payoutCentavos: 310_00,
      payoutCents: 6_20,
      marginCents: 43_80,
    },
  ])
  const bySite = (await call(who, profitEndpoints.profit, { query: { groupBy: 'site' } })).body
  expect(bySite).toMatchObject([
    { name: 'Alpha', ratesCentavos: 0 },
    { name: 'Gamma', ratesCentavos: 300_00 },
    { key: null, tiersCentavos: 10_00 },
  ])
})

test('pay can’t be changed while signed in as somebody else', async () => {
  const { who } = await buildPayWorld(services, { avp: 'information' })
  const body = {
    payees: 'agents',
    periodLength: 'week',
    avp: 'instead',
    minimumCentavos: 0,
    minimumCents: 0,
  }
  const asSomebody = { ...who, signedInBy: 5 }
  expect((await call(asSomebody, paySettingsEndpoints.savePaySettings, { body })).status).toBe(403)
  expect((await call(asSomebody, paySettingsEndpoints.paySettings)).status).toBe(200)
})

test('settings take effect with the first period that has not begun; the first close fixes the first day', async () => {
  const { who, close } = await buildPayWorld(services, { avp: 'information' })
  const body = {
    payees: 'agents',
    periodLength: 'week',
    avp: 'instead',
    minimumCentavos: 0,
    minimumCents: 0,
  }
  expect((await call(who, paySettingsEndpoints.savePaySettings, { body })).status).toBe(200)
  expect((await call(who, paySettingsEndpoints.paySettings)).body).toMatchObject({
    on: true,
    firstDayFixed: false,
    now: { payees: 'offices', avp: 'information' },
    next: { fromDay: '2026-02-16', payees: 'agents', periodLength: 'week' },
    changesFrom: '2026-02-16',
  })
  await close('2026-02-A', '2026-02-16')
  const moved = { ...body, firstDay: '2026-03-02' }
  expect(
    (await call(who, paySettingsEndpoints.savePaySettings, { body: moved })).body.data,
  ).toEqual({
    firstDay: [expect.stringContaining('can’t change any more')],
  })
  expect((await call(who, payEndpoints.payPeriods)).body[0]).toMatchObject({
    name: '2026-W08',
    start: '2026-02-16',
    payees: 'agents',
    avp: 'instead',
  })
})
