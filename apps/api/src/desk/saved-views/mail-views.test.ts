import { savedViewsEndpoints } from '@tallyroom/contract/desk/saved-views'
import type { KyselyPlugin } from 'kysely'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { addAndFold } from '../../../test/add-to-totals.ts'
import {
  buildAccount,
  buildAgent,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase, withPlugin } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { type Mail, type Mailer, openMailer } from '../../lib/mailer.ts'
import { sendDueMails } from '../../people/mail/send-mails.ts'
import { mailDueViews } from './mail-views.ts'
import { savedViewsRoutes } from './saved-views.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, {
  environment: { PUBLIC_URL: 'https://office.example', ALLOW_INSECURE_HOST: 'yes' },
})
const { clock } = services
const call = await callRoutes(savedViewsRoutes(services))

const office = await buildOffice(db, { name: 'Manila', man_email: 'boss@manila.example' })
const other = await buildOffice(db, { name: 'Cebu' })
const site = await buildSite(db)
const type = await buildLinkType(db, { site_id: site })
const maria = await buildAgent(db, { office_id: office, username: '=maria' })
const carlo = await buildAgent(db, { office_id: other, username: 'carlo' })
const ann = await buildAccount(db, { role: 5, email: 'ann@example.com' })
const boss = await accountOf('office_id', office)
const sale = { site_id: site, type_id: type, sales: 1, raws: 10, payout_centavos: 114_800 }
// The week before Monday, 9 March 2026; the clocks change on Sunday, 8 March.
await addAndFold(db, [
  { day: '2026-03-06', agent_id: maria, office_id: office, ...sale },
  { day: '2026-03-08', agent_id: carlo, office_id: other, ...sale },
])

let sent: Mail[] = []
const mailer: Mailer = {
  send: async (mail) => void sent.push(mail),
  close: () => undefined,
}
const run = async (by = mailer) => {
  await mailDueViews(services)
  await sendDueMails(services, by)
}

beforeEach(async () => {
  sent = []
  clock.set('2026-03-05T15:00:00Z')
  await db.deleteFrom('saved_views').execute()
  await db.deleteFrom('mails').execute()
  await db.updateTable('accounts').set({ suspended: false, login_blocked: false }).execute()
  await db.updateTable('offices').set({ active: true }).execute()
})

const save = async (body: object, accountId = ann): Promise<number> => {
  const answer = await call({ ...viewer(), accountId }, savedViewsEndpoints.createSavedView, {
    body: { name: 'Payday', url: '/app/stats/sites-payout?groupBy=agent&days=week-1', ...body },
  })
  expect(answer.body).toEqual({ id: expect.any(Number) })
  return answer.body.id
}

test('a report comes on Monday at seven in New York, with totals, file and links', async () => {
  const id = await save({ mail: 'mondays' })
  clock.set('2026-03-09T10:59:59Z')
  await run()
  expect(sent).toEqual([])
  clock.set('2026-03-09T11:00:00Z')
  await run()
  await run()
  expect(sent).toHaveLength(1)
  const [mail] = sent
  expect(mail).toMatchObject({ to: 'ann@example.com', subject: 'Tallyroom: Payday' })
  expect(mail?.text).toMatch(/^Payday\n\nPayroll\n.*2026-03-02.*2026-03-08/s)
  expect(mail?.text).toMatch(/\n {2}Sales +2\n/)
  expect(mail?.text).toMatch(/\n {2}Payout +₱2,296\.00\n/)
  expect(mail?.text).toContain('The table is attached: 2 rows.')
  expect(mail?.text).toContain(
    'Open it: https://office.example/app/stats/sites-payout?groupBy=agent&start=2026-03-02&end=2026-03-08\n',
  )
  expect(mail?.text).toContain(`https://office.example/app/views?id=${id}\n`)
  const [file] = mail?.attachments ?? []
  expect(file?.filename).toBe('payroll_2026-03-02_2026-03-08_by-agent.csv')
  const csv = file?.content.toString() ?? ''
  expect(csv.split('\r\n')).toHaveLength(4)
  // Text that a spreadsheet would evaluate as a formula stays text.
  expect(csv).toContain("\r\n'=maria,")
})

