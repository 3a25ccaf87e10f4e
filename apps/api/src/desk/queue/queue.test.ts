import { queueEndpoints as calls } from '@tallyroom/contract/desk/queue'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { buildAgent, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { inTransaction } from '../../db/transaction.ts'
import { bringMailsForward, postMail } from '../../people/index.ts'
import { sendDueMails } from '../../people/mail/send-mails.ts'
import { leaseDue } from '../partner-postbacks/deliveries.queries.ts'
import { bringDeliveriesForward } from '../partner-postbacks/send-deliveries.ts'
import { holdWhatWaits } from './queue.ts'
import { queueRoutes } from './queue.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const call = await callRoutes(queueRoutes(services))
const agentId = await buildAgent(db, { office_id: await buildOffice(db) })

beforeEach(async () => {
  clock.set('2026-03-10T16:00:00Z')
  await db.deleteFrom('mails').execute()
  await db.deleteFrom('notices').execute()
  await db.deleteFrom('postback_targets').execute()
  await db.deleteFrom('saved_views').execute()
})

const mail = { to: 'ann@example.com', subject: 'A notice', text: 'Something happened.' }
const post = (giveUpAt?: Date) => inTransaction(db, (tx) => postMail(tx, services, mail, giveUpAt))
const refusing = {
  send: async () => {
    throw new Error('mailbox busy')
  },
  close() {},
}
const refuse = () => sendDueMails(services, refusing)
const queue = async () => (await call(viewer(), calls.queue)).body
const mailsOf = ({ queues }: Awaited<ReturnType<typeof queue>>) => queues[0]
const deliveriesOf = ({ queues }: Awaited<ReturnType<typeof queue>>) => queues[1]
const again = (body: { queue: 'mails' | 'deliveries'; id?: number }) =>
  call(viewer(), calls.tryQueueAgain, { body })
const decide = (body: { queue: 'mails' | 'deliveries'; decision: 'send' | 'drop'; id?: number }) =>
  call(viewer(), calls.decideHeld, { body })

async function target(state = 'on'): Promise<number> {
  const { id } = await db
    .insertInto('postback_targets')
    .values({
      agent_id: agentId,
      url: 'https://tracker.example/',
      host: 'tracker.example',
      token: 'a token',
      events: ['sale.recorded'],
      created_at: clock.now(),
      state,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

let events = 0
async function delivery(targetId: number, values: object = {}): Promise<number> {
  const { id } = await db
    .insertInto('deliveries')
    .values({
      target_id: targetId,
      event_id: `01900000-0000-7000-8000-${String(++events).padStart(12, '0')}`,
      agent_id: agentId,
      kind: 'sale.recorded',
      made_at: clock.now(),
      state: 'waiting',
      next_try_at: clock.now(),
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const failed = { state: 'failed', tries: 8, next_try_at: null, done_at: new Date() }
const due = async () => {
  const now = clock.now()
  const until = new Date(now.getTime() + 30_000)
  return (await leaseDue(db, { now, until, room: 99, failingRoom: 99 })).map(({ id }) => id)
}
const stateOf = async (id: number) => {
  const row = await db
    .selectFrom('deliveries')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.state
}

test('it says what waits, since when, and why the last tries failed', async () => {
  await post()
  clock.advance(60_000)
  await post()
  await refuse()
  const id = await delivery(await target(), failed)
  await db
    .insertInto('delivery_tries')
    .values({
      delivery_id: id,
      tried_at: clock.now(),
      took_ms: 9,
      url: 'https://tracker.example/',
      status: 500,
    })
    .execute()
  const shown = await queue()
  expect(mailsOf(shown)).toEqual({
    queue: 'mails',
    waiting: 2,
    waitingSince: '2026-03-10T16:00:00.000Z',
    failed: 0,
    held: 0,
  })
  expect(deliveriesOf(shown)).toMatchObject({ waiting: 0, waitingSince: null, failed: 1 })
  expect(shown.troubles).toHaveLength(3)
  expect(shown.troubles).toContainEqual(
    expect.objectContaining({
      queue: 'mails',
      to: 'ann@example.com',
      subject: 'A notice',
      state: 'waiting',
      tries: 1,
      reason: 'mailbox busy',
      mayTry: true,
    }),
  )
  expect(shown.troubles).toContainEqual(
    expect.objectContaining({
      queue: 'deliveries',
      id,
      to: 'tracker.example',
      kind: 'sale.recorded',
      state: 'failed',
      reason: 'Status 500',
    }),
  )
})

test('a mail that was given up is sent when somebody says so, as the same mail', async () => {
  await post()
  const before = await db.selectFrom('mails').select('message_id').executeTakeFirstOrThrow()
  clock.advance(5 * 86_400_000)
  await refuse()
  const [trouble] = (await queue()).troubles
  expect(trouble).toMatchObject({ state: 'failed', nextTryAt: null, mayTry: true })
  expect((await again({ queue: 'mails', id: trouble?.id ?? 0 })).body).toEqual({ count: 1 })
  expect(await sentMails(services)).toMatchObject([
    { text: mail.text, messageId: before.message_id },
  ])
  expect(await queue()).toMatchObject({ troubles: [], queues: [{ failed: 0, waiting: 0 }, {}] })
})

test('a link that has expired can’t be sent again', async () => {
  await post(new Date(clock.now().getTime() + 60_000))
  clock.advance(60_000)
  await refuse()
  const [trouble] = (await queue()).troubles
  expect(trouble).toMatchObject({ state: 'failed', reason: 'It is of no more use.', mayTry: false })
  expect((await again({ queue: 'mails', id: trouble?.id ?? 0 })).status).toBe(409)
  expect((await again({ queue: 'mails' })).body).toEqual({ count: 0 })
})

test('what is being sent is not sent twice at once', async () => {
  await post()
  await refuse()
  clock.advance(2 * 60_000)
  let inside: unknown
  await sendDueMails(services, {
    ...refusing,
    send: async () => void (inside = (await again({ queue: 'mails' })).body),
  })
  expect(inside).toEqual({ count: 0 })

  const id = await delivery(await target(), { tries: 1 })
  expect(await due()).toEqual([id])
  expect((await again({ queue: 'deliveries', id })).status).toBe(409)
  expect(await due()).toEqual([])
})

test('failed deliveries go again to targets that are on', async () => {
  const [on, off] = [await target(), await target('off')]
  const id = await delivery(on, failed)
  const toOff = await delivery(off, failed)
  expect((await queue()).troubles).toMatchObject([
    { id: toOff, mayTry: false },
    { id, mayTry: true },
  ])
  expect((await again({ queue: 'deliveries' })).body).toEqual({ count: 1 })
  expect(await due()).toEqual([id])
  expect(await stateOf(toOff)).toBe('failed')
})

test('after a restore, what waited is neither sent nor lost until somebody decides', async () => {
  await post()
  await post()
  const targetId = await target()
  const [first, second] = [await delivery(targetId), await delivery(targetId)]
  await db
    .insertInto('notices')
    .values({
      id: '01900000-0000-7000-8000-00000000ffff',
      kind: 'sale.recorded',
      agent_id: agentId,
      office_id: 1,
      site_id: 1,
      type_id: 1,
      written_at: clock.now(),
    })
    .execute()
  await holdWhatWaits(db, clock.now())
  clock.advance(86_400_000)
  expect(await sentMails(services)).toEqual([])
  expect(await due()).toEqual([])
  const held = await queue()
  expect(mailsOf(held)).toMatchObject({ held: 2, waiting: 0 })
  expect(deliveriesOf(held)).toMatchObject({ held: 3, waiting: 0 })
  // Trying again is for what failed.
  expect((await again({ queue: 'deliveries' })).body).toEqual({ count: 0 })

  // What comes after the restore is sent as always.
  const later = await delivery(targetId)
  expect(await due()).toEqual([later])

  expect((await decide({ queue: 'deliveries', decision: 'send', id: first })).status).toBe(200)
  expect((await decide({ queue: 'deliveries', decision: 'send', id: first })).status).toBe(409)
  expect(await stateOf(first)).toBe('waiting')
  expect((await decide({ queue: 'deliveries', decision: 'drop' })).body).toEqual({ count: 2 })
  expect(await stateOf(second)).toBe('dropped')
  expect((await decide({ queue: 'mails', decision: 'send' })).body).toEqual({ count: 2 })
  expect(await sentMails(services)).toHaveLength(2)
})

test('what is held for a target that is off is missed, not sent', async () => {
  const id = await delivery(await target('off'))
  await holdWhatWaits(db, clock.now())
  await decide({ queue: 'deliveries', decision: 'send' })
  expect(await stateOf(id)).toBe('missed')
})

test('a report that was due before a restore is left out, the next one comes', async () => {
  const { id: accountId } = await db
    .selectFrom('accounts')
    .select('id')
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('saved_views')
    .values({
      account_id: accountId,
      name: 'Daily',
      url: '/app/stats/sites',
      position: 1,
      created_at: clock.now(),
      mail: 'daily',
      mail_due_at: clock.now(),
    })
    .execute()
  await holdWhatWaits(db, clock.now())
  const view = await db.selectFrom('saved_views').select('mail_due_at').executeTakeFirstOrThrow()
  expect(view.mail_due_at).toEqual(new Date('2026-03-11T11:00:00Z'))
})

test('what a clock that was ahead has put off is tried within minutes once it is right', async () => {
  clock.set('2026-03-20T16:00:00Z')
  await post()
  await refuse()
  const targetId = await target()
  const leased = await delivery(targetId)
  expect(await due()).toEqual([leased])
  const waits = await delivery(targetId, {
    tries: 1,
    next_try_at: new Date(clock.now().getTime() + 10_000),
  })

  clock.set('2026-03-10T16:00:00Z')
  await bringMailsForward(services)
  await bringDeliveriesForward(services)
  expect(await sentMails(services)).toHaveLength(1)
  expect((await due()).toSorted((a, b) => a - b)).toEqual([leased, waits])
})

test('and what is planned as it should be, or being sent, stays as it is', async () => {
  await post()
  await refuse()
  const targetId = await target()
  await delivery(targetId, {
    tries: 7,
    next_try_at: new Date(clock.now().getTime() + 26 * 3_600_000),
  })
  await delivery(targetId)
  await due()
  const rows = async () => [
    await db.selectFrom('mails').select('next_try_at').execute(),
    await db
      .selectFrom('deliveries')
      .select(['next_try_at', 'leased_until'])
      .orderBy('id')
      .execute(),
  ]
  const before = await rows()
  await bringMailsForward(services)
  await bringDeliveriesForward(services)
  expect(await rows()).toEqual(before)
})

test('ten thousand that wait for one target leave room for the others', async () => {
  const [busy, other] = [await target(), await target()]
  await db
    .updateTable('postback_targets')
    .set({ host: 'other.example' })
    .where('id', '=', other)
    .execute()
  await sql`
    insert into deliveries (target_id, event_id, agent_id, kind, made_at, state, next_try_at)
    select ${busy}, gen_random_uuid(), ${agentId}, 'sale.recorded', now(), 'waiting', ${clock.now()}
    from generate_series(1, 10000)
  `.execute(db)
  clock.advance(1_000)
  const last = await delivery(other)
  const leased = await due()
  expect(leased).toHaveLength(3)
  expect(leased).toContain(last)
  expect(deliveriesOf(await queue())).toMatchObject({ waiting: 10_001 })
})
