import { createClient, TallyroomError } from '../../../../../packages/client/src/index.ts'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { endpoints } from '@tallyroom/contract/endpoints'
import { tokensEndpoints } from '@tallyroom/contract/people/tokens'
import { addDays, dayOf, weekdayOf } from '@tallyroom/domain/new-york'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../../app.ts'
import { addAndFold } from '../../../test/add-to-totals.ts'
import {
  buildAccount,
  buildAgent,
  buildLinkType,
  buildOffice,
  buildSite,
} from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { send } from '../../../test/send.ts'

const database = await testDatabase()
const services = testServices(database)
// The example asks for the week before today.
services.clock.set(new Date().toISOString())
const app = await buildApp(services)
afterAll(() => app.close())
const url = await app.listen({ port: 0, host: '127.0.0.1' })

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../../..')
const { db } = database
await buildAccount(db, { username: 'boss' })
const office = await buildOffice(db, { name: 'Manila' })
const agent = await buildAgent(db, { office_id: office, username: 'maria' })
const created = await send(
  app,
  tokensEndpoints.createToken,
  { body: { name: 'Books', may: ['figures', 'statements', 'people'] } },
  { token: await tokenOf(services, 'boss') },
)
const { token } = created.json<{ token: string }>()
const client = createClient({ url, token })

test('the client makes calls, typed in and out', async () => {
  const me = await client.me()
  expectTypeOf(me.username).toEqualTypeOf<string>()
  expect(me).toMatchObject({ username: 'boss', role: 'superadmin' })
  const found = await client.office({ params: { id: String(office) } })
  expect(found.officeName).toBe('Manila')
  const { page } = await client.payroll({ body: { start: '2026-02-23', end: '2026-03-01' } })
  expect(page).toEqual({ items: [], total: 0 })
})

test('the client has no call that no token can make', () => {
  expect(client).not.toHaveProperty('approvePaymentRun')
  // @ts-expect-error -- nor does its type
  expect(client.approvePaymentRun).toBeUndefined()
})

test('a file comes as bytes', async () => {
  const criteria = { start: '2026-02-23', end: '2026-03-01' }
  const file = await client.exportPayroll({ body: { format: 'xlsx', criteria } })
  expect(Buffer.from(await file.slice(0, 2).arrayBuffer()).toString()).toBe('PK')
})

test('a refusal says what is wrong with which field', async () => {
  const error = await client
    .payroll({ body: { start: '2026-03-01', end: '2026-02-01' } })
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TallyroomError)
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR', status: 422, data: expect.any(Object) })
  await expect(createClient({ url, token: 'tly_no' }).me()).rejects.toMatchObject({
    code: 'INVALID_TOKEN',
  })
  await expect(createClient({ url: 'http://127.0.0.1:9', token }).me()).rejects.toMatchObject({
    code: 'NETWORK',
  })
})

