import { optionsEndpoints } from '@tallyroom/contract/catalogue/options'
import { expect, test } from 'vitest'
import { countChanges } from '../../../test/count-changes.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { optionsRoutes } from './options.routes.ts'

const database = await testDatabase()
const { db } = database
const call = await callRoutes(optionsRoutes(testServices(database)))

const save = (body: object) => call(viewer(), optionsEndpoints.saveOptions, { body })
const read = async () => (await call(viewer(), optionsEndpoints.options)).body
const changes = () => countChanges(db, 'options')

const allOff = ['auto_block_account', 'lpp_visible', 'payout_visible'].map((name) => ({
  name,
  value: 0,
}))

test('they start off; saving changes only the named ones, and announces it', async () => {
  expect(await read()).toEqual(allOff)
  const before = await changes()
  expect(await save([{ name: 'payout_visible', value: 1 }])).toEqual({
    status: 200,
    body: { ok: true },
  })
  expect(await read()).toEqual([...allOff.slice(0, 2), { name: 'payout_visible', value: 1 }])
  expect(await changes()).toBe(before + 1)
  await save(allOff)
  expect(await read()).toEqual(allOff)
})

test.each([
  ['an unknown name', [{ name: 'debug', value: 1 }]],
  ['another value', [{ name: 'lpp_visible', value: 2 }]],
  ['a boolean', [{ name: 'lpp_visible', value: true }]],
  ['no value', [{ name: 'lpp_visible' }]],
  ['a further field', [{ name: 'lpp_visible', value: 1, id: 1 }]],
  [
    'a name twice',
    [
      { name: 'lpp_visible', value: 1 },
      { name: 'lpp_visible', value: 0 },
    ],
  ],
  ['nothing', []],
  ['no list', { lpp_visible: 1 }],
])('%s is refused, and nothing is saved', async (_, body) => {
  expect((await save(body)).status).toBe(422)
  expect(await read()).toEqual(allOff)
})

test('an option whose row is missing reads as off and can be saved', async () => {
  await db.deleteFrom('options').where('name', '=', 'lpp_visible').execute()
  expect(await read()).toEqual(allOff)
  await save([{ name: 'lpp_visible', value: 1 }])
  expect(await read()).toContainEqual({ name: 'lpp_visible', value: 1 })
})
