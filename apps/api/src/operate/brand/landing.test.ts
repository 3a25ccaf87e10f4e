import { brandOf, BRAND_KEYS } from '@tallyroom/domain/brands/index'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { brandedIndex } from '../../http/index-page.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { landingPage } from './landing.page.ts'

const database = await testDatabase()

describe.each(BRAND_KEYS.map((key) => [key, brandOf(key)] as const))('%s', (key, brand) => {
  test('its page is self-contained, links to sign-in, and runs nothing but the colour scheme script', () => {
    const page = landingPage(brand)
    expect(page).toContain(`<title>${brand.name} · ${brand.tagline}</title>`)
    expect(page).toContain(brand.copyright)
    expect(page).toContain('href="/login"')
    expect(page.match(/<script.*/g)).toEqual(['<script src="/color-scheme.js"></script>'])
    expect(page).not.toMatch(/\son\w+=|javascript:|undefined/)
    const others = BRAND_KEYS.filter((other) => other !== key).map((other) => brandOf(other).name)
    expect(others.filter((name) => page.includes(name))).toEqual([])
    expect(Buffer.byteLength(page)).toBeLessThan(12_000)
  })

  test('it is at / if the brand has one', async () => {
    const services = testServices(database, { environment: { BRAND: key } })
    const app = await buildApp(services)
    const answer = await app.inject('/')
    if (brand.flags.landingPage) {
      expect(answer.body).toBe(landingPage(brand))
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
      expect((await app.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(200)
    } else {
      expect(answer.body).not.toContain(brand.tagline)
    }
    expect((await app.inject('/api/docs/json')).body).toContain(`"title":"${brand.name}"`)
    await app.close()
  })
})

test('the web app’s page carries title, logo, icon, colour and scheme of the brand', () => {
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '    <meta name="color-scheme" content="light dark" />',
    '    <title>Back office</title>',
    '    <link rel="icon" href="data:," />',
    '    <b>Back office</b>',
  ].join('\n')
  const branded = brandedIndex(html, brandOf('northlane'))
  expect(branded).toContain('<html lang="en" data-color-scheme="dark" data-brand="northlane"')
  expect(branded).toContain('</svg><b>Northlane</b>')
  expect(branded).toContain('<title>Northlane</title>')
  expect(branded).toContain('<meta name="theme-color" content="#5d55bb" />')
  expect(branded).toMatch(/href="data:image\/svg\+xml,%3Csvg[^"]*"/)
})
