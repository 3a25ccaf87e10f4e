import {
  type HeldResult,
  heldPostbacksEndpoints,
} from '@tallyroom/contract/tracking/held-postbacks'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { decodeClickId } from '@tallyroom/domain/click-id'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  buildAgent,
  buildFee,
  buildLinkType,
  buildOffice,
  buildRate,
} from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { eraseRoutes } from '../../desk/erase/erase.routes.ts'
import { foldTotals, verifyTotals } from '../../totals/index.ts'
import { findTierPay } from '../../pay/index.ts'
import { postbacksRoutes } from './postbacks.routes.ts'
import { makeTestClick } from './test-postback.ts'

const { db, clock, services, inbound, kept, agentId, officeId, merchant, eventsOf } =
  await postbackWorld()
const call = await callRoutes([
  ...postbacksRoutes(services, inbound, findTierPay),
  ...eraseRoutes(services),
])
const { previewHeldPostbacks, settleHeldPostbacks } = heldPostbacksEndpoints
const superadmin = viewer()

/** Who has the other click: an agent of another office, who is paid 200 pesos for a sale. */
const otherOffice = await buildOffice(db)
const otherAgent = await buildAgent(db, { office_id: otherOffice })

type Act = 'keep-first' | 'take-this' | 'both-count'
type Answer = { id: string; outcome: string; eventId?: string; reason?: string }

const preview = async (id: string, act: Act): Promise<HeldResult> =>
  (await call(superadmin, previewHeldPostbacks, { body: { ids: [id], act } })).body.items[0]

/** What was foretold is what is done. */
async function decide(id: string, act: Act): Promise<HeldResult> {
  const before = await db.selectFrom('sale_events').select('id').execute()
  const foretold = await preview(id, act)
  expect(await db.selectFrom('sale_events').select('id').execute()).toHaveLength(before.length)
  const body = { ids: [id], act, reason: 'Asked the merchant' }
  const done: HeldResult = (await call(superadmin, settleHeldPostbacks, { body })).body.items[0]
  const told = (one: HeldResult) => [one.state, one.effect, one.changes.map(({ payout }) => payout)]
  expect(told(done)).toEqual(told(foretold))
  return done
}

/** An order A-1 that a click of ours and one of another office's agent are reported for. */
async function shop(site: Parameters<typeof merchant>[0] = {}) {
  const made = await merchant(site)
  await buildRate(db, { type_id: made.typeId, payout_centavos: 100_00, earning_cents: 5_00 })
  await buildFee(db, {
    type_id: made.typeId,
    office_id: otherOffice,
    payout_centavos: 200_00,
    earning_cents: 5_00,
  })
  // Their rows are written without totals, so they must not count.
  const uncounted = { uncounted: 'too many' } as const
  const first = await made.click(uncounted)
  const second = await made.click({ ...uncounted, agent_id: otherAgent, office_id: otherOffice })
  const report = async (cid: string | null, fields: Record<string, string> = {}) => {
    clock.advance(60_000)
    const answer = await made.get({ ...(cid !== null && { cid }), tid: 'A-1', ...fields })
    return { ...answer.json<Answer>(), status: answer.statusCode }
  }
  /** `agent ±pesos` of every event, in the order in which they were written. */
  const books = async () =>
    (await eventsOf(made.siteId)).map(
      (event) =>
        `${event.agent_id === agentId ? 'ours' : 'theirs'} ${event.quantity}×${event.event_type} ${event.payout_centavos / 100}`,
    )
  return { ...made, first, second, report, books }
}

const verified = async () => {
  await foldTotals(db)
  expect(await verifyTotals(db)).toEqual([])
}

/** The second report, held. */
async function heldShop(site: Parameters<typeof merchant>[0] = {}) {
  const made = await shop(site)
  expect(await made.report(made.first)).toMatchObject({ status: 201 })
  const held = await made.report(made.second)
  expect(held).toMatchObject({
    status: 409,
    reason: 'This order was already credited to another click.',
  })
  return { ...made, held }
}

