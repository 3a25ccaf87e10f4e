import { endpoints } from '@tallyroom/contract/endpoints'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../src/app.ts'
import { buildHome, callers, objects, signedIn } from './access-matrix-world.ts'
import { matrix } from './access-matrix.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

const database = await testDatabase()
const services = testServices(database)
const app = await buildApp(services)
afterAll(() => app.close())

const names = Object.keys(endpoints) as (keyof typeof endpoints)[]

/**
 * Every call that sets a password, with its request and a caller who may make it. `resetPassword`
 * has its own test.
 */
const setters = names.flatMap((name) =>
  matrix[name].flatMap(({ kind, sentFor, answers }) => {
    const target = 'own' in answers ? 'own' : 'any'
    const statuses = answers[target]?.split(' ') ?? []
    const caller = callers[statuses.indexOf('200')]
    if (!caller || !setsPassword(endpoints[name])) return []
    return [{ name, kind, sentFor, target, caller }]
  }),
)

function setsPassword({ body }: Endpoint): boolean {
  return body instanceof z.ZodObject && 'passwordConfirm' in body.shape
}

test('the list of endpoints that set passwords is complete', () => {
  expect([...new Set(setters.map(({ name }) => name))].toSorted()).toEqual([
    'changePassword',
    'createAdmin',
    'createAgent',
    'createOffice',
    'updateAdmin',
    'updateAdminProfile',
    'updateAgent',
    'updateAgentProfile',
    'updateCompanyProfile',
    'updateOffice',
  ])
})

test.each(setters)('$name refuses a weak password', async (setter) => {
  const { name, kind, sentFor, target, caller } = setter
  const home = await buildHome(database.db)
  const build = kind && (objects[kind] as Record<string, typeof objects.office.own>)[target]
  const { body, ...rest } = sentFor((await build?.(database.db, home)) as never)
  const token = await signedIn(services, caller, home)
  const password = 'Qwerty123'
  const answer = await send(
    app,
    endpoints[name],
    { ...rest, body: { ...(body as object), password, passwordConfirm: password } },
    { token },
  )
  expect([answer.statusCode, answer.json().data]).toEqual([
    422,
    { password: ['is one of the most common passwords. Please choose another.'] },
  ])
})
