import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { dayOf } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { callRoutes } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  buildOwed,
  buildPay,
  buildPerson,
  buildWaitingAccount,
  seenOf,
} from '../../../test/payment-world.ts'
import { buildApp, buildPasskey, giving } from '../../../test/second-factor.ts'
import { testServices } from '../../../test/services.ts'
import { remakeSeals, sealWorld, undone } from '../../../test/verify-world.ts'
import type { Viewer } from '../../access/viewer.ts'
import { openDatabase } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { removePasskeys } from '../../people/factors/change-passkeys.ts'
import { makeRecoveryCodes } from '../../people/factors/recovery-codes.ts'
import { payeeAccountsRoutes } from '../acts/payee-accounts.routes.ts'
import { signatureFindings } from '../evidence/verify-signatures.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { verifyInside } from '../verify/verify-pay.ts'

/* Approving a run and confirming an account, with the second factor. Proposals: `acts-and-hands.test.ts`. */

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const { clock } = services
const call = await callRoutes([...paymentRunsRoutes(services), ...payeeAccountsRoutes(services)])
const owner = openDatabase(database.connection, {
  max: 2,
  applicationName: 'tallyroom tests',
  asOwner: true,
})
afterAll(() => owner.close())

const { preparePaymentRun, approvePaymentRun, paymentRun, removePaymentRunLine } =
  paymentRunsEndpoints

const ann = await buildPerson(db, 'ann')
const bob = await buildPerson(db, 'bob')
const cara = await buildPerson(db, 'cara')

const minutes = (count: number) => count * 60_000

beforeEach(async () => {
  clock.set('2026-03-02T15:00:00Z')
  await emptyTables(database.connection, [
    'act_factors',
    'payment_run_steps',
    'payment_run_files',
    'payment_file_lines',
    'settlements',
    'payment_run_lines',
    'payment_runs',
    'balance_entries',
    'statements',
    'payee_account_decisions',
    'payee_accounts',
    'pay_seals',
    'passkeys',
    'passkey_changes',
    'authenticators',
    'recovery_codes',
    'used_challenges',
    'sign_in_waits',
    'facts',
  ])
  await db.updateTable('sign_in_rules').set({ second_acts: null }).execute()
  await buildPay(db)
  await sealWorld(db)
})

/** A prepared run that pays two offices. */
async function prepared(): Promise<number> {
  for (const _ of [1, 2]) await buildOwed(db, await buildOffice(db))
  const body = { period: null, currency: 'PHP', templateId: 1 }
  const answer = await call(ann, preparePaymentRun, { body })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.id
}

/** With everything seen, unless it is said what. */
const approve = async (
  who: Viewer,
  id: number,
  { key, seen }: { key?: string; seen?: object } = {},
) =>
  call(who, approvePaymentRun, {
    params: { id },
    body: seen ?? (await seenOf(db, id)),
    ...(key !== undefined && { key }),
  })

const asked = async (who: Viewer, id: number) => {
  const refused = await approve(who, id)
  expect(refused).toMatchObject({ status: 403, body: { code: 'FACTOR_NEEDED' } })
  return refused.body.asks
}

const stateOf = async (id: number) =>
  (await call(ann, paymentRun, { params: { id } })).body.state as string

const kept = () =>
  db.selectFrom('act_factors').selectAll().orderBy('kind').orderBy('thing_id').execute()

/** Nothing of the act was done. */
async function expectUndone(id: number) {
  expect(await stateOf(id)).toBe('prepared')
  expect(await kept()).toEqual([])
  const files = await db.selectFrom('payment_run_files').selectAll().execute()
  expect(files).toEqual([])
}

