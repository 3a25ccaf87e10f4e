import { describe, expect, test } from 'vitest'
import { buildCoupon } from '../../../test/build-world.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { findReadings } from './readings.ts'
import { settleWaiting } from './settle-waiting.ts'
import { makeTestClick } from './test-postback.ts'

const { app, db, clock, services, inbound, agentId, eventsOf, kept, merchant } =
  await postbackWorld()

/** A site whose merchant has this shop, with that shop's own status words. */
async function shopOf(tracker: 'shopify' | 'woocommerce', part_rule = 'in-proportion') {
  const statuses = {
    paid: 'counts',
    processing: 'counts',
    completed: 'counts',
    partially_paid: 'pending',
    voided: 'reverses',
    refunded: 'reverses',
  }
  const status_words = JSON.stringify(statuses)
  const shop = await merchant({ tracker, part_rule, status_words })
  const post = async (payload: object | string) => {
    clock.advance(60_000)
    const answer = await app.inject({
      method: 'POST',
      url: `${shop.url}?key=${shop.key}`,
      payload,
      headers: {
        'content-type':
          typeof payload === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
      },
    })
    const body = answer.json<{ id: string; outcome: string; reason?: string }>()
    return { ...body, status: answer.statusCode }
  }
  const events = async () =>
    (await eventsOf(shop.siteId)).map(({ quantity, part_ppm }) => [quantity, part_ppm])
  return { ...shop, post, events }
}

/** As Shopify documents `orders/paid`, shortened where it repeats itself. */
const shopifyOrder = (attributes: object[], more: object = {}) => ({
  id: 820982911946154508n.toString(),
  admin_graphql_api_id: 'gid://shopify/Order/820982911946154508',
  app_id: null,
  browser_ip: null,
  buyer_accepts_marketing: true,
  cancel_reason: null,
  cancelled_at: null,
  cart_token: null,
  checkout_id: 901414060,
  checkout_token: 'bd5a8aa1ecd019dd3520ff791ee3a24c',
  client_details: { browser_ip: '0.0.0.0', user_agent: 'Mozilla/5.0', session_hash: null },
  confirmed: true,
  contact_email: 'jon@example.com',
  currency: 'USD',
  current_total_price: '400.00',
  customer_locale: 'en',
  discount_codes: [{ code: 'TEN', amount: '-10.00', type: 'fixed_amount' }],
  email: 'jon@example.com',
  estimated_taxes: false,
  financial_status: 'paid',
  fulfillment_status: null,
  gateway: 'visa',
  landing_site: null,
  name: '#1234',
  note: null,
  note_attributes: attributes,
  number: 234,
  order_number: 1234,
  order_status_url: 'https://shop.example/690933842/orders/123456abcd/authenticate?key=abcdefg',
  payment_gateway_names: ['visa', 'bogus'],
  presentment_currency: 'USD',
  processed_at: null,
  reference: null,
  referring_site: null,
  source_name: 'web',
  subtotal_price: '398.00',
  tags: '',
  test: false,
  token: '123456abcd',
  total_discounts: '10.00',
  total_price: '400.00',
  total_tax: '0.00',
  customer: { id: 115310627314723954n.toString(), email: 'john@example.com', state: 'disabled' },
  discount_applications: [{ type: 'manual', value: '10.0', value_type: 'fixed_amount' }],
  fulfillments: [],
  line_items: [
    { id: 866550311766439020n.toString(), price: '199.00', quantity: 2, properties: [] },
  ],
  refunds: [],
  shipping_lines: [{ id: 271878346596884015n.toString(), price: '10.00', title: 'Standard' }],
  ...more,
})

