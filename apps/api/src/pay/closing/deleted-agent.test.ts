import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { agentsRoutes } from '../../people/agents/agents.routes.ts'
import { eraseRoutes } from '../../desk/erase/erase.routes.ts'
import { payRoutes } from '../pay.routes.ts'
import { savePaySettings } from '../acts/settings.ts'
import { verifyWorld } from '../../../test/verify-world.ts'

const { db, clock, services, merchant, eventsOf } = await postbackWorld()
const call = await callRoutes([
  ...payRoutes(services),
  ...agentsRoutes(services),
  ...eraseRoutes(services),
])

test('a chargeback after its agent’s deletion waits, is shown at closing, and is adjusted for the office that was paid', async () => {
  clock.set('2026-03-01T05:00:00Z')
  const closer = await buildAccount(db, { username: 'closer' })
  const who = { ...viewer(undefined, ['DELETE_AGENTS']), accountId: closer }
  await savePaySettings(services, who, {
    payees: 'offices',
    periodLength: 'beWeek',
    avp: 'information',
    minimumCentavos: 0,
    minimumCents: 0,
    firstDay: '2026-03-01',
  })
  const officeId = await buildOffice(db, { name: 'Manila' })
  const agentId = await buildAgent(db, { office_id: officeId })
  const { siteId, click, get } = await merchant({ sitename: 'Alpha' })

  // A statement pays the ₱500.00 that were earned. Then the agent is deleted.
  clock.set('2026-03-03T17:00:00Z')
  const cid = await click({ agent_id: agentId, office_id: officeId })
  expect((await get({ cid, tid: 'A-1' })).statusCode).toBe(201)
  const close = (name: string, postbacks: object[] = []) =>
    call(who, payEndpoints.closePayPeriod, { params: { name }, body: { typed: name, postbacks } })
  clock.set('2026-03-16T15:00:00Z')
  expect((await close('2026-03-A')).body).toMatchObject({ statements: 1, events: 1 })
  const deleted = await call(who, agentsEndpoints.deleteAgent, { params: { id: agentId } })
  expect(deleted.status).toBe(200)
  expect(await eventsOf(siteId)).toEqual([])

  // The merchant reverses the sale. There is nothing to reverse any more, so the postback records
  // nothing and is kept.
  clock.set('2026-03-18T17:00:00Z')
  const chargeback = await get({ cid, tid: 'A-1', event: 'chargeback' })
  expect(chargeback.json()).toMatchObject({ outcome: 'waiting' })
  expect(await eventsOf(siteId)).toEqual([])

  clock.set('2026-04-02T15:00:00Z')
  const checks = await call(who, payEndpoints.payChecks, { params: { name: '2026-03-B' } })
  expect(checks.body.postbacks).toEqual([
    { siteId, siteName: 'Alpha', waiting: 1, conflicts: 0, centavos: -500_00 },
  ])
  // Whoever closes the period has to confirm it. The office that was paid owes the money, so they
  // adjust it.
  expect((await close('2026-03-B')).status).toBe(409)
  const adjusted = await call(who, balancesEndpoints.createAdjustment, {
    body: {
      kind: 'office',
      id: officeId,
      currency: 'PHP',
      amount: -500_00,
      reason: 'Chargeback of A-1',
    },
  })
  expect(adjusted.status).toBe(200)
  const seen = [{ siteId, waiting: 1, conflicts: 0 }]
  expect((await close('2026-03-B', seen)).body).toMatchObject({ statements: 1, events: 0 })

  const balance = await call(who, balancesEndpoints.balance, {
    params: { kind: 'office', id: officeId },
  })
  expect(balance.body).toMatchObject({
    balances: [{ balance: 0, state: 'nothing' }],
    entries: [
      { kind: 'statement', number: '2026-03-B-0001', amount: -500_00, balance: 0 },
      { kind: 'statement', number: '2026-03-A-0001', amount: 500_00, balance: 500_00 },
    ],
  })
  // What was paid stays as it was, under the names of that day, and so does the merchant’s
  // postback.
  const bookings = await db.selectFrom('bookings').selectAll().execute()
  expect(bookings).toMatchObject([
    { agent_id: agentId, payee_id: officeId, payout_centavos: 500_00 },
  ])
  const postbacks = await db
    .selectFrom('postbacks')
    .selectAll()
    .where('event', '=', 'chargeback')
    .execute()
  expect(postbacks).toMatchObject([
    { outcome: 'waiting', transaction_id: 'A-1', agent_id: agentId },
  ])
  expect((await verifyWorld(db)).findings).toEqual([])
})