test('a passkey signs the hash of what the run pays, and what it signed is kept', async () => {
  const device = await buildPasskey(services, bob.accountId)
  const id = await prepared()
  // As a browser sends the form again, with its key.
  const key = 'one-form-one-key-0001'
  const refused = await approve(bob, id, { key })
  const { asks } = refused.body
  expect(asks).toMatchObject({ byCode: false, passkey: { challenge: asks.challenge } })
  await expectUndone(id)
  const passkey = device.get(asks.passkey)
  const given = giving(bob, { challenge: asks.challenge, passkey })
  expect(await approve(given, id, { key })).toMatchObject({ status: 200, body: { approved: 2 } })
  expect(await stateOf(id)).toBe('approved')
  const [row] = await kept()
  expect(row).toMatchObject({
    kind: 'run',
    thing_id: id,
    made_by: bob.accountId,
    rp_id: 'localhost',
  })
  expect(row?.content).toEqual(Buffer.from(asks.challenge, 'base64url').subarray(-32))
  expect(row?.signature).toEqual(Buffer.from(passkey.signature, 'base64url'))
})

test('whoever has no second factor approves without one, until the day that the network chose', async () => {
  const [first, second] = [await prepared(), await prepared()]
  const today = dayOf(clock.peek())
  await db.updateTable('sign_in_rules').set({ second_acts: '2026-03-03' }).execute()
  expect(await approve(bob, first)).toMatchObject({ status: 200 })
  await db.updateTable('sign_in_rules').set({ second_acts: today }).execute()
  expect(await approve(bob, second)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN', message: expect.stringContaining('Profile → Second factor') },
  })
  expect(await stateOf(second)).toBe('prepared')
  expect(await kept()).toEqual([])
})

test('a run that changed after it was asked about is not approved', async () => {
  const device = await buildPasskey(services, bob.accountId)
  const id = await prepared()
  const seen = await seenOf(db, id)
  const asks = await asked(bob, id)
  const { lines } = (await call(ann, paymentRun, { params: { id } })).body
  const body = { lineId: lines[0].id, reason: 'Left' }
  expect(await call(ann, removePaymentRunLine, { params: { id }, body })).toMatchObject({
    status: 200,
  })
  const given = giving(bob, { challenge: asks.challenge, passkey: device.get(asks.passkey) })
  expect(await approve(given, id, { seen })).toMatchObject({ status: 409 })
  // Nor if they look at it again, and send what they signed before.
  expect(await approve(given, id)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('has changed') },
  })
  await expectUndone(id)
})

test('of two tabs with two challenges, one approves', async () => {
  const device = await buildPasskey(services, bob.accountId, { counts: false })
  const id = await prepared()
  const seen = await seenOf(db, id)
  const tabs = [await asked(bob, id), await asked(bob, id)]
  const answers = await Promise.all(
    tabs.map((asks) => {
      const passkey = device.get(asks.passkey)
      return approve(giving(bob, { challenge: asks.challenge, passkey }), id, { seen })
    }),
  )
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 409,
  ])
  expect(await kept()).toHaveLength(1)
})

test('what was signed for another run, by another account, or too long ago approves nothing', async () => {
  const device = await buildPasskey(services, bob.accountId)
  const others = await buildPasskey(services, cara.accountId)
  const [first, second] = [await prepared(), await prepared()]
  const asks = await asked(bob, first)
  const signed = { challenge: asks.challenge, passkey: device.get(asks.passkey) }
  const late = expect.stringContaining('asked for something else, or too long ago')
  const refused = { status: 409, body: { message: late } }
  expect(await approve(giving(bob, signed), second)).toMatchObject(refused)
  expect(await approve(giving(cara, signed), first)).toMatchObject(refused)
  const theirs = await asked(cara, first)
  const foreign = { challenge: theirs.challenge, passkey: others.get(theirs.passkey) }
  expect(await approve(giving(bob, foreign), first)).toMatchObject(refused)
  // The challenge of one, and an answer to another.
  const mixed = { challenge: (await asked(bob, second)).challenge, passkey: signed.passkey }
  expect(await approve(giving(bob, mixed), second)).toMatchObject({
    body: { code: 'FACTOR_NEEDED' },
  })
  const made = 'A'.repeat(136)
  expect(await approve(giving(bob, { ...signed, challenge: made }), first)).toMatchObject(refused)
  clock.advance(minutes(5))
  expect(await approve(giving(bob, signed), first)).toMatchObject(refused)
  await expectUndone(first)
  await expectUndone(second)
})

