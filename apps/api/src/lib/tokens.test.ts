import { createSecretKey, randomBytes } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { readSessionToken, signSessionToken } from './tokens.ts'

const key = createSecretKey(randomBytes(32))
const otherKey = createSecretKey(randomBytes(32))
const sid = '0199e5f2-0000-7000-8000-000000000001'
const claims = { sid, accountId: 7, agentId: 3, companyId: 2, role: 20 } as const
const issuedAt = new Date('2026-03-01T12:00:00Z')
const expiresAt = new Date('2026-03-08T12:00:00Z')

const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString())

test('a session token carries account, agent, company, role, session and expiry', async () => {
  const token = await signSessionToken(key, claims, { issuedAt, expiresAt })
  const [header, payload] = token.split('.')
  expect(decode(header)).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(decode(payload)).toEqual({
    ...claims,
    iat: issuedAt.getTime() / 1000,
    exp: expiresAt.getTime() / 1000,
  })
  expect(await readSessionToken(key, token, issuedAt)).toBe(sid)
})

test('an altered session token is invalid', async () => {
  const token = await signSessionToken(key, claims, { issuedAt, expiresAt })
  const [header, payload, signature] = token.split('.')
  const asSuperadmin = Buffer.from(JSON.stringify({ ...decode(payload), role: 0 })).toString(
    'base64url',
  )
  const sign = (alg: string, body: object) =>
    new SignJWT({ ...body }).setProtectedHeader({ alg }).setExpirationTime(expiresAt)
  const wrong = {
    'of another key': await signSessionToken(otherKey, claims, { issuedAt, expiresAt }),
    'with another payload': [header, asSuperadmin, signature].join('.'),
    'without a signature': [header, payload, ''].join('.'),
    'with alg none': new UnsecuredJWT({ ...claims }).setExpirationTime(expiresAt).encode(),
    'with another algorithm': await sign('HS512', claims).sign(createSecretKey(randomBytes(64))),
    'without an expiry': await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key),
    'without a session': await sign('HS256', { accountId: 7 }).sign(key),
    'whose session is no text': await sign('HS256', { sid: { $ne: '' } }).sign(key),
    garbage: 'a.b.c',
    empty: '',
  }
  for (const [what, text] of Object.entries(wrong)) {
    expect([what, await readSessionToken(key, text, issuedAt)]).toEqual([what, undefined])
  }
})

test('a session token is valid until the exact second it expires', async () => {
  const token = await signSessionToken(key, claims, { issuedAt, expiresAt })
  const at = (ms: number) => readSessionToken(key, token, new Date(expiresAt.getTime() + ms))
  expect([await at(-1000), await at(0)]).toEqual([sid, undefined])
})
