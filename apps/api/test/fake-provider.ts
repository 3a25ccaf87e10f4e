import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { SettableClock } from '../src/lib/clock.ts'

/** What a sign-in is answered with: claims in place of the right ones, and how the ID token is signed. */
export type Said = {
  claims?: Record<string, unknown>
  signed?: 'rightly' | 'by another key' | 'not at all' | 'by the client secret'
  /** What asking for more about the person answers; by default, there is nothing to ask. */
  userInfo?: Record<string, unknown>
}

/** A sign-in provider of the tests' own: OpenID Connect with codes and PKCE, on a port of this machine. */
export async function startProvider(clock: SettableClock) {
  const own = await generateKeyPair('RS256')
  const another = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const grants = new Map<string, { asked: URLSearchParams; said: Said }>()
  const asked: string[] = []
  const state = { isDown: false, hasUserInfo: false, issuer: '' }
  let userInfo: Record<string, unknown> = {}

  const server = createServer((request, answer) => {
    const path = new URL(request.url ?? '', state.issuer).pathname
    asked.push(path)
    if (state.isDown) {
      answer.writeHead(503).end()
      return
    }
    void answerTo(path, request).then(
      (body) => {
        answer.writeHead(body === undefined ? 400 : 200, { 'content-type': 'application/json' })
        answer.end(JSON.stringify(body ?? { error: 'invalid_grant' }))
      },
      () => answer.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answerTo(path: string, request: IncomingMessage): Promise<object | undefined> {
    const { issuer } = state
    if (path === '/.well-known/openid-configuration')
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...(state.hasUserInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      }
    if (path === '/keys') return { keys: [jwk] }
    if (path === '/userinfo') return userInfo
    return path === '/token' ? grant(request) : undefined
  }

  async function grant(request: IncomingMessage): Promise<object | undefined> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const form = new URLSearchParams(text)
    const code = form.get('code') ?? ''
    const given = grants.get(code)
    grants.delete(code)
    const verified = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const [, basic = ''] = request.headers.authorization?.split('Basic ') ?? []
    const client = Buffer.from(basic, 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part))
    const isRight =
      given?.asked.get('code_challenge') === verified &&
      given.asked.get('redirect_uri') === form.get('redirect_uri') &&
      client.join(' ') === `${CLIENT_ID} ${CLIENT_SECRET}`
    if (!given || !isRight) return undefined
    userInfo = given.said.userInfo ?? {}
    return {
      access_token: randomUUID(),
      token_type: 'Bearer',
      id_token: await idTokenOf(given.asked, given.said),
    }
  }

  async function idTokenOf(from: URLSearchParams, { claims, signed = 'rightly' }: Said) {
    const now = Math.floor(clock.peek().getTime() / 1000)
    const payload = {
      iss: state.issuer,
      aud: CLIENT_ID,
      sub: 'subject of ann',
      iat: now,
      exp: now + 300,
      nonce: from.get('nonce'),
      email: 'ann@example.com',
      email_verified: true,
      ...claims,
    }
    if (signed === 'not at all') {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${part({ alg: 'none' })}.${part(payload)}.`
    }
    const keys: Record<string, CryptoKey | Uint8Array> = {
      rightly: own.privateKey,
      'by another key': another.privateKey,
      'by the client secret': Buffer.from(CLIENT_SECRET),
    }
    const alg = signed === 'by the client secret' ? 'HS256' : 'RS256'
    const key = keys[signed] ?? own.privateKey
    return new SignJWT(payload).setProtectedHeader({ alg, kid: 'one' }).sign(key)
  }

  return {
    state,
    /** The paths that were asked for. */
    asked,
    environment: {
      PUBLIC_URL: 'http://localhost',
      CAPTCHA: 'off',
      OIDC_ISSUER: state.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Example ID',
    },
    /** Somebody signs in at the address that the back office has sent them to. Returns what they come back with. */
    visit(url: string, said: Said = {}): { code: string; state: string } {
      const sent = new URL(url).searchParams
      const code = randomUUID()
      grants.set(code, { asked: sent, said })
      return { code, state: sent.get('state') ?? '' }
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const CLIENT_ID = 'tallyroom'
const CLIENT_SECRET = 'of-the-provider-and-this-back-office'