test('a header that can’t be read is refused', async () => {
  const id = await prepared()
  for (const factor of ['not json', '', '[]', 'eyJhIjoxfQ'])
    expect(await approve({ ...bob, visit: { host: '', factor } }, id)).toMatchObject({
      status: 422,
    })
  await expectUndone(id)
})

test('a wrong passkey may be tried again, and after five the account waits', async () => {
  const device = await buildPasskey(services, bob.accountId)
  const id = await prepared()
  let asks = await asked(bob, id)
  for (const _ of [1, 2, 3, 4, 5]) {
    const passkey = { ...device.get(asks.passkey), signature: 'AAAA' }
    const refused = await approve(giving(bob, { challenge: asks.challenge, passkey }), id)
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'FACTOR_NEEDED', data: { passkey: [expect.any(String)] } },
    })
    expect(refused.body.asks.challenge).not.toBe(asks.challenge)
    asks = refused.body.asks
  }
  const right = giving(bob, { challenge: asks.challenge, passkey: device.get(asks.passkey) })
  expect(await approve(right, id)).toMatchObject({ status: 429 })
  await expectUndone(id)
})

test('what is sent where nothing looks at it takes back no failure', async () => {
  const device = await buildPasskey(services, bob.accountId)
  const id = await prepared()
  const wrong = async () => {
    const asks = await asked(bob, id)
    const passkey = { ...device.get(asks.passkey), signature: 'AAAA' }
    return (await approve(giving(bob, { challenge: asks.challenge, passkey }), id)).status
  }
  for (const _ of [1, 2, 3, 4]) expect(await wrong()).toBe(403)
  const seen = await seenOf(db, id)
  const { challenge } = await asked(bob, id)
  expect(await approve(giving(bob, { challenge, code: '1' }), 999_999, { seen })).toMatchObject({
    status: 404,
  })
  expect(await wrong()).toBe(403)
  expect(await wrong()).toBe(429)
})

test('a copied passkey approves nothing, and its holder is told', async () => {
  const device = await buildPasskey(services, bob.accountId)
  const id = await prepared()
  await db.updateTable('passkeys').set({ counter: 1000 }).execute()
  const asks = await asked(bob, id)
  const given = giving(bob, { challenge: asks.challenge, passkey: device.get(asks.passkey) })
  expect(await approve(given, id)).toMatchObject({
    status: 422,
    body: { data: { passkey: [expect.stringContaining('may have copied it')] } },
  })
  await expectUndone(id)
  const facts = await db.selectFrom('facts').select('subject').execute()
  expect(facts).toEqual([{ subject: { happened: 'passkey refused' } }])
})

test('a passkey of another address is said to be one', async () => {
  await buildPasskey(services, bob.accountId, { host: 'pay.example.com' })
  const id = await prepared()
  expect(await approve(bob, id)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN', message: expect.stringContaining('on this address') },
  })
  // One that also has an app is asked for its code.
  await buildApp(services, bob.accountId)
  expect(await asked(bob, id)).toMatchObject({ byCode: true, passkey: null })
})

