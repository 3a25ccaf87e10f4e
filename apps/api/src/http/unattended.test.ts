import { endpoints } from '@tallyroom/contract/endpoints'
import { changingActions, type Endpoint, UNATTENDED_HEADER } from '@tallyroom/contract/endpoint'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { expect, test } from 'vitest'
import { registerRoutes } from './route.ts'

const all: Endpoint[] = Object.values(endpoints).filter(
  ({ ability, path }) => ability !== 'public' && !path.includes('*'),
)

test('whoever changes something is there, whatever the header says', async () => {
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  let believed: boolean | undefined
  const find = async (_: string, call?: { isUnattended: boolean }) => {
    believed = call?.isUnattended
    return undefined
  }
  const routes = all.map((endpoint) => ({ endpoint, handle: () => Promise.reject(new Error()) }))
  const unlessSilent = <T>(work: Promise<T>) => work
  registerRoutes(app, routes, {
    find,
    unlessSilent,
    limit: () => {},
    tellOfForgery: async () => {},
    clock: { now: () => new Date() },
  })

  for (const { method, path, action } of all) {
    const url = path.replaceAll(/:\w+/g, '1')
    const headers = { authorization: 'Bearer 1', [UNATTENDED_HEADER]: '1' }
    await app.inject({ method, url, headers })
    const changes = [...changingActions, 'LOGIN', 'LOGOUT', 'EXPORT'].some((one) => one === action)
    expect([method, path, believed]).toEqual([method, path, !changes])
  }
  await app.close()
})
