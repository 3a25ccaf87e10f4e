import { MAX_VIEWS, savedViewsEndpoints } from '@tallyroom/contract/desk/saved-views'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { savedViewsRoutes } from './saved-views.routes.ts'

const database = await testDatabase()
const { db } = database
const call = await callRoutes(savedViewsRoutes(testServices(database)))
const { savedViews, createSavedView, updateSavedView, moveSavedView, deleteSavedView } =
  savedViewsEndpoints

const ann = { ...viewer(), accountId: await buildAccount(db, { email: 'ann@example.com' }) }
const bob = { ...viewer(), accountId: await buildAccount(db) }
beforeEach(() => db.deleteFrom('saved_views').execute())

const url = '/app/stats/sites?groupBy=agent&days=week'
const create = (name: string, more: object = {}, who = ann) =>
  call(who, createSavedView, { body: { name, url, ...more } })
const id = async (name: string, who = ann): Promise<number> => (await create(name, {}, who)).body.id
const namesOf = async (who = ann) =>
  ((await call(who, savedViews)).body.views as { name: string }[]).map(({ name }) => name)

test('a person’s views are in their order, and invisible to others', async () => {
  await id('One')
  const two = await id('Two')
  await id('Three')
  await id('Bob’s', bob)
  for (const to of ['up', 'up', 'down'] as const) {
    expect((await call(ann, moveSavedView, { params: { id: two }, body: { to } })).status).toBe(200)
  }
  expect(await namesOf()).toEqual(['One', 'Two', 'Three'])
  await call(ann, moveSavedView, { params: { id: two }, body: { to: 'down' } })
  expect(await namesOf()).toEqual(['One', 'Three', 'Two'])
  expect(await namesOf(bob)).toEqual(['Bob’s'])
})

test('a view can be renamed and changed; omitted fields stay', async () => {
  const one = await id('One')
  await call(ann, updateSavedView, { params: { id: one }, body: { name: ' First ' } })
  await call(ann, updateSavedView, { params: { id: one }, body: { mail: 'mondays' } })
  expect((await call(ann, savedViews)).body).toEqual({
    views: [{ id: one, name: 'First', url, mail: 'mondays', mailedAt: null, mailRefusal: null }],
    mailTo: 'ann@example.com',
  })
  expect((await call(ann, deleteSavedView, { params: { id: one } })).status).toBe(200)
  expect(await namesOf()).toEqual([])
})

test('a name is unique for its person, whatever the case', async () => {
  await id('Payday')
  const other = await id('Other')
  const message = { name: ['is already the name of another view of yours'] }
  expect(await create('PAYDAY')).toMatchObject({ status: 422, body: { data: message } })
  expect(
    await call(ann, updateSavedView, { params: { id: other }, body: { name: 'payDay' } }),
  ).toMatchObject({ status: 422, body: { data: message } })
  expect((await create('Payday', {}, bob)).status).toBe(200)
})

test.each([
  ['', 'empty'],
  ['   ', 'blank'],
  ['x'.repeat(65), 'too long'],
  ['a\nb', 'two lines'],
  ['\u0000', 'NUL'],
])('refused as a name: %j, %s', async (name) => expect((await create(name)).status).toBe(422))

test.each([
  '<img src=x onerror=alert(1)>',
  "'; drop table saved_views; --",
  '=cmd()',
  '🏝️ مبيعات',
  'x'.repeat(64),
])('stored unchanged as a name: %s', async (name) => {
  expect((await create(name)).status).toBe(200)
  expect(await namesOf()).toEqual([name])
})

test.each([
  'https://evil.example/app/stats/sites',
  '//evil.example/app',
  '/\\evil.example',
  '/app/../login',
  '/login',
  '/app',
  '/app/stats/sites#token',
  '/app/stats/sites?a=\\',
  '/app/stats/sites?a=\n',
  `/app/stats/sites?a=${'x'.repeat(2000)}`,
  'javascript:alert(1)',
])('refused as a page: %s', async (other) => {
  expect((await create('One', { url: other })).status).toBe(422)
})

test('a person has a limited number of views, even if several are saved at once', async () => {
  for (let saved = 1; saved < MAX_VIEWS; saved++) await id(`View ${saved}`)
  const answers = await Promise.all([create('A'), create('B'), create('C')])
  expect(answers.map(({ status }) => status === 200).filter(Boolean)).toHaveLength(1)
  expect(await namesOf()).toHaveLength(MAX_VIEWS)
})

test('only reports are mailed, and only to an account with an address', async () => {
  expect((await create('Sales', { url: '/app/logs/sale-logs', mail: 'daily' })).body.data).toEqual({
    mail: ['is only for views of the Stats reports'],
  })
  expect((await create('Mine', { mail: 'daily' }, bob)).body.data).toEqual({
    mail: ['needs an email address in your account'],
  })
  const mailed = (await create('Mailed', { mail: 'daily' })).body.id
  const toLog = { params: { id: mailed }, body: { url: '/app/logs/sale-logs' } }
  expect((await call(ann, updateSavedView, toLog)).status).toBe(422)
})

test('views are deleted with their account', async () => {
  const gone = { ...viewer(), accountId: await buildAccount(db) }
  await id('Last', gone)
  await db.deleteFrom('accounts').where('id', '=', gone.accountId).execute()
  expect(await db.selectFrom('saved_views').selectAll().execute()).toEqual([])
})