test('a code approves once, and a recovery code never', async () => {
  const code = await buildApp(services, bob.accountId)
  const [first, second] = [await prepared(), await prepared()]
  const [recovery] = await inTransaction(db, (tx) => makeRecoveryCodes(tx, bob.accountId))
  const { challenge } = await asked(bob, first)
  expect(await approve(giving(bob, { challenge, code: recovery }), first)).toMatchObject({
    status: 403,
    body: { data: { code: [expect.stringContaining('a recovery code doesn’t do here')] } },
  })
  await expectUndone(first)
  const shown = code()
  expect(await approve(giving(bob, { challenge, code: shown }), first)).toMatchObject({
    status: 200,
  })
  const next = await asked(bob, second)
  const replayed = giving(bob, { challenge: next.challenge, code: shown })
  expect(await approve(replayed, second)).toMatchObject({
    status: 403,
    body: { data: { code: [expect.stringContaining('was used before')] } },
  })
  const left = await db
    .selectFrom('recovery_codes')
    .select('used_at')
    .where('used_at', 'is not', null)
    .execute()
  expect(left).toEqual([])
})

test('to confirm an account needs it, and to refuse one does not', async () => {
  const device = await buildPasskey(services, bob.accountId)
  const [one, other] = [
    await buildWaitingAccount(db, await buildOffice(db)),
    await buildWaitingAccount(db, await buildOffice(db), { number: '55500011' }),
  ]
  const decide = (who: Viewer, id: number, confirm: boolean) =>
    call(who, payeeAccountsEndpoints.decideAccount, {
      params: { id },
      body: { confirm, reason: confirm ? '' : 'Not theirs' },
    })
  expect(await decide(bob, other, false)).toMatchObject({ status: 200 })
  const { asks } = (await decide(bob, one, true)).body
  const given = giving(bob, { challenge: asks.challenge, passkey: device.get(asks.passkey) })
  expect(await decide(given, one, true)).toMatchObject({ status: 200 })
  expect(await kept()).toMatchObject([{ kind: 'account', thing_id: one }])
  expect(await undone(owner, (tx) => signatureFindings(tx, 'all'))).toEqual([])
})

/** The findings after a change by somebody who makes the seals anew. */
const findingsAfter = (change: string): Promise<string[]> =>
  undone(owner, async (tx) => {
    await sql.raw(change).execute(tx)
    await remakeSeals(tx)
    const { findings } = await verifyInside(tx)
    const signatures = await signatureFindings(tx, 'all')
    expect(findings).toEqual(expect.arrayContaining(signatures))
    return signatures
  })

test('verifying names an approval that its passkey has not signed, or whose content changed', async () => {
  const device = await buildPasskey(services, bob.accountId)
  clock.advance(minutes(1))
  const id = await prepared()
  const asks = await asked(bob, id)
  const given = giving(bob, { challenge: asks.challenge, passkey: device.get(asks.passkey) })
  expect(await approve(given, id)).toMatchObject({ status: 200 })
  const { number } = await db
    .selectFrom('payment_runs')
    .select('number')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

  expect(await findingsAfter('select 1')).toEqual([])
  // What was kept is enough once the passkey is gone.
  expect(await findingsAfter('delete from passkeys')).toEqual([])

  const changed = [`${number} is not what bob approved: it was changed afterwards.`]
  const flipped = String.raw`set_byte(sha256, 0, get_byte(sha256, 0) # 1)`
  const line = `(select min(id) from payment_run_lines)`
  for (const change of [
    `update payment_run_files set sha256 = ${flipped}`,
    `update payment_run_lines set amount = amount + 1 where id = ${line}`,
    `update payment_run_lines set account_id = account_id + 1 where id = ${line}`,
    `update payment_runs set execution_day = execution_day + 1`,
  ])
    expect([change, await findingsAfter(change)]).toEqual([change, changed])

  const unsigned = [`The passkey of bob has not signed the approval of ${number}.`]
  for (const change of [
    String.raw`update act_factors set signature = set_byte(signature, 20, get_byte(signature, 20) # 1)`,
    `update act_factors set content = sha256('another')`,
    `update act_factors set rp_id = 'another.example'`,
    `update act_factors set client_data = convert_to(replace(convert_from(client_data, 'UTF8'), 'localhost', 'remote'), 'UTF8')`,
  ])
    expect([change, await findingsAfter(change)]).toEqual([change, unsigned])

  // Another key, by which somebody signed for themselves.
  expect(
    await findingsAfter(
      `update passkeys set public_key = '\\x00' where account_id = ${bob.accountId}`,
    ),
  ).toEqual([`The key by which bob approved ${number} is not that of their passkey.`])
  expect(await findingsAfter('delete from act_factors')).toEqual([
    `bob approved ${number} without the second factor that this needed.`,
  ])
  expect(
    await findingsAfter(
      `update payment_run_steps set made_by = ${cara.accountId}, made_by_name = 'cara' where step = 'approved'`,
    ),
  ).toEqual([`bob confirmed ${number}, and has not approved it.`])
})