/** As Shopify documents `refunds/create`. */
const shopifyRefund = (id: string, amount: string, more: object = {}) => ({
  id,
  order_id: 820982911946154508n.toString(),
  created_at: null,
  note: 'Things were damaged',
  user_id: 548380009,
  processed_at: null,
  restock: true,
  admin_graphql_api_id: `gid://shopify/Refund/${id}`,
  refund_line_items: [{ id: '487817672276298627', quantity: 1, subtotal: 199, total_tax: 0 }],
  transactions: [
    {
      id: '245135271310201194',
      order_id: 820982911946154508n.toString(),
      kind: 'refund',
      status: 'success',
      amount,
      currency: 'USD',
      gateway: 'bogus',
      message: null,
    },
  ],
  order_adjustments: [],
  ...more,
})

describe('a Shopify webhook', () => {
  const of = (value: string) => [
    { name: 'click_id', value },
    { name: 'gift note', value: 'Hi!' },
  ]

  test('from click to reversal', async () => {
    const { post, events, click } = await shopOf('shopify')
    const order = shopifyOrder(of(await click()))
    const sale = await post(order)
    expect(sale).toMatchObject({ status: 201, outcome: 'recorded' })
    expect(await kept(sale.id)).toMatchObject({
      transaction_id: '1234',
      customer_email: 'jon@example.com',
      amount_e4: 4_000_000,
      currency: 'USD',
    })
    expect(await post(order)).toMatchObject({ status: 200, outcome: 'duplicate' })

    // Two refunds of the same amount are two, and a retry of either is none.
    expect(await post(shopifyRefund('890', '100.00'))).toMatchObject({ status: 201 })
    expect(await post(shopifyRefund('891', '100.00'))).toMatchObject({ status: 201 })
    expect(await post(shopifyRefund('891', '100.00'))).toMatchObject({ status: 200 })
    expect(await events()).toEqual([
      [1, null],
      [0, 250_000],
      [0, 250_000],
    ])
    const back = shopifyOrder(of(''), { financial_status: 'refunded' })
    expect(await post(back)).toMatchObject({ status: 201 })
    expect((await events()).at(-1)?.[0]).toBe(-1)
  })

  test('a refund of all takes back all', async () => {
    const { post, events, click } = await shopOf('shopify')
    await post(shopifyOrder(of(await click())))
    expect(await post(shopifyRefund('890', '400.00'))).toMatchObject({ status: 201 })
    expect(await events()).toEqual([
      [1, null],
      [-1, null],
    ])
  })

  test('a refund with event, order_id and amount, as the documents used to say, finds its order', async () => {
    const { post, events, click } = await shopOf('shopify')
    await post(shopifyOrder(of(await click())))
    const order_id = '820982911946154508'
    expect(await post({ id: '7', order_id, event: 'void', amount: '100.00' })).toMatchObject({
      status: 201,
    })
    expect(await events()).toEqual([
      [1, null],
      [0, 250_000],
    ])
  })

  test.each([
    ['that failed', { status: 'failure' }],
    ['that is pending', { status: 'pending' }],
    ['of nothing', { amount: '0.00' }],
    ['that is a capture', { kind: 'capture' }],
  ])('a refund with a transaction %s waits for a person', async (_, transaction) => {
    const { post, events, click } = await shopOf('shopify')
    await post(shopifyOrder(of(await click())))
    const refund = shopifyRefund('890', '100.00')
    const transactions = refund.transactions.map((one) => ({ ...one, ...transaction }))
    expect(await post({ ...refund, transactions })).toMatchObject({ status: 409 })
    expect(await events()).toEqual([[1, null]])
  })

  test('a refund in two currencies, and one of an order without an amount, wait for a person', async () => {
    const { post, events, click } = await shopOf('shopify')
    const order = shopifyOrder(of(await click()))
    const { total_price: _, ...bare } = order
    await post(bare)
    expect(await post(shopifyRefund('890', '100.00'))).toMatchObject({
      status: 409,
      reason: expect.stringContaining('no amount for the sale'),
    })
    const refund = shopifyRefund('891', '100.00')
    const transactions = ['USD', 'EUR'].flatMap((currency) =>
      refund.transactions.map((one) => ({ ...one, currency })),
    )
    expect(await post({ ...refund, transactions })).toMatchObject({ status: 409 })
    expect(await events()).toEqual([[1, null]])
  })

  test('a refund before its order waits for it, by the id of the order', async () => {
    const { post, events, click } = await shopOf('shopify')
    expect(await post(shopifyRefund('890', '400.00'))).toMatchObject({ outcome: 'waiting' })
    expect(await post(shopifyOrder(of(await click())))).toMatchObject({ status: 201 })
    clock.advance(60_000)
    await settleWaiting(services)
    expect(await events()).toEqual([
      [1, null],
      [-1, null],
    ])
  })

  test('an order by its id alone, and by its number alone, is no refund', async () => {
    const { post, events, click } = await shopOf('shopify')
    const click_id = await click()
    const financial_status = 'paid'
    expect(await post({ click_id, order_id: '1', financial_status })).toMatchObject({ status: 201 })
    expect(await post({ click_id, id: '2', financial_status })).toMatchObject({ status: 201 })
    expect(await events()).toEqual([
      [1, null],
      [1, null],
    ])
  })

  test('an order that was paid in part waits for the rest, also if a part of it goes back', async () => {
    const { post, events, click } = await shopOf('shopify')
    const note = of(await click())
    const order = (financial_status: string) =>
      shopifyOrder(note, { financial_status, total_price: '120.00' })
    expect(await post(order('partially_paid'))).toMatchObject({ outcome: 'pending' })
    expect(await post(shopifyRefund('890', '10.00'))).toMatchObject({ outcome: 'waiting' })
    expect(await post(order('paid'))).toMatchObject({ status: 201 })
    clock.advance(60_000)
    await settleWaiting(services)
    expect(await events()).toEqual([
      [1, null],
      [0, 83_333],
    ])
  })

  test('of another site’s order it takes back nothing', async () => {
    const [one, other] = [await shopOf('shopify'), await shopOf('shopify')]
    await one.post(shopifyOrder(of(await one.click())))
    expect(await other.post(shopifyRefund('890', '400.00'))).toMatchObject({ outcome: 'waiting' })
    expect(await one.events()).toEqual([[1, null]])
  })
})

