import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, idSchema, idTextSchema, required } from '../list.ts'
import { secret } from '../secrets.ts'
import { TOKEN_GROUPS } from '../token-groups.ts'

const groupSchema = z.enum(TOKEN_GROUPS)

const tokenSchema = z.object({
  id: idSchema,
  name: z.string(),
  may: z.array(groupSchema),
  madeAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** Accurate to the minute; null if it was never used. */
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedFrom: z.string().nullable(),
})

export type ApiToken = z.infer<typeof tokenSchema>

/** How many days a token can be valid, and how many it is unless somebody says so. */
export const tokenDays = { most: 366, usual: 90 } as const

/** How many valid tokens an account can have. */
export const MOST_TOKENS = 20

/**
 * Tokens for programs, sent as `Authorization: Bearer`. One can do what its owner can, within its groups. No token can call
 * these.
 */
export const tokensEndpoints = {
  ownTokens: endpoint({
    method: 'GET',
    path: '/api/tokens',
    summary: 'List your own API tokens that are still valid, and what a new one could be allowed',
    ability: 'profile.edit',
    action: 'VIEW',
    response: z.object({ tokens: z.array(tokenSchema), groups: z.array(groupSchema) }),
  }),
  createToken: endpoint({
    method: 'POST',
    path: '/api/tokens',
    summary: 'Create an API token. The answer is the only one that shows it.',
    ability: 'profile.edit',
    proof: 'recent',
    action: 'CREATE',
    body: z.strictObject({
      name: required(60),
      may: z.array(groupSchema).min(1, 'must name at least one'),
      days: z.int().min(1).max(tokenDays.most).default(tokenDays.usual),
    }),
    response: z.object({ token: secret('API token', z.string()) }),
  }),
  allTokens: endpoint({
    method: 'GET',
    path: '/api/tokens/all',
    summary: 'List everybody’s API tokens that are still valid, last used first',
    ability: 'tokens.manage',
    action: 'VIEW',
    response: z.object({ tokens: z.array(tokenSchema.extend({ username: z.string() })) }),
  }),
  revokeToken: endpoint({
    method: 'DELETE',
    path: '/api/tokens/:id',
    summary: 'Revoke an API token: your own, or anybody’s as a superadmin. Its next call gets 401.',
    ability: 'profile.edit',
    action: 'DELETE',
    proof: 'own-session',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
}
