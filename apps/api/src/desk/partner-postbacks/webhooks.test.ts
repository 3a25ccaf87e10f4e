import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { webhookDocument, webhooksEndpoints as calls } from '@tallyroom/contract/desk/webhooks'
import { partnerPostbacksEndpoints } from '@tallyroom/contract/desk/partner-postbacks'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildAccount, buildRate } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { ownLayout } from '../../../test/database.ts'
import { loopbackAt } from '../../../test/loopback-at.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { outgoingOf } from '../../lib/net/safe-fetch.ts'
import { inTransaction } from '../../db/transaction.ts'
import { everybody, writeFacts } from '../../notices/index.ts'
import { partnerPostbacksRoutes } from './partner-postbacks.routes.ts'
import { makeSender, tellOfLastingFailures } from './send-deliveries.ts'
import { createWebhook, resealWebhooks } from './webhooks.ts'
import { webhooksRoutes } from './webhooks.routes.ts'

const world = await postbackWorld({ listeners: everybody, layout: ownLayout() })
const { db, clock, agentId, officeId } = world
const merchant = await world.merchant()
await buildAccount(db, { role: 0, email: 'root@example.com' })

type Got = { method: string; headers: Record<string, string>; body: string }
let got: Got[] = []
let status = 200
const program = createServer((request, answer) => {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  void text(request).then((body) => {
    got.push({ method: request.method ?? '', headers, body })
    answer.writeHead(status).end('thanks')
  })
})
await new Promise<void>((done) => program.listen(0, '127.0.0.1', done))
const { port } = program.address() as AddressInfo // a TCP server has such an address
const outgoing = outgoingOf(loopbackAt(port), { longestMs: 500 })
const services = { ...world.services, outgoing }
const call = await callRoutes([...webhooksRoutes(services), ...partnerPostbacksRoutes(services)])
afterAll(() => {
  program.closeAllConnections()
  program.close()
})

beforeEach(async () => {
  // The library compares timestamps with the time of the machine.
  clock.set(new Date().toISOString())
  got = []
  status = 200
  await db.deleteFrom('notices').execute()
  await db.deleteFrom('postback_targets').execute()
  await db.deleteFrom('mails').execute()
})

const kinds = ['sale.recorded', 'sale.reversed'] as const
const url = `http://127.0.0.1:${port}/hook`
async function webhook(): Promise<{ id: number; secret: string }> {
  const { body } = await call(viewer(), calls.createWebhook, { body: { url, kinds: [...kinds] } })
  expect(body.secret).toMatch(/^whsec_[\w+/]{43}=$/)
  return body
}

let orders = 0
async function sell(): Promise<{ transaction_id: string; eventId: string }> {
  const transaction_id = `W-${++orders}`
  const click_id = await merchant.click({ subs: ['my click'] })
  const answer = await merchant.get({ click_id, transaction_id })
  expect(answer.json().outcome).toBe('recorded')
  return { transaction_id, eventId: String(answer.json().eventId) }
}
async function send(sender = makeSender(services)): Promise<void> {
  await sender.sendDue()
  await sender.idle()
}
const verified = (secret: string, { body, headers }: Got) =>
  new Webhook(secret).verify(body, headers)

test('a webhook hears of each sale and its reversal, signed as the library verifies it, under the event’s id', async () => {
  const { secret } = await webhook()
  const { transaction_id, eventId } = await sell()
  await send()
  await merchant.get({ event: 'void', transaction_id })
  await send()
  expect(got).toHaveLength(2)
  const [first, second] = got
  if (!first || !second) throw new Error('nothing was posted')
  expect(first).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
  expect(first.headers['webhook-id']).toBe(eventId)
  expect(verified(secret, first)).toMatchObject({
    type: 'sale.recorded',
    data: {
      eventId,
      event: 'sale',
      status: 'approved',
      agentId,
      officeId,
      transactionId: transaction_id,
      subs: { sub1: 'my click' },
      payoutCentavos: 50_000,
    },
  })
  expect(verified(secret, second)).toMatchObject({
    type: 'sale.reversed',
    data: { status: 'reversed', transactionId: transaction_id, payoutCentavos: -50_000 },
  })
  for (const { body } of got) {
    const read: unknown = JSON.parse(body)
    const { type } = read as { type: string }
    expect(webhookDocument[type]?.body.parse(read)).toEqual(read)
  }
})

