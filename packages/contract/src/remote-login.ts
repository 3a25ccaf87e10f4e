import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idSchema } from './list.ts'
import { secret } from './secrets.ts'

/** Whose account to sign in as, as the lists of offices and agents know it. */
export const signInAsSchema = z.union([
  z.strictObject({ companyId: idSchema }),
  z.strictObject({ agentId: idSchema }),
])

export const remoteLoginEndpoints = {
  signInAs: endpoint({
    method: 'POST',
    path: '/api/accounts/sign-in-as',
    summary: 'Makes a token, good once within 60 seconds, that signs in as an office or agent',
    ability: 'sign-in-as',
    action: 'LOGIN',
    body: signInAsSchema,
    response: z.object({ token: z.string() }),
  }),
  loginRemote: endpoint({
    method: 'POST',
    path: '/api/auth/login-remote',
    summary: 'Signs in with a single-use token of `accounts/sign-in-as` or of a partner system',
    ability: 'public',
    action: 'LOGIN',
    body: z.strictObject({ token: secret(z.string().min(1, 'is required').max(4096)) }),
    response: z.object({ token: z.string() }),
  }),
  returnToOwn: endpoint({
    method: 'POST',
    path: '/api/auth/return',
    summary: 'Ends a session as another account and goes on with the one it was made from',
    ability: 'signed-in',
    action: 'LOGOUT',
    response: z.object({ token: z.string() }),
  }),
}
