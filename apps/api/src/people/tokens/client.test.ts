import { createClient, TallyroomError } from '../../../../../packages/client/src/index.ts'
import { tokensEndpoints } from '@tallyroom/contract/people/tokens'
import { addDays, dayOf, weekdayOf } from '@tallyroom/domain/new-york'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, expectTypeOf, onTestFinished, test } from 'vitest'
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
    const { me } = createClient({ url: '${url}', token: '${token}' })
    const { username } = await me()
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