describe('of an order that is reported for two clicks', () => {
  test('the first is kept: the second is refused, and nothing changes', async () => {
    const { held, books } = await heldShop()
    expect(await decide(held.id, 'keep-first')).toMatchObject({
      state: 'settled',
      outcome: 'refused',
      reason: 'Refused by staff: the order stays with its first click.',
      changes: [],
    })
    expect(await books()).toEqual(['ours 1×0 100'])
  })

  test('the second is taken: the first is reversed on the day of the second report', async () => {
    const { held, books, siteId, second } = await heldShop()
    clock.advance(3_600_000)
    expect(await decide(held.id, 'take-this')).toMatchObject({
      state: 'settled',
      outcome: 'recorded',
      reason: 'What was counted of the order for another click is taken back.',
      changes: [
        { quantity: -1, agentId, companyId: officeId, payout: -100, reversal: 'void' },
        { quantity: 1, agentId: otherAgent, companyId: otherOffice, payout: 200 },
      ],
    })
    expect(await books()).toEqual(['ours 1×0 100', 'ours -1×0 -100', 'theirs 1×0 200'])
    const [, reversal, taken] = await eventsOf(siteId)
    const { received_at } = await kept(held.id)
    expect(reversal).toMatchObject({ occurred_at: received_at, postback_id: held.id })
    expect(taken).toMatchObject({ click_id: second, transaction_id: 'A-1', postback_id: held.id })
    const settlement = await db
      .selectFrom('postback_settlements')
      .select(['act', 'note', 'event_id as eventId', 'settled_by as by'])
      .where('postback_id', '=', held.id)
      .executeTakeFirst()
    expect(settlement).toEqual({
      act: 'take-this',
      note: 'Asked the merchant',
      eventId: taken?.id,
      by: superadmin.accountId,
    })
    await verified()
  })

  test('both count: the second is a sale of its own', async () => {
    const { held, books } = await heldShop()
    expect(await decide(held.id, 'both-count')).toMatchObject({
      outcome: 'recorded',
      changes: [{ quantity: 1, agentId: otherAgent, payout: 200 }],
    })
    expect(await books()).toEqual(['ours 1×0 100', 'theirs 1×0 200'])
    await verified()
  })

  test.each(['take-this', 'both-count'] as const)(
    'a retry of the second is known after %s',
    async (act) => {
      const { held, books, second, report } = await heldShop()
      const { eventId } = await decide(held.id, act)
      const before = await books()
      expect(await report(second)).toMatchObject({ outcome: 'duplicate', eventId })
      expect(await books()).toEqual(before)
    },
  )

  test('the other acts of held postbacks are not for it', async () => {
    const { held } = await heldShop()
    for (const act of ['refuse', 'record', 'another-order'])
      expect(await preview(held.id, act as Act)).toMatchObject({ state: 'impossible' })
  })

  test('two people who decide at once decide once', async () => {
    for (const acts of [
      ['take-this', 'take-this'],
      ['take-this', 'both-count'],
      ['take-this', 'keep-first'],
    ]) {
      const { held, books } = await heldShop()
      const results = await Promise.all(
        acts.map(async (act) => {
          const body = { ids: [held.id], act, reason: 'Two tabs' }
          const { items } = (await call(superadmin, settleHeldPostbacks, { body })).body
          return (items as HeldResult[])[0]
        }),
      )
      expect(new Set(results.map((result) => result?.state))).toEqual(
        new Set(['impossible', 'settled']),
      )
      const changes = results.flatMap((result) => result?.changes ?? [])
      expect(await books()).toHaveLength(1 + changes.length)
    }
  })

  test('what was shown is not done if the first was reversed meanwhile; looked at again, the second only counts', async () => {
    const { held, books, first, report } = await heldShop()
    const { effect } = await preview(held.id, 'take-this')
    expect(await report(first, { event: 'void' })).toMatchObject({ status: 201 })
    const body = { ids: [held.id], act: 'take-this', reason: 'As seen' }
    const seen = [{ id: held.id, effect }]
    const late = await call(superadmin, settleHeldPostbacks, { body: { ...body, seen } })
    expect(late.body.items).toMatchObject([{ state: 'held' }])
    expect(await books()).toEqual(['ours 1×0 100', 'ours -1×0 -100'])

    expect(await decide(held.id, 'take-this')).toMatchObject({
      changes: [{ quantity: 1, agentId: otherAgent, payout: 200 }],
      reason: null,
    })
    expect(await books()).toEqual(['ours 1×0 100', 'ours -1×0 -100', 'theirs 1×0 200'])
    await verified()
  })

  test('a refund by order number takes back the second once the order is its', async () => {
    const { held, books, report } = await heldShop()
    await decide(held.id, 'take-this')
    expect(await report(null, { event: 'void' })).toMatchObject({ status: 201 })
    expect((await books()).slice(3)).toEqual(['theirs -1×0 -200'])
    expect(await report(null, { event: 'void' })).toMatchObject({ outcome: 'duplicate' })
  })

  test('a refund that names the click which lost the order is held', async () => {
    const { held, books, first, second, report } = await heldShop()
    await decide(held.id, 'take-this')
    expect(await report(first, { event: 'void' })).toMatchObject({ status: 409 })
    expect(await report(second, { event: 'void' })).toMatchObject({ status: 201 })
    expect((await books()).slice(3)).toEqual(['theirs -1×0 -200'])
  })

  test('a refund of an order that counts for both is of the click that it names, and held without one', async () => {
    const { held, books, first, second, report } = await heldShop()
    await decide(held.id, 'both-count')
    const unclear = await report(null, { event: 'void' })
    expect(unclear).toMatchObject({
      status: 409,
      reason: 'Several clicks have a sale with this transaction id.',
    })
    expect(await report(first, { event: 'void' })).toMatchObject({ status: 201 })
    expect(await report(first, { event: 'void' })).toMatchObject({ outcome: 'duplicate' })
    expect(await report(second, { event: 'void' })).toMatchObject({ status: 201 })
    expect((await books()).slice(2)).toEqual(['ours -1×0 -100', 'theirs -1×0 -200'])
    await verified()
  })

  test('of a refund without a click, staff choose the sale', async () => {
    const { held, books, first, report } = await heldShop()
    const { eventId } = await decide(held.id, 'both-count')
    await report(first, { event: 'void' })
    clock.advance(60_000)
    const { id } = await report(null, { event: 'chargeback', time: clock.peek().toISOString() })
    const [now] = await db.selectFrom('postbacks').select('outcome').where('id', '=', id).execute()
    // Only one still counts, so that it is clear.
    expect(now?.outcome).toBe('recorded')
    expect((await books()).at(-1)).toBe('theirs -1×0 -200')
    expect(eventId).not.toBeNull()
  })

  test('the first can get its order back, if it is reported again', async () => {
    const { held, books, first, report } = await heldShop()
    await decide(held.id, 'take-this')
    clock.advance(60_000)
    const again = await report(first, {
      time: new Date(clock.peek().getTime() - 1_000).toISOString(),
    })
    expect(again).toMatchObject({ status: 409, outcome: 'conflict' })
    expect(again.reason).toContain('The order was given to another click')
    expect(await decide(again.id, 'take-this')).toMatchObject({
      changes: [
        { quantity: -1, agentId: otherAgent, payout: -200 },
        { quantity: 1, agentId, payout: 100, isRestored: true },
      ],
    })
    expect((await books()).slice(3)).toEqual(['theirs -1×0 -200', 'ours 1×0 100'])
    await verified()
  })

  test('a bonus of the order counts for the click that has it, and is held for the one that lost it', async () => {
    const { held, books, first, second, report, typeId } = await heldShop()
    await db.updateTable('link_types').set({ bonus: true }).where('id', '=', typeId).execute()
    await decide(held.id, 'take-this')
    expect(await report(first, { event: 'bonus' })).toMatchObject({
      status: 409,
      reason: expect.stringContaining('The order was taken back'),
    })
    expect(await report(second, { event: 'bonus' })).toMatchObject({ status: 201 })
    expect((await books()).at(-1)).toMatch(/^theirs 1×1/)
  })

  test('takes back the bonus and every product of the order with its sale', async () => {
    const made = await shop({ several_products: true })
    const alias = 'pro'
    await buildLinkType(db, { site_id: made.siteId, typealias: alias })
    await db.updateTable('link_types').set({ bonus: true }).where('id', '=', made.typeId).execute()
    for (const fields of [{}, { event: 'bonus' }, { type: alias }])
      expect(await made.report(made.first, fields)).toMatchObject({ status: 201 })
    const held = await made.report(made.second)
    const { changes } = await decide(held.id, 'take-this')
    expect(changes.map(({ quantity }) => quantity)).toEqual([-1, -1, -1, 1])
    // The further product of the click that has the order now needs no decision.
    expect(await made.report(made.second, { type: alias })).toMatchObject({ status: 201 })
    expect(await made.report(made.second, { type: alias })).toMatchObject({ outcome: 'duplicate' })
    await verified()
  })

  test('a third click is decided about like the second', async () => {
    const { held, books, click, report } = await heldShop()
    await decide(held.id, 'take-this')
    const third = await click({ uncounted: 'too many' })
    const again = await report(third)
    expect(again).toMatchObject({ status: 409 })
    expect((await decide(again.id, 'take-this')).changes).toMatchObject([
      { quantity: -1, agentId: otherAgent },
      { quantity: 1, agentId },
    ])
    expect(await report(null, { event: 'void' })).toMatchObject({ status: 201 })
    expect((await books()).slice(3)).toEqual(['theirs -1×0 -200', 'ours 1×0 100', 'ours -1×0 -100'])
  })

  test('counts for five clicks at most', async () => {
    const { held, books, click, report } = await heldShop()
    await decide(held.id, 'both-count')
    for (let more = 0; more < 3; more++) {
      const { id } = await report(await click({ uncounted: 'too many' }))
      await decide(id, 'both-count')
    }
    const { id } = await report(await click({ uncounted: 'too many' }))
    expect(await preview(id, 'both-count')).toMatchObject({
      state: 'held',
      reason: 'An order can be counted for 5 clicks at most. Keep the first.',
    })
    expect(await books()).toHaveLength(5)
  })

  test('if the agent of the first is deleted, there is nothing to take back; of the second, nothing to count', async () => {
    const erase = async (id: number) => {
      const who = viewer(undefined, ['DELETE_AGENTS'])
      const answer = await call(who, agentsEndpoints.deleteAgent, { params: { id } })
      expect(answer.status).toBe(200)
    }
    for (const act of ['take-this', 'both-count'] as const) {
      const { click, report, second, books } = await shop()
      const gone = await buildAgent(db, { office_id: officeId })
      expect(await report(await click({ agent_id: gone, uncounted: 'too many' }))).toMatchObject({
        status: 201,
      })
      const held = await report(second)
      await erase(gone)
      expect((await decide(held.id, act)).changes).toMatchObject([{ quantity: 1, payout: 200 }])
      expect(await books()).toEqual(['theirs 1×0 200'])
    }
    const { click, report, first, books } = await shop()
    const gone = await buildAgent(db, { office_id: officeId })
    expect(await report(first)).toMatchObject({ status: 201 })
    const held = await report(await click({ agent_id: gone, uncounted: 'too many' }))
    await erase(gone)
    expect(await preview(held.id, 'take-this')).not.toMatchObject({ state: 'settled' })
    expect(await books()).toEqual(['ours 1×0 100'])
    expect(await decide(held.id, 'keep-first')).toMatchObject({ state: 'settled' })
  })

  test('the sides say whose click, of which office, when and how much, and which sale is recorded', async () => {
    const { held, first, siteId } = await heldShop()
    const sides = async (who = superadmin) =>
      call(who, heldPostbacksEndpoints.heldSides, { params: { id: held.id } })
    const { body } = await sides()
    const [sale] = await eventsOf(siteId)
    expect(body).toMatchObject({
      recorded: [
        {
          eventId: sale?.id,
          agentId,
          companyId: officeId,
          isReversed: false,
          payout: 100,
          amount: null,
        },
      ],
      reported: { agentId: otherAgent, companyId: otherOffice, amount: null },
    })
    expect(body.recorded[0].clickedAt).toBe(
      new Date(decodeClickId(first)?.clickedAtMs ?? 0).toISOString(),
    )
    await decide(held.id, 'take-this')
    expect((await sides()).body.recorded).toMatchObject([
      { agentId: otherAgent, isReversed: false, payout: 200 },
      { agentId, isReversed: true, payout: 0 },
    ])
    const missing = { params: { id: '018f2c5e-0000-7000-8000-000000000001' } }
    expect((await call(superadmin, heldPostbacksEndpoints.heldSides, missing)).status).toBe(404)
  })

  test('a paid click can’t be taken back', async () => {
    const made = await shop()
    expect(await made.report(made.first, { event: 'click' })).toMatchObject({ status: 201 })
    const { id } = await made.report(made.second, { event: 'click' })
    expect(await preview(id, 'take-this')).toMatchObject({
      state: 'held',
      reason: 'A paid click can’t be taken back. Keep the first, or count both.',
    })
    expect(await decide(id, 'both-count')).toMatchObject({
      outcome: 'recorded',
      changes: [{ quantity: 1, eventType: 2, payout: 0 }],
    })
  })

  test('a test of it is decided in the same way, and counts nothing', async () => {
    const made = await shop()
    const now = clock.peek()
    const first = makeTestClick(inbound.clickIds, made.typeId, now)
    const second = makeTestClick(inbound.clickIds, made.typeId, new Date(now.getTime() + 5_000))
    await made.report(first)
    const held = await made.report(second)
    expect(held).toMatchObject({ status: 409 })
    expect(await decide(held.id, 'take-this')).toMatchObject({ outcome: 'recorded' })
    expect(await made.report(second)).toMatchObject({ outcome: 'duplicate' })
    expect(await made.books()).toEqual([])
  })
})