/** A client of a server that answers each call with this, or never. */
async function clientOf(
  answer: { status?: number; type?: string; body: string } | 'never',
  options: Partial<Parameters<typeof createClient>[0]> = {},
) {
  const server = createServer((_request, response) => {
    if (answer === 'never') return void response.writeHead(200).write('{"user')
    const { status = 200, type = 'application/json', body } = answer
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // a TCP server has such an address
  return createClient({ url: `http://127.0.0.1:${port}`, token, ...options })
}

test('a server that begins its answer and falls silent is given up in time, of the client or of the call', async () => {
  const timedOut = { name: 'TallyroomError', code: 'TIMEOUT', status: undefined }
  await expect((await clientOf('never', { timeoutMs: 50 })).me()).rejects.toMatchObject(timedOut)
  const patient = await clientOf('never')
  await expect(patient.me({ timeoutMs: 50 })).rejects.toMatchObject(timedOut)
  const week = { body: { start: '2026-02-23', end: '2026-03-01' } }
  await expect(patient.payroll(week, { timeoutMs: 50 })).rejects.toMatchObject(timedOut)
})

test('a caller ends one call by its signal, or all of them', async () => {
  const aborted = { name: 'TallyroomError', code: 'ABORTED', status: undefined }
  const all = new AbortController()
  const silent = await clientOf('never', { signal: all.signal })
  const one = new AbortController()
  const [first, second] = [silent.me({ signal: one.signal }), silent.me()]
  one.abort()
  await expect(first).rejects.toMatchObject(aborted)
  all.abort(new Error('shutting down'))
  await expect(second).rejects.toMatchObject({ ...aborted, cause: { message: 'shutting down' } })
  await expect(silent.me()).rejects.toMatchObject(aborted)
  expect(await client.me({ signal: one.signal }).catch((error: unknown) => error)).toMatchObject(
    aborted,
  )
})

test('a word of a newer server is passed on; an answer of another shape is not', async () => {
  const me = await client.me()
  const newer = { ...me, role: 'auditor', addedLater: 1 }
  expect(await (await clientOf({ body: JSON.stringify(newer) })).me()).toMatchObject({
    username: 'boss',
    role: 'auditor',
  })
  for (const changed of [{ role: undefined }, { role: null }, { role: {} }, { username: 7 }]) {
    const body = JSON.stringify({ ...newer, ...changed })
    await expect((await clientOf({ body })).me()).rejects.toMatchObject({
      code: 'UNREADABLE',
      status: 200,
    })
  }
})

test('no answer of a call by token is changed by its schema, so it can be passed on as it came', () => {
  const changing = ['pipe', 'transform', 'default', 'prefault', 'catch', 'union']
  const kinds = new Set<string>()
  const visited = new Set<z.ZodType>()
  const visit = (schema: z.ZodType) => {
    if (visited.has(schema)) return
    visited.add(schema)
    kinds.add(schema.type)
    const fields = schema instanceof z.ZodObject ? Object.values(schema.shape) : []
    for (const held of [...Object.values(schema._zod.def), ...fields].flat())
      if (held instanceof z.ZodType) visit(held)
  }
  for (const { byToken, response } of Object.values<Endpoint>(endpoints))
    if (byToken !== undefined) visit(response)
  expect(kinds).toContain('enum')
  expect(changing.filter((kind) => kinds.has(kind))).toEqual([])
})

test('a refusal with a code of a newer server has its code, message and status', async () => {
  const body = JSON.stringify({ code: 'PAYMENT_REQUIRED', message: 'Please pay first.' })
  await expect((await clientOf({ status: 402, body })).me()).rejects.toMatchObject({
    code: 'PAYMENT_REQUIRED',
    status: 402,
    message: 'Please pay first.',
  })
})

test.each([
  { status: 502, type: 'text/html', body: '<h1>Bad\n gateway</h1>' },
  { status: 200, type: 'text/html', body: '<h1>Please\n log in</h1>' },
  { status: 200, type: 'application/json', body: '' },
  { status: 403, type: 'application/json', body: '{"error":"no"}' },
])('an answer that is not ours keeps its status and says what came: %j', async (answer) => {
  const error = await (await clientOf(answer)).me().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'UNREADABLE', status: answer.status })
  const beginning = answer.body.replace('\n', '') || 'nothing'
  expect(String(error)).toContain(
    `has status ${answer.status} and ${answer.type}, and begins with: ${beginning}`,
  )
})

test('the example prints last week’s payroll', async () => {
  const today = dayOf(new Date())
  const sunday = addDays(today, -weekdayOf(today))
  const siteId = await buildSite(db)
  const typeId = await buildLinkType(db, { site_id: siteId })
  await addAndFold(db, [
    {
      day: sunday,
      agent_id: agent,
      office_id: office,
      site_id: siteId,
      type_id: typeId,
      sales: 3,
      payout_centavos: 1_200_00,
    },
  ])
  const example = join(root, 'packages/client/examples/last-week.ts')
  const { stdout } = await run(process.execPath, [example], {
    env: { ...process.env, TALLYROOM_URL: url, TALLYROOM_TOKEN: token },
  })
  expect(stdout).toBe('Manila: 3 sales, ₱1200.00\n')
})

test('the package for npm is typed and runs where nothing of this project is', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tallyroom-client-'))
  onTestFinished(() => rm(home, { recursive: true }))
  await run(process.execPath, [join(root, 'scripts/pack-client.mjs'), `--to=${home}`])
  const [archive = ''] = await readdir(home)
  const into = join(home, 'node_modules/@tallyroom/client')
  await mkdir(into, { recursive: true })
  await run('tar', ['-xzf', join(home, archive), '-C', into, '--strip-components=1'])
  await symlink(join(root, 'node_modules/zod'), join(home, 'node_modules/zod'))
  await writeFile(join(home, 'package.json'), '{ "type": "module" }')
  const program = `
    import { createClient } from '@tallyroom/client'
    const signal = new AbortController().signal
    const { me } = createClient({ url: '${url}', token: '${token}', timeoutMs: 20_000, signal })
    const { username } = await me({ timeoutMs: 10_000 })
    const text: string = username
    // @ts-expect-error -- it is a text
    const number: number = username
    console.log(text)
  `
  await writeFile(join(home, 'program.ts'), program)
  const checked = '--noEmit --strict --module nodenext --target esnext --lib esnext,dom program.ts'
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, ...checked.split(' ')], { cwd: home })
  const { stdout } = await run(process.execPath, ['program.ts'], { cwd: home })
  expect(stdout).toBe('boss\n')
})
