import { randomUUID } from 'node:crypto'
import { type Endpoint, FORM_KEY_HEADER } from '@tallyroom/contract/endpoint'
import { FACTOR_HEADER } from '@tallyroom/contract/people/passkeys'
import type { Permission } from '@tallyroom/domain/abilities'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { afterAll } from 'vitest'
import type { Membership, Viewer } from '../src/access/viewer.ts'
import { expectDocumented } from './documented.ts'
import { handleError } from '../src/http/error-handler.ts'
import { registerRoutes, type Route, type TellOfForgery } from '../src/http/route.ts'

/** A signed-in viewer; a superadmin unless a membership is given. */
export const viewer = (
  membership: Membership = { role: 'superadmin', officeId: undefined, agentId: undefined },
  permissions: readonly Permission[] = [],
): Viewer => ({
  accountId: 1,
  sessionId: '00000000-0000-7000-8000-000000000000',
  username: membership.role,
  permissions,
  signedInBy: undefined,
  isProved: true,
  isOwnSession: true,
  ...membership,
})

type Input = {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: object
  /** That of the form that sends it; a new one each time if omitted. */
  key?: string
}

/** Serves routes like the app, including schemas and refusals, and calls them as a given viewer. */
export async function callRoutes(
  routes: readonly Route[],
  { tellOfForgery = async () => {} }: { tellOfForgery?: TellOfForgery } = {},
) {
  const app = Fastify()
  const viewers: Viewer[] = []
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  app.decorateRequest('viewer', undefined)
  registerRoutes(app, routes, {
    limit: () => {},
    tellOfForgery,
    find: (token) => Promise.resolve(viewers[Number(token)]),
    unlessSilent: (work) => work,
    clock: { now: () => new Date() },
  })
  await app.ready()
  afterAll(() => app.close())

  return async (who: Viewer, endpoint: Endpoint, input: Input = {}) => {
    const { method, path } = endpoint
    const url = path.replaceAll(/:(\w+)/g, (_, name: string) => String(input.params?.[name]))
    const answer = await app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${viewers.push(who) - 1}`,
        ...(who.visit?.factor !== undefined && { [FACTOR_HEADER]: who.visit.factor }),
        ...(endpoint.once && { [FORM_KEY_HEADER]: input.key ?? randomUUID() }),
      },
      ...(input.query && { query: input.query }),
      ...(input.body && { payload: input.body }),
    })
    expectDocumented(endpoint, answer.statusCode)
    const isJson = answer.headers['content-type']?.startsWith('application/json')
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.rawPayload }
  }
}
