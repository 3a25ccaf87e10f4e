import { adminsEndpoints } from '@tallyroom/contract/people/admins'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { TOKEN_GROUPS } from '@tallyroom/contract/token-groups'
import { expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { adminsRoutes } from '../admins/admins.routes.ts'
import { agentsRoutes } from '../agents/agents.routes.ts'
import { officesRoutes } from '../offices/offices.routes.ts'

const database = await testDatabase()
const routesFor = (mode: 'on' | 'reveal' | 'off') => {
  const services = testServices(database, { environment: { PASSWORD_COLUMN: mode } })
  return callRoutes([
    ...adminsRoutes(services),
    ...agentsRoutes(services),
    ...officesRoutes(services),
  ])
}
const calls = {
  on: await routesFor('on'),
  reveal: await routesFor('reveal'),
  off: await routesFor('off'),
}

const superadmin = viewer()
const secret = { password: 'quiet-otter-91', passwordConfirm: 'quiet-otter-91' }
const { body: office } = await calls.on(superadmin, officesEndpoints.createOffice, {
  body: {
    officeName: 'Manila',
    manFirstName: 'Ana',
    manLastName: 'Cruz',
    username: 'manila',
    ...secret,
  },
})
const agent = { firstName: 'Maria', lastName: 'Santos', username: 'maria', ...secret }
await calls.on(superadmin, agentsEndpoints.createAgent, { body: { officeId: office.id, ...agent } })
await calls.on(superadmin, adminsEndpoints.createAdmin, {
  body: { username: 'helper9', email: 'helper9@example.com', ...secret },
})

const { isProved: _, ...older } = superadmin
const callers: Record<string, Viewer> = {
  'a session proved within ten minutes': superadmin,
  'an older session': older,
  'a partner’s session': { ...older, byPartner: true },
  'a partner’s session in which the password was entered': { ...superadmin, byPartner: true },
  'a session of Sign in as': { ...older, signedInBy: 7 },
  'a token with all groups': {
    ...older,
    sessionId: '',
    token: { id: 1, name: 't', may: TOKEN_GROUPS },
  },
}

/** What each list shows of the password, or the status of its refusal. */
async function shown(call: (typeof calls)['on'], who: Viewer): Promise<unknown[]> {
  const answers = [
    await call(who, officesEndpoints.searchOffices, { body: {} }),
    await call(who, agentsEndpoints.searchAgents, { body: {} }),
    await call(who, adminsEndpoints.admins),
  ]
  return answers.map(({ status, body }) => {
    if (status !== 200) return status
    const { plainPassword, passwordHidden } = (body.items ?? body)[0]
    return plainPassword ?? passwordHidden ?? 'no column'
  })
}

const password = secret.password
test.each([
  ['on', 'a session proved within ten minutes', [password, password, password]],
  ['on', 'an older session', ['until proved', 'until proved', 'until proved']],
  ['on', 'a partner’s session', ['never', 'never', 'never']],
  ['on', 'a partner’s session in which the password was entered', ['never', 'never', 'never']],
  ['on', 'a session of Sign in as', ['never', 'never', 'never']],
  ['on', 'a token with all groups', ['never', 'never', 403]],
  ['reveal', 'a session proved within ten minutes', ['one by one', 'one by one', 'one by one']],
  ['reveal', 'an older session', ['one by one', 'one by one', 'one by one']],
  ['reveal', 'a partner’s session', ['never', 'never', 'never']],
  ['reveal', 'a partner’s session in which the password was entered', ['never', 'never', 'never']],
  ['reveal', 'a session of Sign in as', ['never', 'never', 'never']],
  ['reveal', 'a token with all groups', ['never', 'never', 403]],
  ['off', 'a session proved within ten minutes', ['no column', 'no column', 'no column']],
  ['off', 'a token with all groups', ['no column', 'no column', 403]],
] as const)(
  'PASSWORD_COLUMN=%s: %s gets of offices, agents and admins: %j',
  async (mode, who, expected) => {
    const caller = callers[who]
    if (!caller) throw new Error(who)
    expect(await shown(calls[mode], caller)).toEqual(expected)
  },
)