describe('what a Shopify shop marks as a test', () => {
  const of = (value: string) => [{ name: 'click_id', value }]
  const says = { status: 200, outcome: 'ignored', reason: 'test=true says that it is a test.' }

  test('counts for nobody, is work for nobody, and claims nothing', async () => {
    const shop = await shopOf('shopify')
    const { siteId, post, events, click } = shop
    await buildCoupon(db, { site_id: siteId, agent_id: agentId, code: 'TEN' })
    await inbound.sites.reload()
    expect(await post(shopifyOrder(of(await click()), { test: true }))).toMatchObject(says)
    expect(await post(shopifyOrder([], { test: true }))).toMatchObject(says)
    // As Shopify sends it from the page of its webhooks.
    const sample = { test: true, financial_status: 'voided', cancel_reason: 'customer' }
    expect(await post(shopifyOrder([], sample))).toMatchObject(says)
    expect(await events()).toEqual([])
    const claims = db.selectFrom('coupon_orders').select('click_id').where('site_id', '=', siteId)
    expect(await claims.execute()).toEqual([])
    // The real order with its number counts.
    expect(await post(shopifyOrder(of(await click())))).toMatchObject({ status: 201 })
  })

  test('is a refund, too, if all of its transactions are', async () => {
    const { post, events, click } = await shopOf('shopify')
    const refund = shopifyRefund('890', '100.00')
    const transactions = (...tests: boolean[]) =>
      tests.flatMap((isTest) => refund.transactions.map((one) => ({ ...one, test: isTest })))
    expect(await post({ ...refund, transactions: transactions(true, true) })).toMatchObject({
      status: 200,
      outcome: 'ignored',
    })
    await post(shopifyOrder(of(await click())))
    expect(await post({ ...refund, transactions: transactions(true, false) })).toMatchObject({
      status: 201,
    })
    expect(await events()).toHaveLength(2)
  })

  test('tries a test click as any other report of it', async () => {
    const { typeId, post, events } = await shopOf('shopify')
    const click = makeTestClick(inbound.clickIds, typeId, clock.peek())
    const tried = await post(shopifyOrder(of(click), { test: true }))
    expect(tried).toMatchObject({ status: 201, outcome: 'recorded' })
    expect(await kept(tried.id)).toMatchObject({ test: true })
    expect(await events()).toEqual([])
  })

  test('has its counterpart in Awin', async () => {
    const { click, get } = await merchant({ tracker: 'awin' })
    const order = { cks: await click(), ref: '1' }
    const tried = await get({ ...order, testmode: '1' })
    expect([tried.statusCode, tried.json()]).toMatchObject([200, { outcome: 'ignored' }])
    expect((await get({ ...order, testmode: '0' })).statusCode).toBe(201)
  })

  test('marks nothing elsewhere', async () => {
    const { click, get } = await merchant()
    const click_id = await click()
    expect((await get({ click_id, tid: '1', test: 'true' })).statusCode).toBe(201)
  })
})