test('on a site with approve-sale it hears of an approval, then of a sale, each by its own type', async () => {
  const all = { url, kinds: ['sale.recorded', 'approval.recorded', 'bonus.recorded'] as const }
  const { body } = await call(viewer(), calls.createWebhook, {
    body: { ...all, kinds: [...all.kinds] },
  })
  const shop = await world.merchant({ use_approve_sale: true })
  await buildRate(db, { type_id: shop.typeId, bonus_payout_centavos: 90_00 })
  const click_id = await shop.click()
  for (const event of ['approval', 'sale']) {
    await shop.get({ click_id, transaction_id: 'both', event })
    await send()
  }
  expect(got.map((one) => verified(body.secret, one))).toMatchObject([
    { type: 'approval.recorded', data: { event: 'approval', payoutCentavos: 50_000 } },
    { type: 'sale.recorded', data: { event: 'sale', payoutCentavos: 9_000 } },
  ])
  for (const one of got) {
    const read: unknown = JSON.parse(one.body)
    const { type } = read as { type: string }
    expect(webhookDocument[type]?.body.parse(read)).toEqual(read)
  }
})

test('it is told the network’s brand, not the product, whose name is in no header', async () => {
  await webhook()
  await sell()
  await send(makeSender({ ...services, config: { ...services.config, brand: 'harborline' } }))
  expect(got.map(({ headers }) => headers['user-agent'])).toEqual(['Harborline webhook'])
  expect(JSON.stringify(got[0]?.headers)).not.toMatch(/tallyroom/i)
})

test('it hears of other facts that it wants to hear of, as they were', async () => {
  const { body } = await call(viewer(), calls.createWebhook, {
    body: { url, kinds: ['agent.suspended', 'pay.held'] },
  })
  const origin = { at: clock.now(), byAccountId: null }
  const about = { agentId, username: 'maria' }
  await inTransaction(db, async (tx) => {
    await writeFacts(
      tx,
      [
        { kind: 'agent.suspended', of: { agentId }, subject: about },
        { kind: 'agent.approved', of: { agentId }, subject: about },
      ],
      origin,
    )
  })
  await expect(
    inTransaction(db, async (tx) => {
      await writeFacts(tx, [{ kind: 'agent.suspended', of: { agentId }, subject: about }], origin)
      throw new Error('refused')
    }),
  ).rejects.toThrow('refused')
  await send()
  const [one, ...more] = got
  if (!one) throw new Error('nothing was posted')
  expect(more).toEqual([])
  expect(verified(body.secret, one)).toEqual({
    type: 'agent.suspended',
    timestamp: origin.at.toISOString(),
    data: { ...about, officeId: world.officeId },
  })
  expect(webhookDocument['agent.suspended']?.body.parse(JSON.parse(one.body))).toBeTruthy()
})

test('whoever changes the body, the id or the secret is found out', async () => {
  const { secret } = await webhook()
  await sell()
  await send()
  const [one] = got
  if (!one) throw new Error('nothing was posted')
  const bad: [string, Got][] = [
    [secret, { ...one, body: one.body.replace('50000', '90000') }],
    [secret, { ...one, headers: { ...one.headers, 'webhook-id': 'another' } }],
    [`whsec_${Buffer.alloc(32, 'guess').toString('base64')}`, one],
  ]
  for (const [with_, changed] of bad) {
    expect(() => verified(with_, changed)).toThrow(WebhookVerificationError)
  }
})

test('for a day after a rotation both secrets verify, then only the new one', async () => {
  clock.advance(-24 * 3_600_000)
  const { id, secret } = await webhook()
  const { body: made } = await call(viewer(), calls.rotateWebhookSecret, { params: { id } })
  clock.advance(24 * 3_600_000 - 1_000)
  // With a third one, the first would sign no more.
  const third = await call(viewer(), calls.rotateWebhookSecret, { params: { id } })
  expect(third).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  await sell()
  await send()
  clock.advance(1_000)
  await sell()
  await send()
  const [within, after] = got
  if (!within || !after) throw new Error('nothing was posted')
  for (const one of [secret, made.secret]) expect(verified(one, within)).toBeTruthy()
  expect(verified(made.secret, after)).toBeTruthy()
  expect(() => verified(secret, after)).toThrow(WebhookVerificationError)
  expect((await call(viewer(), calls.rotateWebhookSecret, { params: { id } })).status).toBe(200)
})

