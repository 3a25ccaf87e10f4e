import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idSchema } from '../list.ts'
import { missing } from '../missing.ts'
import { secret } from '../secrets.ts'

/** The account to sign in as, by the id of its office or agent. */
const signInAsSchema = z.union(
  [z.strictObject({ companyId: idSchema }), z.strictObject({ agentId: idSchema })],
  'must have either companyId or agentId',
)

export const remoteLoginEndpoints = {
  signInAs: endpoint({
    method: 'POST',
    path: '/api/accounts/sign-in-as',
    summary: 'Create a single-use token, valid for 60 seconds, to sign in as an office or agent',
    ability: 'sign-in-as',
    proof: 'recent',
    action: 'LOGIN',
    refuses: [404, 409],
    body: signInAsSchema,
    response: z.object({ token: secret('sign-in link', z.string()) }),
  }),
  loginRemote: endpoint({
    method: 'POST',
    path: '/api/auth/login-remote',
    summary: 'Sign in with a single-use token from `accounts/sign-in-as` or a partner system',
    ability: 'public',
    action: 'LOGIN',
    body: z.strictObject({ token: secret('sign-in link', z.string().min(1, missing).max(4096)) }),
    response: z.object({ token: secret('session token', z.string()) }),
  }),
  returnToOwn: endpoint({
    method: 'POST',
    path: '/api/auth/return',
    summary: 'End a *Sign in as* session and return to your own',
    ability: 'signed-in',
    action: 'LOGOUT',
    refuses: [409],
    response: z.object({ token: secret('session token', z.string()) }),
  }),
}