/** As WooCommerce documents an order, shortened where it repeats itself. */
const wooOrder = (meta_data: object[], more: object = {}) => ({
  id: 727,
  parent_id: 0,
  number: '727',
  order_key: 'wc_order_58d2d042d1d',
  created_via: 'rest-api',
  version: '3.0.0',
  status: 'processing',
  currency: 'USD',
  date_created: '2026-03-09T16:28:02',
  discount_total: '0.00',
  shipping_total: '10.00',
  total: '50.00',
  total_tax: '1.35',
  prices_include_tax: false,
  customer_id: 0,
  customer_note: '',
  billing: { first_name: 'John', email: 'john.doe@example.com', state: 'CA' },
  payment_method: 'bacs',
  transaction_id: '',
  date_paid: '2026-03-09T16:28:08',
  date_completed: null,
  cart_hash: '',
  meta_data,
  line_items: [{ id: 315, name: 'Woo Single #1', quantity: 2, total: '6.00', meta_data: [] }],
  tax_lines: [{ id: 318, rate_code: 'US-CA-STATE TAX', compound: false }],
  shipping_lines: [{ id: 317, method_title: 'Flat Rate', total: '10.00' }],
  fee_lines: [{ id: 319, name: 'Discount', total: '-5.00', amount: '-5' }],
  coupon_lines: [],
  refunds: [],
  ...more,
})

/** As WooCommerce documents a refund. */
const wooRefund = (id: number, amount: string) => ({
  id,
  parent_id: 727,
  date_created: '2026-03-10T16:31:48',
  amount,
  reason: '',
  refunded_by: 1,
  refunded_payment: false,
  meta_data: [],
  line_items: [{ id: 315, quantity: -1, total: `-${amount}` }],
})

describe('a WooCommerce webhook', () => {
  const of = (value: string) => [
    { id: 13106, key: '_download_permissions_granted', value: 'yes' },
    { id: 13107, key: '_click_id', value },
  ]

  test('from click to reversal', async () => {
    const { post, events, click } = await shopOf('woocommerce')
    const order = wooOrder(of(await click()))
    const sale = await post(order)
    expect(sale).toMatchObject({ status: 201 })
    expect(await kept(sale.id)).toMatchObject({ transaction_id: '727', amount_e4: 500_000 })
    expect(await post(order)).toMatchObject({ status: 200 })
    expect(await post(wooRefund(726, '10.00'))).toMatchObject({ status: 201 })
    expect(await post(wooRefund(726, '10.00'))).toMatchObject({ status: 200 })
    expect(await post(wooRefund(728, '10.00'))).toMatchObject({ status: 201 })
    expect(await events()).toEqual([
      [1, null],
      [0, 200_000],
      [0, 200_000],
    ])
    // Its own webhook tells of a part in a list, without saying whether we heard of it.
    const part = { refunds: [{ id: 726, reason: '', total: '-10.00' }] }
    expect(await post(wooOrder(of(''), part))).toMatchObject({ status: 409 })
    expect(await post(wooOrder([], { status: 'refunded' }))).toMatchObject({ status: 201 })
    expect((await events()).at(-1)?.[0]).toBe(-1)
  })

  test('a refund finds the order of a shop that has its own numbers', async () => {
    const { post, events, click } = await shopOf('woocommerce')
    expect(await post(wooOrder(of(await click()), { number: 'WEB-9' }))).toMatchObject({
      status: 201,
    })
    expect(await post(wooRefund(726, '50.00'))).toMatchObject({ status: 201 })
    expect(await events()).toEqual([
      [1, null],
      [-1, null],
    ])
  })

  test('its ping is answered with 200 and says nothing', async () => {
    const { siteId, post, events } = await shopOf('woocommerce')
    const answer = await post('webhook_id=15')
    expect(answer).toMatchObject({ status: 200, outcome: 'ignored' })
    expect(await kept(answer.id)).toMatchObject({ outcome: 'ignored', site_id: siteId })
    expect(await events()).toEqual([])
    expect(await post('webhook_id=15&click_id=x')).toMatchObject({ status: 422 })
    expect(await post('webhook_id=15&amount=5')).toMatchObject({ status: 422 })
  })
})