test('each reader gets the rows and columns of their own page', async () => {
  await save(
    { mail: 'mondays', url: '/app/stats/sites?groupBy=company&companyId=2&days=week-1' },
    boss,
  )
  clock.set('2026-03-09T11:00:00Z')
  await run()
  expect(sent).toMatchObject([{ to: 'boss@manila.example' }])
  expect(sent[0]?.text).toMatch(/\n {2}Sales +1\n/)
  expect(sent[0]?.attachments?.[0]?.content.toString()).not.toContain('carlo')
})

test('the ten best sellers are in the text, and their sites and days are those of the page', async () => {
  await save({ mail: 'mondays', url: `/app/stats/top-agents?days=week-1&siteIds=${site}` })
  clock.set('2026-03-09T11:00:00Z')
  await run()
  const [mail] = sent
  expect(mail?.text).toMatch(/^Payday\n\nTop Agents\n.*2026-03-02.*2026-03-08.*by agent/s)
  expect(mail?.text).toMatch(/\n {2}1 {2}Manila {2}=maria.* 1\n {2}2 {2}Cebu {2}carlo.* 1\n/)
  expect(mail?.text).toContain(
    `/app/stats/top-agents?siteIds=${site}&start=2026-03-02&end=2026-03-08\n`,
  )
  const csv = mail?.attachments?.[0]?.content.toString() ?? ''
  expect(csv.split('\r\n')[0]).toContain('No,Office,Agent,Agent Name,Sales')
})

test('Office Performance is mailed with both periods, and to an office only with its own row', async () => {
  const url =
    '/app/stats/office-performance?days1=week-1&days2=week-2&sortField=sales1&sortAsc=false'
  await save({ mail: 'mondays', url })
  await save({ mail: 'mondays', url }, boss)
  clock.set('2026-03-09T11:00:00Z')
  await run()
  const [staff, own] = sent.toSorted((a, b) => a.to.localeCompare(b.to))
  expect(staff?.text).toMatch(/Sales 2026-03-02 to 2026-03-08 +2\n.*2026-02-23 to 2026-03-01 +0\n/)
  expect(staff?.text).toContain(
    'start1=2026-03-02&end1=2026-03-08&start2=2026-02-23&end2=2026-03-01',
  )
  expect(staff?.text).toContain('2 rows.')
  expect(own?.text).toContain('The table is attached: 1 row.')
  expect(own?.attachments?.[0]?.content.toString()).not.toContain('Cebu')
})

test('one mail for each due time, whichever process checks and however often', async () => {
  for (const name of ['A', 'B', 'C']) await save({ name, mail: 'daily' })
  clock.set('2026-03-06T12:00:00Z')
  await Promise.all(Array.from({ length: 6 }, () => run()))
  expect(sent.map(({ subject }) => subject).toSorted()).toEqual(
    ['A', 'B', 'C'].map((name) => `Tallyroom: ${name}`),
  )
  clock.set('2026-03-07T12:00:00Z')
  await Promise.all([run(), run()])
  expect(sent).toHaveLength(6)
})

test('after an outage, only the latest report is sent', async () => {
  await save({ mail: 'daily', url: '/app/stats/sites?days=day-1' })
  clock.set('2026-03-10T20:00:00Z')
  await run()
  await run()
  expect(sent.map(({ attachments }) => attachments)).toHaveLength(1)
  expect(sent[0]?.text).toContain('2026-03-09')
  clock.set('2026-03-11T10:59:00Z')
  await run()
  expect(sent).toHaveLength(1)
  clock.set('2026-03-11T11:00:00Z')
  await run()
  expect(sent).toHaveLength(2)
})

