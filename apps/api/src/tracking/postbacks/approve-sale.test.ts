import type { CountedEvent } from '@tallyroom/domain/event-types'
import { afterEach, describe, expect, test } from 'vitest'
import { withoutWorkers } from '../../../test/database.ts'
import { execute } from '../../../test/test-server.ts'
import { buildClick, buildFee, buildRate } from '../../../test/build-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import type { Layout } from '../../db/citus/layout.ts'
import { storesOf } from '../../start/stores.ts'
import { receivePostback } from './receive-postback.ts'
import { settleWaiting } from './settle-waiting.ts'
import { makeTestClick } from './test-postback.ts'

const { db, clock, services, inbound, app, officeId, agentId, merchant, eventsOf } =
  await postbackWorld()

/** The layout for which sales are written from now on; each test begins with the database's own. */
const layoutOf = (layout: Layout) => Object.assign(inbound, storesOf({ layout }))
afterEach(() => layoutOf(services.layout))

/** A single server can be written to in both ways. */
const layouts: Layout[] =
  services.layout === 'together' ? ['together', 'distributed'] : ['distributed']
if (services.layout === 'together') await execute(services.connection, withoutWorkers('public'))

/** What the link type, or the office's own rates, pay for the second event. */
const RATES = {
  'a link type without Day#2 rates': {},
  'a link type with Day#2 rates': { bonus_earning_cents: 9_00, bonus_payout_centavos: 90_00 },
  // Only the amounts count: a bonus that is ticked but has none pays nothing.
  'a link type whose bonus is ticked, without amounts': { bonus: true },
  'own rates without Day#2 beside a link type with them': {
    bonus_earning_cents: 9_00,
    bonus_payout_centavos: 90_00,
    own: { bonus_earning_cents: 0, bonus_payout_centavos: 0, bonus_lpp: 0 },
  },
  'own rates with Day#2 beside a link type without them': {
    own: { bonus_earning_cents: 3_00, bonus_payout_centavos: 30_00, bonus_lpp: 0 },
  },
} as const
type RatesName = keyof typeof RATES
type BonusAmounts = {
  bonus_earning_cents?: number
  bonus_payout_centavos?: number
  bonus_lpp?: number
}
type Amounts = BonusAmounts & { bonus?: boolean; own?: BonusAmounts }

async function shop(useApproveSale: boolean, rates: RatesName) {
  const made = await merchant({ use_approve_sale: useApproveSale })
  const { own, bonus = false, ...ofType }: Amounts = RATES[rates]
  await db.updateTable('link_types').set({ bonus }).where('id', '=', made.typeId).execute()
  await buildRate(db, { type_id: made.typeId, ...ofType })
  if (own) await buildFee(db, { type_id: made.typeId, office_id: officeId, ...own })
  const cid = await made.click()
  return {
    ...made,
    cid,
    setFlag: async (flag: boolean) => {
      await db
        .updateTable('sites')
        .set({ use_approve_sale: flag })
        .where('id', '=', made.siteId)
        .execute()
      await inbound.sites.reload()
    },
    report: async (event: string, more: Record<string, string> = {}) =>
      (await made.get({ cid, tid: 'T', event, ...more })).json<{
        id: string
        outcome: string
        eventId?: string
      }>(),
    /** `event type × quantity at pesos`, in the order of recording. */
    books: async () =>
      (await eventsOf(made.siteId)).map(
        (row) => `${row.event_type}×${row.quantity} at ${row.payout_centavos / 100}`,
      ),
  }
}

const WITHOUT = 'a link type without Day#2 rates'
const WITH = 'a link type with Day#2 rates'
const TICKED = 'a link type whose bonus is ticked, without amounts'
const OWN_WITHOUT = 'own rates without Day#2 beside a link type with them'
const OWN_WITH = 'own rates with Day#2 beside a link type without them'

/**
 * Counted by hand: a report under one flag, then again under the other, then reversed. The link
 * type pays ₱500 for event 0, an office's own rates ₱700.
 */
