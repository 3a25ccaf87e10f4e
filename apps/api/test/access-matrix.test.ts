import { endpoints } from '@tallyroom/contract/endpoints'
import { ERROR_CODE_HEADER, errorStatus } from '@tallyroom/contract/errors'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import {
  buildFirstLink,
  buildHome,
  type Caller,
  callers,
  objects,
  signedIn,
} from './access-matrix-world.ts'
import { type Case, matrix } from './access-matrix.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

const database = await testDatabase()
const services = testServices(database)
await buildFirstLink(database.db)
const app = await buildApp(services)
afterAll(() => app.close())
await vi.waitFor(async () => expect((await app.inject('/api/health')).statusCode).toBe(200), 20_000)

/** For them a foreign object does not exist. */
const outsiders: readonly Caller[] = ['nobody', 'agent', 'office']

const names = Object.keys(endpoints) as (keyof typeof endpoints)[]

test('every endpoint has its expectations', () => {
  expect(Object.keys(matrix).toSorted()).toEqual(names.toSorted())
})

describe.each(names.filter((name) => name in matrix))('%s', (name) => {
  test.each(matrix[name].map((one) => [one.kind ?? 'nothing', one] as const))(
    'answers about %s as declared',
    async (_, expected) => {
      const answers = await askAll(name, expected)
      expect(statusesOf(answers)).toEqual(expected.answers)
      for (const answer of answers)
        expect(codeOf(answer.response)).toBe(expectedCode(answer.response))
      for (const caller of outsiders) {
        const told = new Set(
          answers
            .filter((one) => one.caller === caller && isHidden(one.target, caller))
            .map(({ response }) => whatIsTold(response)),
        )
        expect(told.size, `${caller}: foreign and missing read alike`).toBeLessThanOrEqual(1)
      }
    },
  )
})

type Answer = { target: string; caller: Caller; response: LightMyRequestResponse }

let calls = 0

/** Each call comes from an address of its own and is about an object of its own. */
async function askAll(name: keyof typeof endpoints, { kind, sentFor, answers }: Case) {
  const given: Answer[] = []
  for (const target of Object.keys(answers)) {
    for (const caller of callers) {
      const home = await buildHome(database.db)
      const build = kind && (objects[kind] as Record<string, typeof objects.office.own>)[target]
      const id = await build?.(database.db, home)
      const response = await send(app, endpoints[name], sentFor(id as never), {
        token: await signedIn(services, caller, home),
        ip: `10.0.${Math.floor(++calls / 250)}.${calls % 250}`,
      })
      given.push({ target, caller, response })
    }
  }
  return given
}

const isHidden = (target: string, caller: Caller) =>
  target === 'missing' || target === 'foreign' || (target === 'colleague' && caller !== 'office')

/** In the notation of the matrix. */
function statusesOf(answers: Answer[]): Record<string, string> {
  const rows: Record<string, string[]> = {}
  for (const { target, response } of answers)
    (rows[target] ??= []).push(String(response.statusCode))
  return Object.fromEntries(Object.entries(rows).map(([target, row]) => [target, row.join(' ')]))
}

const isJson = (headers: LightMyRequestResponse['headers']): boolean =>
  headers['content-type']?.toString().startsWith('application/json') ?? true

/** The code, when body and header agree. Pages for visitors and downloads have none. */
function codeOf({ headers, body }: LightMyRequestResponse): unknown {
  if (!isJson(headers)) return undefined
  const { code } = (body === '' ? {} : JSON.parse(body)) as { code?: unknown }
  const header = headers[ERROR_CODE_HEADER]
  return code === header ? code : { code, header }
}

function expectedCode({ statusCode, headers }: LightMyRequestResponse): string | undefined {
  if (!isJson(headers)) return undefined
  return Object.entries(errorStatus).find(([, status]) => status === statusCode)?.[0]
}

/** Every byte that could tell something: all but the time and ids that are made for each answer. */
const whatIsTold = ({ statusCode, headers, body }: LightMyRequestResponse): string =>
  JSON.stringify([statusCode, { ...headers, date: '' }, body]).replaceAll(UUID, 'an id')

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