describe('names and values in a list', () => {
  test.each([
    ['note_attributes', 'name', 'click_id'],
    ['meta_data', 'key', 'clickId'],
    ['custom_attributes', 'attribute_code', 'Click-Id'],
    ['customAttributes', 'key', 'cid'],
  ])('%s has the click id under its %s', async (list, name, called) => {
    const { siteId, click, url, key } = await merchant()
    const payload = {
      transaction_id: 'A-1',
      [list]: [
        { [name]: 'other', value: 'x' },
        { [name]: called, value: await click() },
      ],
    }
    const headers = { 'x-postback-key': key }
    expect((await app.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(201)
    expect(await eventsOf(siteId)).toHaveLength(1)
  })

  test('two click ids are refused, and what is none is left alone', async () => {
    const { siteId, click, url, key } = await merchant()
    const send = async (values: string[], more: object = {}) => {
      const note_attributes = values.map((value) => ({ name: 'cid', value }))
      const payload = { transaction_id: 'A-1', note_attributes, ...more }
      const headers = { 'x-postback-key': key }
      return (await app.inject({ method: 'POST', url, payload, headers })).statusCode
    }
    expect(await send([await click(), await click()])).toBe(422)
    expect(await send(['GA1.2.3'])).toBe(422)
    expect(await send(['GA1.2.3'], { click_id: await click() })).toBe(201)
    expect(await eventsOf(siteId)).toHaveLength(1)
  })

  test('a name there is kept, and a secret there is not', async () => {
    const { click, url, key } = await merchant()
    const meta_data = [
      { key: 'click_id', value: await click() },
      { key: '_api_token', value: 'tok-en-1' },
    ]
    const payload = { transaction_id: 'A-1', note: 'with tok-en-1', meta_data }
    const headers = { 'x-postback-key': key }
    const answer = await app.inject({ method: 'POST', url, payload, headers })
    const { params } = await kept(answer.json<{ id: string }>().id)
    expect(params).toMatchObject({
      'meta_data.0.key': 'click_id',
      'meta_data.0.value': meta_data[0]?.value,
      'meta_data.1.key': '_api_token',
      'meta_data.1.value': '[removed]',
      note: '[removed]',
    })
  })
})

test('Integration shows where a shop’s refund was read', async () => {
  const { siteId, post, click } = await shopOf('shopify')
  await post(shopifyOrder([{ name: 'click_id', value: await click() }]))
  await post(shopifyRefund('890', '400.00'))
  const { items } = await findReadings({ ...inbound, db }, siteId, undefined)
  const [refund, order] = items
  expect(refund).toMatchObject({ event: 'void', problem: null })
  const readAs = (item: typeof refund) =>
    Object.fromEntries(item?.parameters.map((one) => [one.name, one.readAs]) ?? [])
  expect(readAs(refund)['order_id']).toBe('transaction_id')
  expect(readAs(order)['note_attributes.0.value']).toBe('click_id')
})