test('a failed webhook is sent again under the same id; superadmins are told once it keeps failing', async () => {
  await webhook()
  status = 500
  const { eventId } = await sell()
  for (let n = 0; n < 5; n++) {
    await send()
    const next = await db.selectFrom('deliveries').select('next_try_at').executeTakeFirstOrThrow()
    clock.set(next.next_try_at?.toISOString() ?? '')
  }
  await tellOfLastingFailures(services)
  expect(new Set(got.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]))
  expect(await sentMails(services)).toMatchObject([
    { to: 'root@example.com', subject: `Tallyroom: your webhook to 127.0.0.1:${port} fails` },
  ])
})

test('an event has one content: what is renamed between its tries is told as at the first', async () => {
  const { secret } = await webhook()
  await sell()
  // It was posted, but the process died before it could note that.
  const network = async (...asked: Parameters<typeof outgoing.network>) => {
    await outgoing.network(...asked)
    throw new Error('killed')
  }
  await send(makeSender({ ...services, outgoing: { ...outgoing, network } }))
  expect(got).toHaveLength(1)
  await rename('Renamed once')
  clock.advance(31_000)
  status = 500
  await send()
  await rename('Renamed twice')
  clock.advance(120_000)
  status = 200
  await send()
  const [first, ...others] = got
  expect(others.map(({ body }) => body)).toEqual([first?.body, first?.body])
  expect(first?.body).not.toContain('Renamed')
  expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  for (const one of got) verified(secret, one)
  // What happens next is told as it is by then.
  await sell()
  await send()
  expect(got.at(-1)?.body).toContain('Renamed twice')
})

const rename = (sitename: string) =>
  db.updateTable('sites').set({ sitename }).where('id', '=', merchant.siteId).execute()

test('its log shows what was posted, and no secret; a delivery can be sent again', async () => {
  const { id, secret } = await webhook()
  const { eventId } = await sell()
  await send()
  const log = async () =>
    (await call(viewer(), calls.webhookLog, { params: { id }, query: {} })).body
  const { items } = await log()
  expect(items).toMatchObject([
    { eventId, state: 'sent', tries: [{ url, status: 200, answer: 'thanks', body: got[0]?.body }] },
  ])
  expect(JSON.stringify(items)).not.toContain(secret.slice('whsec_'.length))
  const params = { id, deliveryId: items[0]?.id ?? 0 }
  expect((await call(viewer(), calls.sendWebhookAgain, { params })).status).toBe(200)
  await send()
  expect(got).toHaveLength(2)
})

test('a test has a type of its own, and is signed', async () => {
  const { id, secret } = await webhook()
  const { body } = await call(viewer(), calls.testWebhook, { params: { id } })
  expect(body).toMatchObject({ status: 200, answer: 'thanks' })
  const [one] = got
  if (!one) throw new Error('nothing was posted')
  expect(verified(secret, one)).toMatchObject({ type: 'webhook.test' })
})

test('it is none of the postbacks of partners, and theirs are none of the webhooks', async () => {
  const { id } = await webhook()
  const postbacks = await call(viewer(), partnerPostbacksEndpoints.partnerPostbacks)
  expect(postbacks.body.postbacks).toEqual([])
  const log = { params: { id }, query: {} }
  const asked = await call(viewer(), partnerPostbacksEndpoints.partnerPostbackLog, log)
  expect(asked.status).toBe(404)
})

test.each([
  [
    { url: 'https://t.example/?id={event_id}' },
    'must not have macros: a webhook has its values in its body',
  ],
  [
    { url: 'https://t.example/?id=[event_id]' },
    'must not have macros: a webhook has its values in its body',
  ],
  [
    { url: 'http://127.0.0.1:3000/api/postback/1' },
    'must not be an address of ours, such as a link or a postback',
  ],
])('%j is refused', async (given, message) => {
  const answer = await call(viewer(), calls.createWebhook, {
    body: { kinds: [...kinds], ...given },
  })
  expect(answer.body).toMatchObject({ data: { url: [message] } })
})

const INSIDE =
  'which is not a public address: nothing is sent there unless WEBHOOK_ALLOW has it with its port'