const table: [word: CountedEvent, flag: boolean, rates: RatesName, event: string][] = [
  ['sale', false, WITHOUT, '0×1 at 500'],
  ['sale', false, WITH, '0×1 at 500'],
  ['sale', false, TICKED, '0×1 at 500'],
  ['sale', false, OWN_WITHOUT, '0×1 at 700'],
  ['sale', false, OWN_WITH, '0×1 at 700'],
  ['sale', true, WITHOUT, '0×1 at 500'],
  ['sale', true, WITH, '1×1 at 90'],
  ['sale', true, TICKED, '0×1 at 500'],
  ['sale', true, OWN_WITHOUT, '0×1 at 700'],
  ['sale', true, OWN_WITH, '1×1 at 30'],
  ['approval', true, WITHOUT, '0×1 at 500'],
  ['approval', true, WITH, '0×1 at 500'],
  ['approval', true, OWN_WITH, '0×1 at 700'],
  ['bonus', false, WITHOUT, '1×1 at 0'],
  ['bonus', false, WITH, '1×1 at 0'],
  ['bonus', true, WITHOUT, '1×1 at 0'],
  ['bonus', true, WITH, '1×1 at 90'],
  ['bonus', true, OWN_WITH, '1×1 at 30'],
  ['click', false, WITH, '2×1 at 0'],
  ['click', true, WITH, '2×1 at 0'],
]
const negated = (event: string) => event.replace('×1 at ', '×-1 at -').replace('-0', '0')

describe.each(table)('%s with approve-sale %s, for %s: %s', (word, flag, rates, event) => {
  test('counts once across a change of the flag, and is reversed once', async () => {
    const { report, books, setFlag } = await shop(flag, rates)
    expect((await report(word)).outcome).toBe('recorded')
    expect(await books()).toEqual([event])

    await setFlag(!flag)
    expect((await report(word)).outcome).toBe('duplicate')
    await setFlag(flag)
    expect((await report(word)).outcome).toBe('duplicate')
    expect(await books()).toEqual([event])
    if (word === 'click') return

    await setFlag(!flag)
    expect((await report('void', { reverses: word })).outcome).toBe('recorded')
    await setFlag(flag)
    for (const reversal of ['void', 'chargeback', 'fraud']) {
      expect((await report(reversal, { reverses: word })).outcome).toBe('duplicate')
      expect((await report(reversal)).outcome).toBe('duplicate')
    }
    expect(await books()).toEqual([event, negated(event)])
    await db.updateTable('agents').set({ fraud_flagged_at: null }).execute()
  })

  test('is interpreted by the flag at the time it arrived, if it waits', async () => {
    const { typeId, siteId, get, books, setFlag } = await shop(flag, rates)
    const clickedAt = clock.peek()
    const fields = { agentId, typeId, clickedAtMs: clickedAt.getTime(), nonce: siteId }
    const late = { cid: inbound.clickIds.sign(fields), tid: 'T', event: word }
    expect((await get(late)).json().outcome).toBe('waiting')
    await setFlag(!flag)
    const row = { agent_id: agentId, office_id: officeId, site_id: siteId, type_id: typeId }
    await buildClick(db, { ...row, clicked_at: clickedAt, nonce: siteId })
    clock.advance(5_000)
    await settleWaiting(services)
    expect(await books()).toEqual([event])
    expect((await get(late)).json().outcome).toBe('duplicate')
    expect(await books()).toEqual([event])
  })
})

describe('an approval and a sale of one order are two events', () => {
  const pairs: [first: CountedEvent, second: CountedEvent, rates: RatesName, books: string[]][] = [
    ['approval', 'sale', WITH, ['0×1 at 500', '1×1 at 90']],
    ['sale', 'approval', WITH, ['1×1 at 90', '0×1 at 500']],
    ['approval', 'sale', WITHOUT, ['0×1 at 500', '1×1 at 0']],
    ['sale', 'approval', WITHOUT, ['0×1 at 500', '1×1 at 0']],
    ['approval', 'sale', OWN_WITH, ['0×1 at 700', '1×1 at 30']],
  ]
  test.each(pairs)('%s, then %s, for %s', async (first, second, rates, expected) => {
    const { report, books } = await shop(true, rates)
    for (const word of [first, second]) expect((await report(word)).outcome).toBe('recorded')
    for (const word of [second, first]) expect((await report(word)).outcome).toBe('duplicate')
    expect(await books()).toEqual(expected)

    const reversed = await report('void', { reverses: second })
    expect(reversed.outcome).toBe('recorded')
    expect((await report('chargeback', { reverses: second })).outcome).toBe('duplicate')
    expect((await report('void', { reverses: first })).outcome).toBe('recorded')
    expect(await books()).toEqual([
      ...expected,
      ...[expected[1] ?? '', expected[0] ?? ''].map(negated),
    ])
  })

  test('the sale of an approval from before the flag was unset is its second day', async () => {
    const { report, books, setFlag } = await shop(true, WITH)
    await report('approval')
    await setFlag(false)
    expect((await report('sale')).outcome).toBe('recorded')
    expect(await books()).toEqual(['0×1 at 500', '1×1 at 90'])
  })

  test('also when both arrive at once, twenty times each', async () => {
    const { report, books } = await shop(true, WITHOUT)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => report(index % 2 === 0 ? 'sale' : 'approval')),
    )
    expect(answers.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(2)
    expect(answers.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(38)
    expect((await books()).toSorted()).toEqual(['0×1 at 500', '1×1 at 0'])
  })

  test('and orders with other numbers are not a pair', async () => {
    const { report, books } = await shop(true, WITHOUT)
    await report('approval')
    await report('sale', { tid: 'another' })
    expect(await books()).toEqual(['0×1 at 500', '0×1 at 500'])
  })
})