describe('an admin, who may not decide', () => {
  const staff = viewer({ role: 'admin', officeId: undefined, agentId: undefined })
  const admin = { ...staff, accountId: 2, username: 'ann' }
  const { askForDecision } = heldPostbacksEndpoints
  const ask = async (id: string) => call(admin, askForDecision, { params: { id } })
  const facts = (id: string) =>
    db
      .selectFrom('facts')
      .select(['kind', 'subject', 'by_account_id as by'])
      .where(sql`subject ->> 'postbackId'`, '=', id)
      .execute()

  test('tells superadmins of a held postback, once a day for each', async () => {
    const { held } = await heldShop()
    const { held: other } = await heldShop()
    expect((await ask(held.id)).body).toEqual({ told: true })
    expect((await ask(held.id)).body).toEqual({ told: false })
    expect((await ask(other.id)).body).toEqual({ told: true })
    expect(await facts(held.id)).toEqual([
      {
        kind: 'decision.wanted',
        by: admin.accountId,
        subject: {
          postbackId: held.id,
          name: expect.stringMatching(/ · A-1$/),
          by: 'ann',
          reason: 'This order was already credited to another click.',
        },
      },
    ])
    clock.advance(86_400_000)
    expect((await ask(held.id)).body).toEqual({ told: true })
  })

  test('tells nobody of one that is settled, or of none', async () => {
    const { held } = await heldShop()
    await decide(held.id, 'keep-first')
    expect((await ask(held.id)).status).toBe(409)
    expect(await facts(held.id)).toEqual([])
    expect((await ask('018f2c5e-0000-7000-8000-000000000001')).status).toBe(404)
  })
})

