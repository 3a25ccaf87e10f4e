import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { type News, paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  approveWaiting,
  buildAccountInForce,
  buildOwed,
  buildPay,
  seenOf,
  buildPerson,
} from '../../../test/payment-world.ts'
import { PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { recordHand } from '../../people/hands/record-hand.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const call = await callRoutes(paymentRunsRoutes(services))
const runs = paymentRunsEndpoints

let [ann, bob] = [viewer(), viewer()]
let manila = 0

beforeEach(async () => {
  await emptyTables(database.connection, [...PAY_TABLES, 'account_hands'])
  clock.set('2026-03-01T15:00:00Z')
  await buildPay(db)
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
  manila = await buildOwed(db, await buildOffice(db, { name: 'Manila' }))
})

const prepare = async (): Promise<number> =>
  (
    await call(ann, runs.preparePaymentRun, {
      body: { period: null, currency: 'PHP', templateId: 1 },
    })
  ).body.id
const newsOf = async (id: number): Promise<News[]> =>
  (await call(bob, runs.paymentRun, { params: { id } })).body.toApprove.news
const approve = (id: number, seen: object, who = bob) =>
  call(who, runs.approvePaymentRun, { params: { id }, body: seen })

test.each([
  ['203.0.113.7', 'Firefox', undefined],
  ['198.51.100.9', 'Chrome', 'with a browser like yours (Chrome)'],
  ['203.0.113.9', 'Chrome', 'from your address and with a browser like yours (Chrome)'],
  ['203.0.113.9', 'Firefox', 'from your address'],
  ['2001:db8::9', 'Firefox', undefined],
])('who approves is told if they work where the preparer does: %s, %s', async (ip, name, alike) => {
  const browser = { Chrome: 'Mozilla/5.0 Chrome/150.0.0.0', Firefox: 'Mozilla/5.0 Firefox/150.0' }[
    name
  ]!
  await signIn(ann, ip, browser, '2026-03-01T14:30:00Z')
  await signIn(bob, '203.0.113.9', 'Mozilla/5.0 Chrome/150.0.0.0', '2026-03-01T14:50:00Z')
  const id = await prepare()
  const placed = (await newsOf(id)).filter(({ kind }) => kind === 'same place')
  expect(placed.map(({ title, text }) => [title, text])).toEqual(
    alike === undefined
      ? []
      : [
          [
            'ann, who prepared this run, works where you do',
            `They were signed in ${alike}. Make sure that it was ann who prepared it.`,
          ],
        ],
  )
  // Only bob has to tick it, and has to.
  const withoutIt = await seenOf(db, id)
  const ticked = [...withoutIt.ticked, ...placed.map(({ key }) => key)]
  if (placed.length > 0)
    expect((await approve(id, withoutIt)).body.message).toContain('works where you do')
  expect((await approve(id, { ...withoutIt, ticked })).status).toBe(200)
})

test('a session of the preparer that ended long before the run, or one of Sign in as, is no news', async () => {
  const browser = 'Mozilla/5.0 Chrome/150.0.0.0'
  await signIn(bob, '203.0.113.9', browser, '2026-03-01T14:50:00Z')
  await signIn(ann, '203.0.113.9', browser, '2026-03-01T13:50:00Z')
  await signIn(
    { ...ann, signedInBy: bob.accountId },
    '203.0.113.9',
    browser,
    '2026-03-01T14:55:00Z',
  )
  expect((await newsOf(await prepare())).filter(({ kind }) => kind === 'same place')).toEqual([])
})

test('a token, which has no session, reads the news of a run', async () => {
  const id = await prepare()
  const token = { ...bob, sessionId: '' }
  const { status, body } = await call(token, runs.paymentRun, { params: { id } })
  expect([status, body.toApprove.news]).toEqual([200, await newsOf(id)])
})

/** Gives somebody a session that was last used then. */
async function signIn(who: Viewer, ip: string, browser: string, lastUsed: string): Promise<void> {
  who.sessionId = randomUUID()
  await db
    .insertInto('sessions')
    .values({
      id: who.sessionId,
      account_id: who.accountId,
      started_at: lastUsed,
      last_seen_at: lastUsed,
      expires_at: '2026-03-02T15:00:00Z',
      ip,
      user_agent: browser,
      signed_in_by: who.signedInBy ?? null,
    })
    .execute()
}

/** Approves, sends and settles a run. */
async function finish(id: number, result: { paid: boolean; reason: string }): Promise<void> {
  expect((await approve(id, await seenOf(db, id))).status).toBe(200)
  const { files, lines } = (await call(bob, runs.paymentRun, { params: { id } })).body
  await call(bob, runs.takePaymentFile, { params: { id }, body: { name: files[0].name } })
  await call(bob, paymentResultsEndpoints.enterPaymentResults, {
    params: { id },
    body: {
      lines: lines.map(({ reference }: { reference: string }) => ({ reference, ...result })),
    },
  })
  await approveWaiting(services)
  clock.advance(60_000)
}

let statements = 2_000_000_000
/** Manila earns something more, some of it by an adjustment. */
async function earn(amount: number, adjusted?: { amount: number; reason: string }): Promise<void> {
  const made = { made_at: clock.now(), made_by: ann.accountId }
  const payee = { payee_kind: 'office', payee_id: manila, currency: 'PHP' }
  const statement_id = ++statements
  await db
    .insertInto('balance_entries')
    .values({ ...payee, ...made, amount, kind: 'statement', statement_id })
    .execute()
  if (!adjusted) return
  const { id } = await db
    .insertInto('adjustments')
    .values({ ...payee, ...made, ...adjusted, made_by_name: 'ann' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('booked_adjustments').values({ adjustment_id: id, statement_id }).execute()
}

const hold = (held: boolean, reason: string) =>
  db
    .insertInto('pay_holds')
    .values({
      payee_kind: 'office',
      payee_id: manila,
      held,
      reason,
      set_at: clock.now(),
      set_by: ann.accountId,
      set_by_name: 'ann',
    })
    .execute()

test('of a run that pays as last time, nothing is new', async () => {
  await finish(await prepare(), { paid: true, reason: '' })
  await earn(2_000_00)
  const id = await prepare()
  expect(await newsOf(id)).toEqual([])
  expect((await approve(id, await seenOf(db, id))).status).toBe(200)
})

test('a first payment and a first run with a template are new', async () => {
  expect(await newsOf(await prepare())).toMatchObject([
    { kind: 'template', lineId: null, payee: null, title: 'First run with the template Generic' },
    {
      kind: 'account',
      payee: 'Manila',
      title: 'First payment',
      text: expect.stringMatching(
        /^Bank of the Philippine Islands \(BPI\) •••• 7890, entered by the office on .*, confirmed by somebody on .*\.$/,
      ),
    },
  ])
})

test('everything that changed since a payee was last paid to its account is new', async () => {
  await finish(await prepare(), { paid: true, reason: '' })
  await hold(true, 'Fraud under review')
  await hold(false, 'It was a mistake')
  await earn(9_000_00, { amount: 7_000_00, reason: 'Bonus' })
  const login = await db
    .selectFrom('accounts')
    .select('id')
    .where('office_id', '=', manila)
    .executeTakeFirstOrThrow()
  await recordHand(db, { accountId: login.id, kinds: ['password'], by: ann, at: clock.now() })
  const changed = await prepare()
  expect((await newsOf(changed)).map(({ kind, title, text }) => [kind, title, text])).toEqual([
    ['amount', '₱9,000.00, more than twice the usual', 'The last payment was ₱2,000.00.'],
    ['adjustment', 'Adjustment: ₱7,000.00', expect.stringMatching(/^By ann on .*: Bonus$/)],
    ['hold lifted', 'Hold lifted', expect.stringMatching(/^By ann on .*: It was a mistake$/)],
    [
      'hand',
      'Somebody else could sign in as this payee',
      expect.stringMatching(/ had the password set by ann on 1 Mar 2026\.$/),
    ],
  ])
  await finish(changed, { paid: false, reason: 'Account closed' })
  await buildAccountInForce(db, manila, { number: '5550001234' })
  expect((await newsOf(await prepare())).map(({ kind, title }) => [kind, title])).toEqual([
    ['account', 'Changed account'],
    ['amount', '₱9,000.00, more than twice the usual'],
    // To this account, nothing was ever paid: all that the payee ever got is looked at again.
    ['adjustment', 'Adjustment: ₱7,000.00'],
    ['hold lifted', 'Hold lifted'],
    ['failed before', 'Failed before: ₱9,000.00'],
    ['hand', 'Somebody else could sign in as this payee'],
  ])
})

test('an approval needs every tick, and is refused with what is new since', async () => {
  const id = await prepare()
  const seen = await seenOf(db, id)
  const refusal = (message: string) => ({ status: 409, body: { message } })
  expect(await approve(id, { amount: seen.amount })).toMatchObject(
    refusal(
      'Not ticked, or new since you opened this run: First run with the template Generic; Manila: First payment. Look at it before you approve.',
    ),
  )
  for (const left of seen.ticked)
    expect(
      (await approve(id, { ...seen, ticked: seen.ticked.filter((key) => key !== left) })).status,
    ).toBe(409)
  // Ticks for an older list, and for something that never was.
  expect((await approve(id, { ...seen, ticked: [...seen.ticked, 'another'] })).status).toBe(409)
  await hold(false, 'Paid by hand?')
  expect(await approve(id, seen)).toMatchObject(
    refusal(
      'Not ticked, or new since you opened this run: Manila: Hold lifted. Look at it before you approve.',
    ),
  )
  expect((await approve(id, await seenOf(db, id))).status).toBe(200)
})

test('what reads the same twice can be ticked twice, and a hand of one day once', async () => {
  for (const held of [true, false, true, false]) await hold(held, 'A dispute')
  const { id: office } = await db
    .selectFrom('accounts')
    .select('id')
    .where('office_id', '=', manila)
    .executeTakeFirstOrThrow()
  for (const minutes of [0, 1])
    await recordHand(db, {
      accountId: office,
      kinds: ['password'],
      by: { accountId: ann.accountId, signedInBy: undefined },
      at: new Date(clock.now().getTime() + minutes * 60_000),
    })
  const id = await prepare()
  const news = (await newsOf(id)).filter(({ kind }) => kind === 'hold lifted' || kind === 'hand')
  expect(news.map(({ kind }) => kind)).toEqual(['hold lifted', 'hold lifted', 'hand'])
  const seen = await seenOf(db, id)
  expect((await approve(id, { ...seen, ticked: seen.ticked.slice(1) })).status).toBe(409)
  expect((await approve(id, seen)).status).toBe(200)
})

test('an approval needs the files as they are now', async () => {
  await buildOwed(db, await buildOffice(db, { name: 'Cebu' }))
  const id = await prepare()
  const seen = await seenOf(db, id)
  const changed = 'The run has changed since you looked at its files.'
  for (const files of [
    [],
    [...seen.files, ...seen.files.map((file) => ({ ...file, name: 'another' }))],
    seen.files.map((file) => ({ ...file, sha256: '0'.repeat(64) })),
  ])
    expect((await approve(id, { ...seen, files })).body.message).toContain(changed)
  // A line that can't be paid any more is not in the files, so the approver has to see them again.
  await hold(true, 'Fraud')
  expect((await approve(id, seen)).status).toBe(409)
  expect((await call(bob, runs.paymentRun, { params: { id } })).body.toApprove).toMatchObject({
    amount: 2_000_00,
    refused: [{ name: 'Manila', why: 'On hold: Fraud' }],
  })
  expect((await approve(id, await seenOf(db, id))).body).toEqual({
    approved: 1,
    refused: [{ name: 'Manila', why: 'On hold: Fraud' }],
  })
})

test('whoever can approve sees the lines as they will be, with whole numbers; nobody else does', async () => {
  const id = await prepare()
  const review = (who: typeof ann) => call(who, runs.reviewPaymentRun, { params: { id } })
  const shown = (await review(bob)).body
  expect(shown).toMatchObject({
    amount: 2_000_00,
    files: [
      {
        headings: expect.arrayContaining(['Account number']),
        lines: [
          expect.arrayContaining([`P1R${id}N1`, 'Manila', '2000.00', '1234567890', 'Maria Santos']),
        ],
      },
    ],
  })
  expect(shown.files[0].sha256).toBe((await seenOf(db, id)).files[0]?.sha256)
  expect(await review(ann)).toMatchObject({
    status: 403,
    body: { message: 'You prepared this run. Somebody else must approve it.' },
  })
  expect((await review({ ...bob, signedInBy: ann.accountId })).status).toBe(403)
  await approve(id, await seenOf(db, id))
  expect((await review(bob)).status).toBe(409)
})
