import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { watchChanges } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Mail, Mailer } from '../../lib/mailer.ts'
import { tellOfChange } from './tell-of-change.ts'
import { postMail } from './post-mail.ts'
import { forgetMails, sendDueMails, startMailSender } from './send-mails.ts'

const database = await testDatabase()
const { db } = database
const said: unknown[] = []
const services = testServices(database)
const log = {
  ...services.log,
  warn: (...words: unknown[]) => void said.push(words),
  error: (...words: unknown[]) => void said.push(words),
}
const { clock } = services
const minutes = (count: number) => count * 60_000

const accountId = await buildAccount(db, { email: 'ann@example.com' })

const mail = {
  to: 'ann@example.com',
  subject: 'A notice',
  text: 'Open https://office.example/forgot/reset#the-token',
}
const post = (giveUpAt?: Date) => inTransaction(db, (tx) => postMail(tx, services, mail, giveUpAt))
const rows = () => db.selectFrom('mails').selectAll().execute()
const mailerThat = (send: Mailer['send']): Mailer => ({ send, close: () => undefined })
const refusing = (ids: unknown[] = []) =>
  mailerThat(async ({ messageId }) => {
    ids.push(messageId)
    throw new Error('mailbox busy')
  })
const send = (mailer: Mailer, more: object = {}) =>
  sendDueMails({ ...services, log, ...more }, mailer)

beforeEach(async () => {
  clock.set('2026-03-01T15:00:00Z')
  said.length = 0
  await db.deleteFrom('mails').execute()
})

test('what one process commits, the next one sends, although the first was killed', async () => {
  await post()
  expect(await sentMails(services)).toEqual([
    { ...mail, messageId: expect.stringMatching(/^<.+@/) },
  ])
  expect(await sentMails(services)).toEqual([])
})

test('a process killed while sending leaves the mail to another, after its lease', async () => {
  await post()
  const ids: unknown[] = []
  let mayEnd = () => {}
  const killed = send(
    mailerThat(({ messageId }) => {
      ids.push(messageId)
      return new Promise((_, reject) => (mayEnd = () => reject(new Error('killed'))))
    }),
  )
  await expect.poll(() => ids).toHaveLength(1)
  clock.advance(minutes(5) - 1000)
  expect(await sentMails(services)).toEqual([])
  clock.advance(1000)
  expect(await sentMails(services)).toMatchObject([{ messageId: ids[0] }])
  // What the first process learns later changes nothing.
  mayEnd()
  await killed
  clock.advance(minutes(60))
  expect(await sentMails(services)).toEqual([])
})

test('of many processes, one sends each mail', async () => {
  for (let n = 0; n < 5; n++) await post()
  const sent = (await Promise.all(Array.from({ length: 4 }, () => sentMails(services)))).flat()
  expect(sent).toHaveLength(5)
  expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(5)
})

test('a refused mail is tried again, as the same mail, after longer and longer waits', async () => {
  await post()
  const ids: unknown[] = []
  const waits: number[] = []
  while ((await rows())[0]?.next_try_at) {
    await send(refusing(ids))
    const next = (await rows())[0]?.next_try_at
    if (!next) break
    waits.push((next.getTime() - clock.now().getTime()) / minutes(1))
    clock.set(next.toISOString())
  }
  const planned = [1, 2, 4, 8, 16, 32, 64, 128, 256, ...Array(waits.length - 9).fill(360)]
  for (const [place, wait] of waits.entries()) {
    expect(Math.abs(wait / planned[place] - 1)).toBeLessThanOrEqual(0.1)
  }
  // After five days it is given up.
  expect(clock.now().getTime()).toBeGreaterThan(Date.parse('2026-03-06T08:00:00Z'))
  expect(clock.now().getTime()).toBeLessThan(Date.parse('2026-03-06T15:00:00Z'))
  expect(await rows()).toMatchObject([{ state: 'failed', error: 'mailbox busy', sent_at: null }])
  expect([...new Set(ids)]).toHaveLength(1)
  expect(said.at(-1)).toEqual([
    {
      err: expect.objectContaining({ message: 'mailbox busy' }),
      mail: expect.any(Number),
      tries: ids.length,
    },
    'a mail was given up',
  ])
  expect(JSON.stringify(said)).not.toContain('the-token')
})

test('a refused mail is sent by a later try', async () => {
  await post()
  await send(refusing())
  expect(await sentMails(services)).toEqual([])
  clock.advance(minutes(2))
  expect(await sentMails(services)).toHaveLength(1)
})

test('a mail that is of no more use is not sent', async () => {
  await post(new Date(clock.now().getTime() + minutes(30)))
  clock.advance(minutes(30))
  expect(await sentMails(services)).toEqual([])
  expect(await rows()).toMatchObject([{ state: 'failed', sealed_text: null, sent_at: null }])
})

test('a change that is rolled back tells nobody', async () => {
  const change = inTransaction(db, async (tx) => {
    await tellOfChange(tx, services, {
      accountId,
      username: 'ann',
      changed: ['password'],
    })
    throw new Error('refused')
  })
  await expect(change).rejects.toThrow('refused')
  expect(await rows()).toEqual([])
})

test('nobody is told without an address or a change', async () => {
  await inTransaction(db, async (tx) => {
    await tellOfChange(tx, services, {
      accountId: await buildAccount(db, { email: null }),
      username: 'maria',
      changed: ['password'],
    })
    await tellOfChange(tx, services, { accountId, username: 'ann', changed: [] })
  })
  expect(await rows()).toEqual([])
})

test('the text is stored encrypted, removed once it is sent, and the row some days later', async () => {
  await post()
  const stored = async () =>
    (await sql<{ row: string }>`select mails::text as row from mails`.execute(db)).rows[0]?.row
  expect(await stored()).not.toContain(Buffer.from('the-token').toString('hex'))
  expect(await stored()).not.toContain('the-token')
  await sentMails(services)
  expect(await rows()).toMatchObject([{ sealed_text: null, sent_at: about(clock.now()), tries: 1 }])
  clock.advance(7 * 86_400_000 - 1000)
  await forgetMails(services)
  expect(await rows()).toHaveLength(1)
  clock.advance(1001)
  await post()
  await forgetMails(services)
  expect(await rows()).toMatchObject([{ sent_at: null }])
})

test('after a rotation of the secret, the former one opens what waits', async () => {
  await post()
  const rotated = { ...services, secret: Buffer.alloc(32, 'other'), log }
  const sent: Mail[] = []
  const collecting = mailerThat(async (one) => void sent.push(one))
  await sendDueMails(rotated, collecting)
  expect(sent).toEqual([])
  clock.advance(minutes(2))
  await sendDueMails({ ...rotated, formerSecrets: [services.secret] }, collecting)
  expect(sent).toMatchObject([mail])
})

test('a commit wakes the sender of another process', async () => {
  const changes = watchChanges(services.connection, { log, lookMs: 60_000 })
  const sender = startMailSender(services, changes, 3_600_000)
  try {
    await expect.poll(() => changes.isCurrent()).toBe(true)
    await post()
    // The sender looks by itself once an hour.
    await expect.poll(async () => (await rows())[0]?.sent_at).not.toBeNull()
  } finally {
    await sender.stop()
    await changes.stop()
  }
})