test.each([
  [`http://127.0.0.1:${port}/hook`, `leads to 127.0.0.1, ${INSIDE}`],
  [`http://2130706433:${port}/hook`, `leads to 127.0.0.1, ${INSIDE}`],
  [`http://[::ffff:7f00:1]:${port}/hook`, `leads to ::ffff:7f00:1, ${INSIDE}`],
  ['http://10.1.2.3/hook', `leads to 10.1.2.3, ${INSIDE}`],
  ['http://169.254.169.254/latest/meta-data', `leads to 169.254.169.254, ${INSIDE}`],
  ['http://[fd00::1]/hook', `leads to fd00::1, ${INSIDE}`],
])(
  '%s is inside: it is not saved, and if it was, neither a test nor a delivery is sent there',
  async (inside, message) => {
    const strict = outgoingOf({ hosts: [], ports: [port] }, { longestMs: 500 })
    const outside = await callRoutes(webhooksRoutes({ ...services, outgoing: strict }))
    const body = { url: inside, kinds: [...kinds] }
    const answer = await outside(viewer(), calls.createWebhook, { body })
    expect(answer).toMatchObject({ status: 422, body: { data: { url: [message] } } })

    const { id } = await webhook()
    const params = { id }
    const changed = await outside(viewer(), calls.updateWebhook, { params, body: { url: inside } })
    expect(changed).toMatchObject({ status: 422, body: { data: { url: [message] } } })
    await db.updateTable('postback_targets').set({ url: inside }).where('id', '=', id).execute()
    const refusal = { status: null, error: expect.stringContaining('is not a public web server') }
    expect((await outside(viewer(), calls.testWebhook, { params })).body).toMatchObject(refusal)
    await sell()
    await send(makeSender({ ...services, outgoing: strict }))
    expect(await db.selectFrom('delivery_tries').selectAll().execute()).toMatchObject([refusal])
    expect(got).toEqual([])
  },
)

test('what WEBHOOK_ALLOW has may be saved, at that port; a name may lead there, but for localhost', async () => {
  const allowed = { ...services, outgoing: outgoingOf(loopbackAt(8080)) }
  const outside = await callRoutes(webhooksRoutes(allowed))
  const made = async (to: string) => {
    const { status: code, body } = await outside(viewer(), calls.createWebhook, {
      body: { url: to, kinds: [...kinds] },
    })
    return code === 200 ? 'saved' : body.data.url[0]
  }
  expect(await made('http://127.0.0.1:8080/hook')).toBe('saved')
  expect(await made('http://warehouse:8080/hook')).toBe('saved')
  expect(await made('https://books.example/hook')).toBe('saved')
  expect(await made('http://127.0.0.1/hook')).toBe(`leads to 127.0.0.1, ${INSIDE}`)
  expect(await made('http://localhost:8080/hook')).toBe(
    'leads to localhost, which is no name of a public server: nothing is sent there',
  )
  expect(await made('https://books.example:8443/hook')).toBe(
    'has port 8443: only ports 80, 443 of public servers are asked, unless WEBHOOK_ALLOW has it with its port',
  )
})

test('a final dot does not hide that a host is ours', async () => {
  const config = { ...services.config, publicUrl: 'https://office.example' }
  const own = { url: 'https://office.example./api/postback/1', kinds: [...kinds] }
  await expect(createWebhook({ ...services, config }, viewer(), own)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
})

test('the secret is stored encrypted, and anew after a rotation of the key', async () => {
  const { id, secret } = await webhook()
  const stored = () =>
    db.selectFrom('postback_targets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const before = await stored()
  expect(JSON.stringify(before)).not.toContain(secret.slice('whsec_'.length))
  const rotated = {
    ...services,
    secret: Buffer.alloc(32, 'newer'),
    formerSecrets: [services.secret],
  }
  await sell()
  await send(makeSender({ ...rotated, formerSecrets: [] }))
  expect(await db.selectFrom('delivery_tries').select('error').execute()).toEqual([
    { error: 'Its secret can’t be decrypted: a secret key is missing.' },
  ])
  await resealWebhooks(rotated)
  expect((await stored()).sealed_secret).not.toEqual(before.sealed_secret)
  await sell()
  await send(makeSender({ ...rotated, formerSecrets: [] }))
  const [one] = got
  if (!one) throw new Error('nothing was posted')
  expect(verified(secret, one)).toBeTruthy()
})