/** A run that bob has approved with a passkey. */
async function approvedBy(device: Awaited<ReturnType<typeof buildPasskey>>): Promise<string> {
  const id = await prepared()
  const asks = await asked(bob, id)
  const given = giving(bob, { challenge: asks.challenge, passkey: device.get(asks.passkey) })
  expect(await approve(given, id)).toMatchObject({ status: 200 })
  const { body } = await call(ann, paymentRun, { params: { id } })
  return body.number
}

const neverTheirs = (number: string) =>
  `The key by which bob approved ${number} was not that of a passkey of theirs.`

test('verifying names an approval whose key was not that of a passkey of the approver, then', async () => {
  const device = await buildPasskey(services, bob.accountId)
  const present = await db.selectFrom('passkeys').selectAll().executeTakeFirstOrThrow()
  const first = await approvedBy(device)
  await inTransaction(db, (tx) => removePasskeys(tx, bob))
  expect(await db.selectFrom('passkeys').select('id').execute()).toEqual([])
  // One that was removed later is still known.
  expect(await findingsAfter('select 1')).toEqual([])

  // Somebody who can write the database gives the account its passkey back, and approves with it.
  await db.insertInto('passkeys').values(present).execute()
  const second = await approvedBy(device)
  expect(await findingsAfter('select 1')).toEqual([neverTheirs(second)])
  expect(await findingsAfter(`delete from passkey_changes where kind = 'removed'`)).toEqual([])
  for (const change of [
    'delete from passkey_changes',
    `update passkey_changes set account_id = ${cara.accountId}`,
    `update passkey_changes set credential_id = 'another'`,
    `update passkey_changes set public_key = 'another'`,
  ])
    expect([change, await findingsAfter(change)]).toEqual([
      change,
      [neverTheirs(first), neverTheirs(second)],
    ])
})

test('of a passkey that was removed before such changes were kept, nothing is said', async () => {
  const device = await buildPasskey(services, bob.accountId)
  await approvedBy(device)
  expect(
    await findingsAfter(`
      delete from passkeys;
      delete from passkey_changes;
      update pay_seals set number = (select max(number) + 1 from pay_seals)
      where table_name = 'passkey_changes' and kind = 'begun'`),
  ).toEqual([])
})

test('verifying names who approved without a factor after the day from which nobody does', async () => {
  const id = await prepared()
  expect(await approve(bob, id)).toMatchObject({ status: 200 })
  const from = (day: string) => findingsAfter(`update sign_in_rules set second_acts = '${day}'`)
  expect(await from('2026-03-01')).toEqual([
    expect.stringMatching(/^bob approved .* without the second factor that this needed\.$/),
  ])
  // On the day itself it may have been chosen after that.
  expect(await from('2026-03-02')).toEqual([])
})

test('no other code writes a second step', () => {
  const root = join(import.meta.dirname, '../..')
  const writes = /step: 'approved'|confirmed: true,|insertProposalDecision\b/
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => writes.test(readFileSync(join(root, name), 'utf8')))
  expect(found.toSorted()).toEqual([
    'pay/acts/decide.ts', // refuses and withdraws
    'pay/acts/give-back.ts', // refuses
    'pay/ledger/proposals.queries.ts',
    'pay/seconds/second-step.ts',
  ])
})