test('a sale delivered at once by processes with old and new flags counts once', async () => {
  const { siteId, report, books, setFlag, cid } = await shop(false, WITH)
  const site = await inbound.sites.find(siteId)
  if (!site) throw new Error('it was built a moment ago')
  const arrival = { method: 'GET', ip: '192.0.2.1', receivedAt: clock.peek() }
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      receivePostback(inbound, { ...site, useApproveSale: index % 2 === 0 }, arrival, [
        ['cid', cid],
        ['tid', 'T'],
      ]),
    ),
  )
  expect(answers.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(1)
  expect(await books()).toHaveLength(1)
  await setFlag(true)
  expect((await report('sale')).outcome).toBe('duplicate')
})

describe('an approval on a site without approve-sale', () => {
  test('is refused, but recognized if it was recorded while there was one', async () => {
    const { report, books, setFlag } = await shop(true, WITH)
    await report('approval')
    await setFlag(false)
    expect((await report('approval')).outcome).toBe('duplicate')
    expect(await report('approval', { tid: 'new' })).toMatchObject({
      outcome: 'refused',
      data: {
        event: [
          'is not an event of this site. Use one of sale, bonus, click, rebill, void, chargeback, fraud',
        ],
      },
    })
    const cid = makeTestClick(inbound.clickIds, 1, clock.peek())
    expect((await report('approval', { cid })).outcome).toBe('refused')
    expect(await books()).toEqual(['0×1 at 500'])
  })
})

describe('a reversal', () => {
  test('without a word reverses the sale and its approval, then nothing', async () => {
    const { report, books } = await shop(true, WITH)
    await report('sale')
    await report('approval')
    expect((await report('void')).outcome).toBe('recorded')
    expect((await report('chargeback')).outcome).toBe('duplicate')
    expect(await books()).toEqual(['1×1 at 90', '0×1 at 500', '0×-1 at -500', '1×-1 at -90'])
  })

  /** What was reported under which flag, and by which word it is found under the other. */
  test.each([
    ['approval', true, 'sale', false],
    ['sale', false, 'approval', true],
    ['bonus', false, 'sale', true],
    ['sale', true, 'bonus', false],
  ] as const)(
    'of a %s with approve-sale %s is found as %s with %s',
    async (word, flag, as, then) => {
      const { report, books, setFlag } = await shop(flag, WITH)
      await report(word)
      await setFlag(then)
      expect((await report('void', { reverses: as })).outcome).toBe('recorded')
      const [event = ''] = await books()
      expect(await books()).toEqual([event, negated(event)])
    },
  )

  test('of a sale waits for it, even though its approval exists', async () => {
    const { report, books } = await shop(true, WITH)
    await report('approval')
    expect((await report('void', { reverses: 'sale' })).outcome).toBe('waiting')
    await report('sale')
    clock.advance(5_000)
    await settleWaiting(services)
    expect(await books()).toEqual(['0×1 at 500', '1×1 at 90', '1×-1 at -90'])
  })

  test('by click alone finds what was reported with that word', async () => {
    const { report, books, setFlag } = await shop(true, WITH)
    const noOrder = { tid: '' }
    await report('sale', noOrder)
    await report('bonus', noOrder)
    await setFlag(false)
    expect((await report('sale', noOrder)).outcome).toBe('duplicate')
    expect((await report('void', { ...noOrder, reverses: 'sale' })).outcome).toBe('recorded')
    await setFlag(true)
    expect((await report('void', { ...noOrder, reverses: 'sale' })).outcome).toBe('duplicate')
    expect((await report('void', { ...noOrder, reverses: 'bonus' })).outcome).toBe('recorded')
    expect(await books()).toEqual(['1×1 at 90', '1×1 at 90', '1×-1 at -90', '1×-1 at -90'])
  })
})

