import { fc, test as property } from '@fast-check/vitest'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { postbackWorld } from '../../../test/postback-world.ts'
import { openDatabase } from '../../db/database.ts'
import { settleWaiting } from '../postbacks/settle-waiting.ts'

/**
 * Two identical worlds with the same ids: one writes as on a single server, the other as on a
 * distributed database.
 */
const [together, distributed] = [
  await postbackWorld({ layout: 'together' }),
  await postbackWorld({ layout: 'distributed' }),
]

const events = ['sale', 'approval', 'bonus', 'click', 'void', 'chargeback', 'fraud'] as const

const report = fc.record({
  event: fc.constantFrom(...events),
  click: fc.integer({ min: 0, max: 2 }),
  transaction: fc.constantFrom(undefined, 'A', 'B'),
  reverses: fc.constantFrom(undefined, 'sale', 'bonus'),
  useApproveSale: fc.boolean(),
})

type Report = typeof report extends fc.Arbitrary<infer Value> ? Value : never
type World = typeof together

/**
 * The answers to one history and the rows that it leaves, except for ids and keys, which always
 * differ.
 */
async function play(world: World, reports: readonly Report[]) {
  const merchant = await world.merchant()
  const clicks = [
    await merchant.click({ nonce: merchant.siteId * 3 }),
    await merchant.click({ nonce: merchant.siteId * 3 + 1, uncounted: 'blacklisted' }),
    // Signed, but the click's row never arrived.
    world.inbound.clickIds.sign({
      agentId: world.agentId,
      typeId: merchant.typeId,
      clickedAtMs: Date.parse('2026-03-10T15:00:00Z'),
      nonce: merchant.siteId * 3 + 2,
    }),
  ]
  const answers = []
  for (const { event, click, transaction, reverses, useApproveSale } of reports) {
    await world.db
      .updateTable('sites')
      .set({ use_approve_sale: useApproveSale })
      .where('id', '=', merchant.siteId)
      .execute()
    await world.inbound.sites.reload()
    const answer = await merchant.get({
      event,
      click_id: clicks[click] ?? '',
      ...(transaction && { transaction_id: transaction }),
      ...(reverses && { reverses }),
    })
    answers.push([answer.statusCode, outcomeIn(answer.json())])
  }
  await settleWaiting(world.services)
  return { answers, ...(await leftBy(world, merchant.siteId)) }
}

const outcomeIn = (answer: { outcome?: string; reason?: string }) => [answer.outcome, answer.reason]

async function leftBy({ db }: World, siteId: number) {
  const { rows: sales } = await sql<{ sale: string }>`
    select concat_ws(' ', agent_id, type_id, office_id, event_type, quantity, earning_cents, payout_centavos, lpp,
      rate_source, fraud, transaction_id, reversal) as sale
    from sale_events where site_id = ${siteId} order by 1
  `.execute(db)
  const { rows: pending } = await sql<{ total: string }>`
    select concat_ws(' ', day, agent_id, office_id, type_id, sum(sales), sum(bonus_sales), sum(earning_cents),
      sum(payout_centavos), sum(lpp)) as total
    from totals_pending where site_id = ${siteId} group by day, agent_id, office_id, type_id order by 1
  `.execute(db)
  const { rows: postbacks } = await sql<{ postback: string }>`
    select concat_ws(' ', outcome, reason, event, transaction_id, agent_id, type_id, event_id is not null) as postback
    from postbacks where site_id = ${siteId} order by 1
  `.execute(db)
  return { sales, pending, postbacks }
}

property.prop([fc.array(report, { minLength: 1, maxLength: 10 })], { numRuns: 25 })(
  'the same postbacks are answered alike and leave the same rows, however the database lies',
  async (reports) => {
    expect(await play(distributed, reports)).toEqual(await play(together, reports))
  },
)

// The tests' database refuses to commit its key, on a worker, and its postback, on the coordinator, one without the other.
test('a reversal that changes nothing is remembered with its postback, on a distributed database, too', async () => {
  const merchant = await distributed.merchant()
  const order = { click_id: await merchant.click(), transaction_id: 'back' }
  const answers = [await merchant.get(order)]
  for (const event of ['void', 'chargeback', 'chargeback']) {
    answers.push(await merchant.get({ ...order, event }))
  }
  expect(answers.map((answer) => answer.json<{ outcome: string }>().outcome)).toEqual([
    'recorded',
    'recorded',
    'duplicate',
    'duplicate',
  ])
})

test('of the same postback sent twenty times at once, one is recorded on a distributed database', async () => {
  const merchant = await distributed.merchant()
  const click = await merchant.click()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => merchant.get({ click_id: click, transaction_id: 'once' })),
  )
  const outcomes = answers.map((answer) => answer.json<{ outcome: string }>().outcome)
  expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(19)
  expect((await leftBy(distributed, merchant.siteId)).postbacks).toHaveLength(20)
})

test('a sale that fails half-way leaves nothing, on a distributed database, too', async () => {
  const merchant = await distributed.merchant()
  const click = await merchant.click()
  const owner = openDatabase(distributed.services.connection, {
    max: 1,
    applicationName: 'test',
    asOwner: true,
  })
  onTestFinished(() => owner.close())
  await sql`alter table totals_pending add constraint fails check (sales = 0) not valid`.execute(
    owner.db,
  )
  const failing = await merchant.get({ click_id: click, transaction_id: 'half' })
  await sql`alter table totals_pending drop constraint fails`.execute(owner.db)
  expect(failing.statusCode).toBe(500)
  expect(await leftBy(distributed, merchant.siteId)).toEqual({
    sales: [],
    pending: [],
    postbacks: [],
  })
  const again = await merchant.get({ click_id: click, transaction_id: 'half' })
  expect(again.json()).toMatchObject({ outcome: 'recorded' })
})
