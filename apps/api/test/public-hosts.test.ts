import { describe, expect, test, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { frontPage } from '../src/http/front-door.ts'
import { brandOf, DEFAULT_BRAND } from '@tallyroom/domain/brands/index'
import { testDatabase } from './database.ts'
import { testServices } from './services.ts'
import { createDomain, updateDomain } from '../src/people/domains/save-domain.ts'

const database = await testDatabase()
const OFFICE = 'office.example.com'
const LINKS = 'go.example.com'
const services = testServices(database, {
  environment: { PUBLIC_URL: `https://${OFFICE}`, BACK_OFFICE_HOSTS: 'staff.example.com' },
})
const app = await buildApp(services)
const front = frontPage(brandOf(DEFAULT_BRAND))
const get = (host: string, url: string) => app.inject({ url, headers: { host } })

describe('a domain of links', () => {
  test('shows a small page of the brand at its root, and nothing else of the web app', async () => {
    const root = await get(LINKS, '/')
    expect([root.statusCode, root.body]).toEqual([200, front])
    expect(front).toContain(brandOf(DEFAULT_BRAND).name)
    expect(front).not.toMatch(/sign in|login|<script/i)
    for (const path of [
      '/login',
      '/app/home',
      '/assets/index.js',
      '/sw.js',
      '/manifest.webmanifest',
    ]) {
      const answer = await get(LINKS, path)
      expect([path, answer.statusCode, answer.body]).toEqual([path, 404, front])
    }
  })

  test('has neither the API nor its documents, but health', async () => {
    for (const path of [
      '/api/docs',
      '/api/docs/json',
      '/api/brand',
      '/api/offices',
      '/api/unsubscribe/x',
      '/api/nothing',
    ]) {
      const answer = await get(LINKS, path)
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 404, 'NOT_FOUND'])
    }
    const signIn = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { host: LINKS },
      payload: { username: 'x', password: 'y' },
    })
    expect(signIn.statusCode).toBe(404)
    await vi.waitFor(
      async () => expect((await get(LINKS, '/api/health')).statusCode).toBe(200),
      60_000,
    )
  })

  test('keeps crawlers off links, and has an icon', async () => {
    expect((await get(LINKS, '/robots.txt')).body).toBe('User-agent: *\nAllow: /$\nDisallow: /\n')
    expect((await get(LINKS, '/favicon.ico')).headers['content-type']).toContain('image/svg+xml')
  })

  test('redirects its root where its form says, in every process within a second', async () => {
    const { id } = {
      id: await createDomain(services, { ...form, rootUrl: 'https://www.example.com/a' }),
    }
    const location = async () => (await get(LINKS, '/')).headers.location
    await vi.waitFor(async () => expect(await location()).toBe('https://www.example.com/a'), 60_000)
    expect((await get(LINKS, '/app')).statusCode).toBe(404)
    expect((await get(`${LINKS.toUpperCase()}.:443`, '/')).statusCode).toBe(302)
    await updateDomain(services, id, { rootUrl: '', version: 1 })
    await vi.waitFor(async () => expect(await location()).toBeUndefined(), 60_000)
  })
})

test.each([
  OFFICE,
  `${OFFICE}:8443`,
  'staff.example.com',
  'localhost:3000',
  '127.0.0.1',
  '[::1]:3000',
])('the back office is at %s', async (host) => {
  expect((await get(host, '/api/brand')).statusCode).toBe(200)
  expect((await get(host, '/api/docs/json')).statusCode).toBe(200)
  expect((await get(host, '/')).body).not.toBe(front)
})

test.each([OFFICE, LINKS])('at %s, a visitor of links gets pages and no JSON', async (host) => {
  for (const path of [
    '/api/links/go/1/2/3',
    '/api/links/go/1/2/3/',
    '//api/links/go/1/2',
    '/API/LINKS/GO/1/2/3',
    '/api/links',
    '/api/links/x',
  ]) {
    const answer = await get(host, path)
    expect([path, answer.headers['content-type']]).toEqual([path, 'text/html; charset=utf-8'])
    expect(answer.body).toMatch(/This link leads nowhere|try again in a moment/)
  }
})

test('a postback URL may end in a slash, on every host', async () => {
  for (const host of [OFFICE, LINKS]) {
    const answer = await get(host, '/api/postback/13/?click_id=x')
    expect([answer.statusCode, answer.json().outcome]).toEqual([401, 'refused'])
  }
})

test('without a public address, every host shows the back office', async () => {
  const local = await buildApp(testServices(database))
  expect((await local.inject({ url: '/api/brand', headers: { host: LINKS } })).statusCode).toBe(200)
  await local.close()
})

const form = { domain: `https://${LINKS}`, description: '', hidden: false }
