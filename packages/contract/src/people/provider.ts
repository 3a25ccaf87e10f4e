import { FACTORS } from '@tallyroom/domain/factors'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { onOffSchema } from '../forms.ts'
import { doneSchema } from '../list.ts'
import { missing } from '../missing.ts'
import { secret } from '../secrets.ts'

/** The name of the sign-in provider; null if none is configured. */
const name = z.string().nullable()

/** Signing in through the provider of the network (OpenID Connect), which is for staff. */
export const providerEndpoints = {
  provider: endpoint({
    method: 'GET',
    path: '/api/auth/provider',
    summary: 'Get the name of the provider through which staff can sign in, if there is one',
    ability: 'public',
    action: 'none',
    response: z.object({ name }),
  }),
  beginProvider: endpoint({
    method: 'POST',
    path: '/api/auth/provider/begin',
    summary:
      'Begin to sign in through the provider: get the address to open there, valid for ten minutes, and the cookie of the browser that asks',
    ability: 'public',
    action: 'none',
    refuses: [409],
    response: z.object({ url: z.string() }),
  }),
  signInByProvider: endpoint({
    method: 'POST',
    path: '/api/auth/provider',
    summary:
      'Sign in by what the provider has sent the browser back with. An account with a second factor gets a step instead, for auth/factor, unless the provider has asked for one.',
    ability: 'public',
    action: 'LOGIN',
    refuses: [409, 429],
    body: z.strictObject({
      code: secret('one-time code', z.string().min(1, missing).max(4096)),
      state: secret('one-time code', z.string().min(1, missing).max(200)),
      /** The issuer, if the provider names it. */
      iss: z.string().max(500).optional(),
    }),
    response: z.union([
      z.object({ token: secret('session token', z.string()) }),
      z.object({
        /** Single use, valid for five minutes. It is no session. */
        step: secret('sign-in step', z.string()),
        /** What the account can go on with. */
        ways: z.array(z.enum(FACTORS)),
      }),
    ]),
  }),
  ownProvider: endpoint({
    method: 'GET',
    path: '/api/factors/provider',
    summary: 'Get whether your own account is connected to the sign-in provider',
    ability: 'profile.edit',
    action: 'VIEW',
    response: z.object({
      name,
      link: z
        .object({
          /** By which the two were matched. */
          email: z.string(),
          linkedAt: z.iso.datetime(),
          lastUsedAt: z.iso.datetime(),
        })
        .nullable(),
    }),
  }),
  removeProvider: endpoint({
    method: 'POST',
    path: '/api/factors/provider/remove',
    summary: 'Disconnect your own account from the sign-in provider',
    ability: 'profile.edit',
    proof: 'recent',
    action: 'DELETE',
    refuses: [404],
    response: doneSchema,
  }),
  staffProvider: endpoint({
    method: 'GET',
    path: '/api/sign-in-rules/provider',
    summary: 'Get whether staff sign in only through the provider',
    ability: 'sign-in.manage',
    action: 'VIEW',
    response: z.object({ name, only: z.boolean() }),
  }),
  requireProvider: endpoint({
    method: 'POST',
    path: '/api/sign-in-rules/provider',
    summary:
      'Let staff sign in only through the provider, or by password again. The first takes a session that was opened through it.',
    ability: 'sign-in.manage',
    proof: 'recent',
    action: 'STATUS',
    refuses: [409],
    body: z.strictObject({ only: onOffSchema }),
    response: doneSchema,
  }),
}
