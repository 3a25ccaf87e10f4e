import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { senderMark } from '../src/lib/net/safe-fetch.ts'
import { createDomain } from '../src/people/domains/save-domain.ts'
import { unsubscribeUrl } from '../src/desk/bell/unsubscribe-link.ts'
import { testDatabase } from './database.ts'
import { testServices } from './services.ts'

const OFFICE = 'office.example.com'
const services = testServices(await testDatabase(), {
  environment: { PUBLIC_URL: `https://${OFFICE}` },
})
const app = await buildApp(services)
await createDomain(services, {
  domain: 'https://rooted.example.com',
  description: '',
  hidden: false,
  rootUrl: 'https://www.example.com/',
})

/** One request of each kind of page and answer. Images and redirects of links have theirs in their own tests. */
const kinds: Record<string, InjectOptions> = {
  'a link that leads nowhere': { url: '/api/links/go/1/1/1' },
  'a link without numbers': { url: '/api/links/go/a/b/c' },
  'a link that is too long': { url: `/api/links/go/1/1/1?x=${'x'.repeat(8_000)}` },
  'a link that a browser prefetches': {
    url: '/api/links/go/1/1/1',
    headers: { 'sec-purpose': 'prefetch' },
  },
  'no link at all': { url: '/api/links' },
  'a postback by GET': { url: '/api/postback/1?key=x' },
  'a postback by POST': { method: 'POST', url: '/api/postback/1', payload: { a: 1 } },
  'a postback to ourselves': {
    url: '/api/postback/1',
    headers: { 'x-sent-by': senderMark(services.secret) },
  },
  'a postback whose body is too large': {
    method: 'POST',
    url: '/api/postback/1',
    payload: 'x'.repeat(1_100_000),
  },
  'an unsubscribe page': {
    url: new URL(unsubscribeUrl(services, { accountId: 1, of: 'payments' })).pathname,
  },
  'an unsubscribe page that is not complete': { url: '/api/unsubscribe/x' },
  'the API’s page': { url: '/api/docs' },
  'the API’s page with a slash': { url: '/api/docs/' },
  'a file of the API’s page': { url: '/api/docs/static/swagger-ui.css' },
  'its start': { url: '/api/docs/static/swagger-initializer.js' },
  'the API’s document for its page': { url: '/api/docs/json' },
  'the API’s document': { url: '/api/openapi.json' },
  'an answer': { url: '/api/brand' },
  'a refusal by its schema': { method: 'POST', url: '/api/auth/login', payload: {} },
  'a body that is not JSON': {
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  },
  'a refusal without a session': { url: '/api/offices/1' },
  'an image that is not there': { url: `/api/files/image/${'0'.repeat(64)}.png` },
  'an unknown call': { url: '/api/nothing' },
  'another method': { method: 'DELETE', url: '/api/brand' },
  OPTIONS: { method: 'OPTIONS', url: '/api/brand' },
  'a path that can’t be decoded': { url: '/api/%c0' },
  'a page of the web app': { url: '/app/home' },
  'the root': { url: '/' },
  'a file that is not there': { url: '/assets/nothing.js' },
  'robots.txt': { url: '/robots.txt' },
  'the icon': { url: '/favicon.ico' },
  'the manifest': { url: '/manifest.webmanifest' },
  'the service worker': { url: '/sw.js' },
  'the root of a domain of links': { url: '/', headers: { host: 'go.example.com' } },
  'the root of one that leads on': { url: '/', headers: { host: 'rooted.example.com' } },
  'a page of a domain of links': { url: '/app/home', headers: { host: 'go.example.com' } },
  'a call at a domain of links': { url: '/api/brand', headers: { host: 'go.example.com' } },
}

test.each(Object.entries(kinds))('%s has every header that protects it', async (_, asked) => {
  const { headers } = await app.inject({ ...asked, headers: { host: OFFICE, ...asked.headers } })
  const policy = String(headers['content-security-policy'])
  for (const part of ['default-src', 'base-uri', 'frame-ancestors']) expect(policy).toContain(part)
  expect(headers).toMatchObject({
    'referrer-policy': expect.stringMatching(
      /^(?:same-origin|no-referrer|strict-origin-when-cross-origin)$/,
    ),
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=31536000',
  })
})

test('nobody hears of the address of a page that stands alone', async () => {
  const { headers } = await app.inject({ url: '/api/unsubscribe/x', headers: { host: OFFICE } })
  expect(headers['referrer-policy']).toBe('no-referrer')
})
