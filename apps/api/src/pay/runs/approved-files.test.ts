import { payFilesEndpoints, type PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { createTestDatabase, emptyTables, testDatabase } from '../../../test/database.ts'
import {
  buildAccountInForce,
  seenOf,
  buildOwed,
  buildPay,
  genericLayout,
  buildPerson,
} from '../../../test/payment-world.ts'
import { PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { isSealedWith } from '../../lib/cipher.ts'
import { silentLog } from '../../lib/log/log.ts'
import { deriveKey } from '../../lib/secrets.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'
import { resealPaymentFiles } from './approved-files.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes(paymentRunsRoutes(services))
const runs = paymentRunsEndpoints
const templates = payFilesEndpoints

let [ann, bob] = [viewer(), viewer()]

beforeEach(async () => {
  await emptyTables(database.connection, [...PAY_TABLES])
  await buildPay(db)
  ;[ann, bob] = [await buildPerson(db, 'ann'), await buildPerson(db, 'bob')]
})

/** Owes ₱2,000.00 to each of these offices. */
async function owe(...names: string[]): Promise<void> {
  for (const name of names) await buildOwed(db, await buildOffice(db, { name }))
}

const prepare = async (templateId = 1): Promise<number> =>
  (
    await call(ann, runs.preparePaymentRun, {
      body: { period: null, currency: 'PHP', templateId },
    })
  ).body.id
const get = async (id: number) => (await call(bob, runs.paymentRun, { params: { id } })).body
const approve = async (id: number) =>
  call(bob, runs.approvePaymentRun, { params: { id }, body: await seenOf(db, id) })
const take = (id: number, name: string, again = false) =>
  call(bob, runs.takePaymentFile, { params: { id }, body: { name, again } })
const create = (name: string, layout: PayFileLayout) =>
  call(ann, templates.createPayFileTemplate, { body: { name, layout } })
async function change(id: number, layout: object) {
  const all = (await call(ann, templates.payFileTemplates)).body
  const { version, layout: present } = all.find((one: { id: number }) => one.id === id)
  return call(ann, templates.updatePayFileTemplate, {
    params: { id },
    body: { version, layout: { ...present, ...layout } },
  })
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('a template that is changed after a run was prepared does not change the run’s files', async () => {
  await owe('Manila', 'Cebu', 'Davao')
  const { id: templateId } = (await create('Parts', { ...genericLayout, mostLines: 2 })).body
  const id = await prepare(templateId)
  const { files } = await get(id)
  expect(files).toMatchObject([
    { lines: 2, sha256: null },
    { lines: 1, sha256: null },
  ])
  // Its preparer sends everything elsewhere, and puts the template back afterwards.
  const redirected: PayFileLayout['columns'] = [
    ...genericLayout.columns.filter(({ field }) => field !== 'accountName'),
    { header: 'Account name', field: 'text', text: 'Mallory Attacker' },
  ]
  const changes = { columns: redirected, decimals: 'none', separator: 'semicolon', mostLines: 1 }
  expect((await change(templateId, changes)).status).toBe(200)
  expect((await get(id)).files).toEqual(files)
  await approve(id)
  await change(templateId, { columns: genericLayout.columns, mostLines: 3 })
  const [first, second] = (await get(id)).files
  const bytes = (await take(id, first.name)).body
  await change(templateId, changes)
  expect(String(bytes)).toBe(
    'Reference,Amount,Account number,Account name\r\n' +
      `P1R${id}N1,2000.00,1234567890,Maria Santos\r\n` +
      `P1R${id}N2,2000.00,1234567890,Maria Santos\r\n`,
  )
  expect(first.sha256).toBe(sha256(bytes))
  expect(sha256((await take(id, second.name)).body)).toBe(second.sha256)
  expect((await take(id, first.name, true)).body).toEqual(bytes)
  // A run that is prepared now has the template as it is now.
  await owe('Iloilo')
  const [file] = (await get(await prepare(templateId))).files
  expect(file.name).not.toBe(first.name)
})

test('a template has the account number, the amount and the reference once each', async () => {
  const withColumns = (columns: PayFileLayout['columns']) => ({ ...genericLayout, columns })
  const problemsOf = async (columns: PayFileLayout['columns']) =>
    (await create('Bad', withColumns(columns))).body.data
  const [reference, amount, number] = genericLayout.columns
  for (const [missing, name] of [
    ['reference', 'the reference'],
    ['amount', 'the amount'],
    ['accountNumber', 'the account number'],
  ] as const) {
    const without = genericLayout.columns.filter(({ field }) => field !== missing)
    const one = { header: '', field: missing }
    expect(await problemsOf(without)).toEqual({
      'layout.columns': [`must have ${name} in exactly one column: none has it`],
    })
    expect(await problemsOf([...without, one, one])).toEqual({
      'layout.columns': [`must have ${name} in exactly one column: 2 have it`],
    })
  }
  const text = (value: string) => [
    reference!,
    amount!,
    number!,
    { header: 'Account number', field: 'text' as const, text: value },
  ]
  for (const [value, like] of [
    ['6666000011', 'an account number'],
    ['6666-0000 11', 'an account number'],
    ['0917 123 4567', 'an account number'],
    ['DE89370400440532013000', 'an account number'],
    ['DE89 3704 0044 0532 0130 00', 'an account number'],
    ['66660o00011', 'an account number'],
    ['500,000.00', 'an amount'],
    ['1234,50', 'an amount'],
    ['P1R4N1', 'a reference'],
  ])
    expect(await problemsOf(text(value!))).toEqual({
      'layout.columns.3.text': [`must not look like ${like}: “${value}”`],
    })
  const part = (value: string) => ({ header: '', field: 'text' as const, text: value })
  expect(await problemsOf([reference!, amount!, number!, part('66660'), part('00011')])).toEqual({
    'layout.columns.3.text': [
      'must not look like an account number with the columns after it: “6666000011”',
    ],
  })
  const headed = (column: object, header: string) =>
    ({ ...column, header }) as PayFileLayout['columns'][number]
  expect(
    await problemsOf([headed(reference!, 'Account number'), amount!, headed(number!, 'Reference')]),
  ).toEqual({
    'layout.columns.0.header': [
      'says the account number, but the column has the reference: “Account number”',
    ],
    'layout.columns.2.header': [
      'says the reference, but the column has the account number: “Reference”',
    ],
  })
  expect(await problemsOf([reference!, amount!, headed(number!, '6666000011')])).toEqual({
    'layout.columns.2.header': ['must not look like an account number: “6666000011”'],
  })
  for (const value of [
    'PHP',
    '0',
    '0.00',
    '000000',
    'SALARY 2026',
    '0010',
    'Payroll',
    'DEUTDEDB110',
  ])
    expect((await create(`With ${value}`, withColumns(text(value)))).status).toBe(200)
  // The same rule for a change, and for a preview.
  const { id } = (await create('Good', genericLayout)).body
  expect(await change(id, { columns: text('6666000011') })).toMatchObject({ status: 422 })
  const preview = { body: { layout: withColumns(text('6666000011')) } }
  expect((await call(ann, templates.previewPayFile, preview)).status).toBe(422)
})

test('a template from before the rule pays nobody until it is changed', async () => {
  await owe('Manila')
  const { id } = await db
    .insertInto('pay_file_templates')
    .values({
      name: 'Old',
      layout: JSON.stringify({ ...genericLayout, columns: genericLayout.columns.slice(0, 2) }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const asked = { period: null, currency: 'PHP', templateId: id }
  for (const endpoint of [runs.preparePaymentRun, runs.paymentRunCandidates])
    expect((await call(ann, endpoint, { body: asked })).body.data).toEqual({
      templateId: [
        'can’t pay anybody: its columns must have the account number in exactly one column: none has it',
      ],
    })
  await change(id, { columns: genericLayout.columns })
  expect((await call(ann, runs.preparePaymentRun, { body: asked })).status).toBe(200)
})

test('lines that approving refuses are in no file', async () => {
  await owe('Manila', 'Cebu')
  const id = await prepare()
  const cebu = (await get(id)).lines[1].payee.id
  await buildAccountInForce(db, cebu, { number: '777777' })
  await approve(id)
  const [file] = (await get(id)).files
  expect(file).toMatchObject({ lines: 1, amount: 2_000_00 })
  expect(String((await take(id, file.name)).body)).not.toContain('Cebu')
})

test('what SQL changes after the approval changes no file, and a changed file is refused', async () => {
  await owe('Manila')
  const id = await prepare()
  await approve(id)
  const [{ name, sha256: approved }] = (await get(id)).files
  const asOwner = openDatabase(database.connection, {
    max: 1,
    applicationName: 'test',
    asOwner: true,
  })
  onTestFinished(asOwner.close)
  const owner = asOwner.db
  for (const statement of [
    sql`update payment_run_lines set amount = 1, payee_name = 'x', reference = 'x', account_id = 0`,
    sql`update payment_runs set layout = jsonb_set(layout, '{separator}', '"tab"'), number = 'x'`,
    sql`update payee_accounts set institution = 'GXCHPHM2', sealed = '\\x00', last_characters = '0000'`,
    sql`update offices set name = 'Another'`,
  ])
    await statement.execute(owner)
  const { status, body } = await take(id, name)
  expect([status, sha256(body)]).toEqual([200, approved])

  const { sealed } = await db
    .selectFrom('payment_run_files')
    .select('sealed')
    .executeTakeFirstOrThrow()
  const refusal = {
    status: 409,
    body: { message: expect.stringContaining('is not the file that was approved') },
  }
  sealed[sealed.length - 1]! ^= 1
  await owner.updateTable('payment_run_files').set({ sealed }).execute()
  expect(await take(id, name, true)).toMatchObject(refusal)
  sealed[sealed.length - 1]! ^= 1
  await owner
    .updateTable('payment_run_files')
    .set({ sealed, sha256: Buffer.alloc(32) })
    .execute()
  expect(await take(id, name, true)).toMatchObject(refusal)
})

test('files outlive a rotation of the key, and wait for a key that is missing', async () => {
  await owe('Manila')
  const id = await prepare()
  await approve(id)
  const [{ name, sha256: approved }] = (await get(id)).files
  const secret = Buffer.alloc(32, 'newer')
  const sealedNow = async () =>
    (await db.selectFrom('payment_run_files').select('sealed').executeTakeFirstOrThrow()).sealed
  const newer = { ...services, secret, formerSecrets: [services.secret] }
  const callNewer = await callRoutes(paymentRunsRoutes(newer))
  const input = { params: { id }, body: { name, again: true } }
  expect(sha256((await callNewer(bob, runs.takePaymentFile, input)).body)).toBe(approved)

  await resealPaymentFiles({ ...newer, formerSecrets: [] })
  expect(isSealedWith(deriveKey(secret, 'payment-files'), await sealedNow())).toBe(false)
  const lost = await callRoutes(paymentRunsRoutes({ ...newer, formerSecrets: [] }))
  expect(await lost(bob, runs.takePaymentFile, input)).toMatchObject({
    status: 409,
    body: { message: `${name} can’t be decrypted: a secret key is missing. Restore the key.` },
  })

  await resealPaymentFiles(newer)
  expect(isSealedWith(deriveKey(secret, 'payment-files'), await sealedNow())).toBe(true)
  expect(sha256((await lost(bob, runs.takePaymentFile, input)).body)).toBe(approved)
})

test('a run from before the upgrade keeps the layout of its files, or the template’s', async () => {
  const { connection: older, close } = await createTestDatabase({ schema: false })
  onTestFinished(close)
  await migrate(older, silentLog, { upTo: '0075_agents_by_name' })
  const old = openDatabase(older, { max: 1, applicationName: 'test', asOwner: true })
  onTestFinished(old.close)
  await sql`
    insert into payment_runs
      (id, number, currency, template_id, left_out, prepared_at, prepared_by, prepared_by_name)
    select id, 'R-2026-000' || id, 'PHP', 1, '[]', '2026-11-01T15:00:00Z', 7, 'ann'
    from generate_series(1, 3) as id
  `.execute(old.db)
  await sql`
    insert into payment_run_steps (run_id, step, layout, made_at, made_by, made_by_name)
    values
      (2, 'approved', null, '2026-11-02T15:00:00Z', 8, 'bob'),
      (3, 'approved', null, '2026-11-02T15:00:00Z', 8, 'bob'),
      (3, 'files taken', '{"separator": "tab"}', '2026-11-03T15:00:00Z', 8, 'bob')
  `.execute(old.db)
  await migrate(older, silentLog)
  const { rows } = await sql<{ separator: string }>`
    select layout ->> 'separator' as separator from payment_runs order by id
  `.execute(old.db)
  expect(rows.map(({ separator }) => separator)).toEqual(['comma', 'comma', 'tab'])
})

test('a run that was approved before files were kept can still be paid', async () => {
  await owe('Manila')
  const id = await prepare()
  await approve(id)
  const [{ name, sha256: approved }] = (await get(id)).files
  await emptyTables(database.connection, ['payment_run_files'])
  expect((await get(id)).files).toMatchObject([{ name, lines: 1, sha256: null }])
  expect(sha256((await take(id, name)).body)).toBe(approved)
})
