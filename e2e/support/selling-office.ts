import { type APIRequestContext, expect } from '@playwright/test'
import type { OwnServer } from './own-server.ts'
import { callsOf } from './selling.ts'

const password = 'a long password'

/**
 * On a test's own server: an office that may see payouts, with an agent who sells a link at ₱40.00; the tokens of two people,
 * and how they sign in again.
 */
export async function sellingOffice(request: APIRequestContext, server: OwnServer) {
  const call = async <Answer>(method: string, path: string, data: object, token = '') => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await request.fetch(path, { method, headers, data })
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
    return (await answer.json()) as Answer // the contract's own tests check its shape
  }
  const signIn = async (username: string, secret: string) => {
    const credentials = { username, password: secret, captchaString: '', captchaCheck: '' }
    return (await call<{ token: string }>('POST', '/api/auth/login', credentials)).token
  }
  const twice = { password, passwordConfirm: password }
  const newcomer = await signIn('superadmin', server.password)
  await call('POST', '/api/profile/password', twice, newcomer)
  const owner = await signIn('superadmin', password)
  const add = async (path: string, what: object) =>
    (await call<{ id: number }>('PUT', path, what, owner)).id

  const siteId = await add('/api/sites', {
    sitename: 'Lantern',
    shortname: 'lantern',
    abbr: 'LL',
    type: 'DATING',
    url: 'https://lantern.example',
  })
  const typeId = await add('/api/types', {
    siteId,
    typename: 'Sign-up',
    typealias: 'signup',
    payout: 40,
    earning: 5,
    url: 'https://lantern.example/join',
  })
  const officeId = await add('/api/offices', {
    officeName: 'Manila',
    username: 'manila',
    manFirstName: 'Ramon',
    manLastName: 'Cruz',
    ...twice,
  })
  await call('POST', `/api/sites/${siteId}/enableForAllOffices`, {}, owner)
  await call('POST', '/api/options', [{ name: 'payout_visible', value: 1 }], owner)
  const agentId = await add('/api/agents', {
    officeId,
    username: 'maria',
    firstName: 'Maria',
    lastName: 'Santos',
    ...twice,
  })
  const unapproved = await callsOf(request, owner)<{ id: number }[]>('/api/accounts/unapproved')
  await call('PUT', '/api/accounts/approve', { ids: unapproved.map(({ id }) => id) }, owner)
  const office = await signIn('manila', password)
  const signInAsOwner = () => signIn('superadmin', password)
  return { owner, office, signInAsOwner, link: { siteId, typeId, agentId } }
}