describe('on a site with approve-sale', () => {
  test('the order moves with approval and sale, and the sale of its new click makes a pair with its approval', async () => {
    const { first, second, report, books } = await shop({ use_approve_sale: true })
    expect(await report(first, { event: 'approval' })).toMatchObject({ status: 201 })
    expect(await report(first, { event: 'sale' })).toMatchObject({ status: 201 })
    const held = await report(second, { event: 'approval' })
    expect(held).toMatchObject({ status: 409 })
    expect((await decide(held.id, 'take-this')).changes).toMatchObject([
      { quantity: -1, agentId, eventType: 0, useApproveSale: true },
      { quantity: -1, agentId, eventType: 1, useApproveSale: true },
      { quantity: 1, agentId: otherAgent, eventType: 0, useApproveSale: true },
    ])
    expect(await report(second, { event: 'sale' })).toMatchObject({ status: 201 })
    expect((await books()).map((line) => line.slice(0, -3).trim()).slice(4)).toHaveLength(2)
    expect(
      (await books()).filter((line) => line.startsWith('theirs')).map((line) => line.slice(0, 10)),
    ).toEqual(['theirs 1×0', 'theirs 1×1'])
    expect(await report(second, { event: 'sale' })).toMatchObject({ outcome: 'duplicate' })
    await verified()
  })

  test('the sale of the click that lost its approval is held', async () => {
    const { first, second, report } = await shop({ use_approve_sale: true })
    await report(first, { event: 'approval' })
    const held = await report(second, { event: 'approval' })
    await decide(held.id, 'take-this')
    expect(await report(first, { event: 'sale' })).toMatchObject({ status: 409 })
    expect(await report(second, { event: 'sale' })).toMatchObject({ status: 201 })
  })

  test('both count with their own approvals and sales', async () => {
    const { first, second, report, books } = await shop({ use_approve_sale: true })
    await report(first, { event: 'approval' })
    const held = await report(second, { event: 'approval' })
    await decide(held.id, 'both-count')
    expect(await report(first, { event: 'sale' })).toMatchObject({ status: 201 })
    expect(await report(second, { event: 'sale' })).toMatchObject({ status: 201 })
    expect((await books()).map((line) => line.replace(/ [^ ]*$/, ''))).toEqual([
      'ours 1×0',
      'theirs 1×0',
      'ours 1×1',
      'theirs 1×1',
    ])
  })
})