test('an array and the merchant’s own event names follow the same rule', async () => {
  const { siteId, key, url, click } = await merchant({
    use_approve_sale: true,
    event_words: JSON.stringify({ lead: 'approval', deal: 'sale' }),
  })
  const cid = await click()
  const send = async () => {
    const payload = ['lead', 'deal', 'deal', 'sale'].map((event) => ({ cid, tid: 'T', event, key }))
    const answer = await app.inject({ method: 'POST', url, payload })
    return answer.json<{ outcome: string }[]>().map(({ outcome }) => outcome)
  }
  expect(await send()).toEqual(['recorded', 'recorded', 'duplicate', 'duplicate'])
  await db.updateTable('sites').set({ use_approve_sale: false }).where('id', '=', siteId).execute()
  await inbound.sites.reload()
  expect(await send()).toEqual(['duplicate', 'duplicate', 'duplicate', 'duplicate'])
  expect((await eventsOf(siteId)).map(({ event_type }) => event_type)).toEqual([0, 1])
})

describe.each(layouts)('older keys, %s', (layout) => {
  /** Keys as they used to be: by the event type derived from approve-sale. */
  const age = async (siteId: number) => {
    const events = new Map((await eventsOf(siteId)).map((event) => [event.id, event]))
    const keys = await db
      .selectFrom('sale_keys')
      .selectAll()
      .where('event_id', 'in', [...events.keys()])
      .execute()
    const ids = [...events.keys()].map((id) => `'${id}'`).join(', ')
    await execute(services.connection, `delete from sale_keys where event_id in (${ids})`)
    for (const key of keys) {
      const event = events.get(key.event_id)
      const sale_key =
        event?.quantity === 1
          ? key.sale_key.replace(/[^:]+$/, String(event.event_type))
          : key.sale_key.replace(/\/sale$/, '/1').replace(/\/approval$/, '/0')
      await db
        .insertInto('sale_keys')
        .values({ ...key, sale_key, reported: null })
        .execute()
    }
    return keys.length
  }

  test.each([
    ['sale', false, WITH],
    ['sale', true, WITH],
    ['sale', true, WITHOUT],
    ['approval', true, WITH],
    ['bonus', false, WITH],
    ['bonus', true, WITH],
    ['click', false, WITH],
  ] as const)('%s, approve-sale %s, for %s: a retry is a duplicate', async (word, flag, rates) => {
    const { siteId, report, books, setFlag } = await shop(flag, rates)
    const first = await report(word)
    expect(await age(siteId)).toBe(1)
    const before = await books()
    layoutOf(layout)
    for (const now of [flag, !flag]) {
      await setFlag(now)
      expect(await report(word)).toMatchObject({ outcome: 'duplicate', eventId: first.eventId })
    }
    expect(await books()).toEqual(before)
    if (word === 'click') return
    expect((await report('void', { reverses: word })).outcome).toBe('recorded')
    expect((await report('chargeback')).outcome).toBe('duplicate')
    expect(await books()).toHaveLength(2)
  })

  test('an approval and its sale are recognized, and a bonus hides no sale', async () => {
    const { siteId, report, books, setFlag } = await shop(true, WITH)
    await report('approval')
    await report('sale')
    await report('bonus', { tid: 'B' })
    await report('void', { reverses: 'sale' })
    expect(await age(siteId)).toBe(5)
    layoutOf(layout)
    for (const now of [true, false]) {
      await setFlag(now)
      expect((await report('approval')).outcome).toBe('duplicate')
      // Reversed: it may be a retry, or the customer has paid again.
      expect((await report('sale')).outcome).toBe('conflict')
      expect((await report('void', { reverses: 'sale' })).outcome).toBe('duplicate')
      expect((await report('bonus', { tid: 'B' })).outcome).toBe('duplicate')
    }
    expect((await report('sale', { tid: 'B' })).outcome).toBe('recorded')
    expect((await report('void', { reverses: 'approval' })).outcome).toBe('recorded')
    expect(await books()).toHaveLength(6)
  })
})