test('a mail that the mail server refuses is tried again later, as the same mail, until the next is due', async () => {
  const id = await save({ mail: 'daily' })
  clock.set('2026-03-06T12:00:00Z')
  const ids: unknown[] = []
  const refusing: Mailer = {
    ...mailer,
    send: async ({ messageId }) => {
      ids.push(messageId)
      throw new Error('mailbox busy')
    },
  }
  await run(refusing)
  await run()
  expect(sent).toEqual([])
  clock.advance(2 * 60_000)
  await run()
  expect(sent).toHaveLength(1)
  expect(ids).toEqual([sent[0]?.messageId])

  clock.set('2026-03-07T12:00:00Z')
  await run(refusing)
  await db.updateTable('saved_views').set({ mail: null, mail_due_at: null }).execute()
  clock.set('2026-03-08T12:00:00Z')
  await run()
  expect(sent).toHaveLength(1)
  expect(await refusalOf(id)).toBeNull()
})

test('a mail that waits is not sent to a reader who was blocked meanwhile', async () => {
  await save({ mail: 'daily' })
  clock.set('2026-03-06T12:00:00Z')
  await mailDueViews(services)
  await change({ login_blocked: true })
  await run()
  expect(sent).toEqual([])
  await change({ login_blocked: false })
  clock.advance(2 * 60_000)
  await run()
  expect(sent).toHaveLength(1)
})

test('one whose figures can’t be read is tried again, and delays no other', async () => {
  await save({ name: 'A', mail: 'daily' })
  clock.set('2026-03-06T12:00:00Z')
  const failing: KyselyPlugin = {
    transformQuery: () => {
      throw new Error('the replica is away')
    },
    transformResult: async ({ result }) => result,
  }
  await mailDueViews({ ...services, reportDb: withPlugin(db, failing) })
  await save({ name: 'B', mail: 'daily' })
  await db
    .updateTable('saved_views')
    .set({ mail_due_at: clock.now() })
    .where('name', '=', 'B')
    .execute()
  await run()
  expect(sent.map(({ subject }) => subject)).toEqual(['Tallyroom: B'])
  clock.advance(15 * 60_000)
  await run()
  expect(sent.map(({ subject }) => subject)).toEqual(['Tallyroom: B', 'Tallyroom: A'])
})

test('files are encrypted while they wait, and gone once they are sent', async () => {
  await save({ mail: 'daily', url: '/app/stats/sites?groupBy=agent&days=week-1' })
  clock.set('2026-03-09T12:00:00Z')
  await mailDueViews(services)
  const stored = () => db.selectFrom('mails').select('sealed_files').executeTakeFirstOrThrow()
  const { sealed_files: files } = await stored()
  expect(files?.toString('latin1')).not.toContain('carlo')
  await sendDueMails(services, mailer)
  expect(sent[0]?.attachments?.[0]?.content.toString()).toContain('carlo')
  expect(await stored()).toEqual({ sealed_files: null })
})

test('whoever stops the mails while one is being made gets none', async () => {
  const id = await save({ mail: 'daily' })
  clock.set('2026-03-06T12:00:00Z')
  let isStopped = false
  const stopWhileReading: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isStopped) {
        isStopped = true
        const stop = { params: { id }, body: { mail: null } }
        await call({ ...viewer(), accountId: ann }, savedViewsEndpoints.updateSavedView, stop)
      }
      return result
    },
  }
  await mailDueViews({ ...services, reportDb: withPlugin(db, stopWhileReading) })
  await run()
  expect(isStopped).toBe(true)
  expect(sent).toEqual([])
})

test('a hostile name adds no header and no recipient', async () => {
  await save({ mail: 'daily' })
  const name = 'Pay\r\nBcc: eve@example.com\r\n\r\n<script>'
  await db.updateTable('saved_views').set({ name }).execute()
  clock.set('2026-03-06T12:00:00Z')
  const outbox = await mkdtemp(join(tmpdir(), 'views-'))
  const from = { name: 'Tallyroom', address: 'no-reply@office.example' }
  await run(openMailer({ smtpUrl: undefined, outbox, from, clock }))
  const [file = ''] = await readdir(outbox)
  const [headers = ''] = (await readFile(join(outbox, file), 'utf8')).split('\r\n\r\n', 1)
  await rm(outbox, { recursive: true })
  expect(headers).toContain('To: ann@example.com')
  expect(headers).not.toMatch(/^Bcc:/im)
  expect(headers).toMatch(/^Subject: Tallyroom: Pay Bcc: eve@example.com/m)
})

const withdrawn: [string, () => Promise<unknown>][] = [
  ['suspended', () => change({ suspended: true })],
  ['blocked', () => change({ login_blocked: true })],
  ['told to set a new password', () => change({ must_change_password: true })],
]
test.each(withdrawn)('nothing is sent to an account that is %s', async (_, withdraw) => {
  const id = await save({ mail: 'daily' })
  await withdraw()
  clock.set('2026-03-06T12:00:00Z')
  await run()
  expect(sent).toEqual([])
  expect(await refusalOf(id)).toBe('no access')
  // Once the account is back, mails resume with the next due time.
  await change({ suspended: false, login_blocked: false, must_change_password: false })
  await run()
  expect(sent).toEqual([])
  clock.set('2026-03-07T12:00:00Z')
  await run()
  expect(sent).toHaveLength(1)
  expect(await refusalOf(id)).toBeNull()
})

test('nothing is sent to a suspended office', async () => {
  const id = await save({ mail: 'daily', url: '/app/stats/sites' }, boss)
  await db.updateTable('offices').set({ active: false }).execute()
  clock.set('2026-03-06T12:00:00Z')
  await run()
  expect(sent).toEqual([])
  expect(await refusalOf(id)).toBe('no access')
})

test('nor a report that its reader may not open', async () => {
  const id = await save({ mail: 'daily' }, boss)
  clock.set('2026-03-06T12:00:00Z')
  await run()
  expect(sent).toEqual([])
  expect(await refusalOf(id)).toBe('no access')
})

test('a deleted site or column breaks no other mail', async () => {
  const gone = await save({ name: 'Gone', mail: 'daily', url: '/app/stats/sites?siteId=999999' })
  await save({
    name: 'Odd',
    mail: 'daily',
    url: '/app/stats/sites?sortField=bonusEarn&groupBy=x&page=9&a=b',
  })
  clock.set('2026-03-06T12:00:00Z')
  await run()
  expect(sent.map(({ subject }) => subject)).toEqual(['Tallyroom: Odd'])
  expect(await refusalOf(gone)).toBe('not a report')
})

test('one by sub id with too many clicks says so, not that a site is gone', async () => {
  await addAndFold(db, [
    { day: '2026-02-03', agent_id: maria, office_id: office, ...sale, raws: 600_000 },
  ])
  const url = '/app/stats/sites?groupBy=sub1&start=2026-02-01&end=2026-02-28'
  const id = await save({ mail: 'daily', url })
  clock.set('2026-03-06T12:00:00Z')
  await run()
  expect(sent).toEqual([])
  expect(await refusalOf(id)).toBe('too many clicks')
})

test('a period without figures says so and has no file', async () => {
  await save({ mail: 'daily', url: '/app/stats/sites?days=month-3' })
  clock.set('2026-03-06T12:00:00Z')
  await run()
  expect(sent[0]?.text).toContain('No statistics for this period.')
  expect(sent[0]?.attachments).toBeUndefined()
})

async function accountOf(column: 'office_id' | 'agent_id', id: number) {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where(column, '=', id)
    .executeTakeFirstOrThrow()
  return account.id
}

const change = (values: object) =>
  db.updateTable('accounts').set(values).where('id', '=', ann).execute()

async function refusalOf(id: number) {
  const view = await db
    .selectFrom('saved_views')
    .select('mail_refusal')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return view.mail_refusal
}
