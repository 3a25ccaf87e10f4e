import { BRAND_KEYS, brandOf } from '@tallyroom/domain/brands/index'
import Fastify from 'fastify'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { webScope } from './web-scope.ts'

describe.each(BRAND_KEYS)('%s', (key) => {
  const brand = brandOf(key)
  const appOf = async () => {
    const app = Fastify()
    await app.register(webScope, { brand, landing: undefined, webDir: '/nowhere' })
    return app
  }

  test('its manifest has its name and colours, and every icon exists', async () => {
    const app = await appOf()
    const answer = await app.inject('/manifest.webmanifest')
    expect(answer.headers).toMatchObject({
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    })
    const manifest = answer.json<{ name: string; start_url: string; icons: Icon[] }>()
    expect(manifest).toMatchObject({
      name: brand.name,
      start_url: '/app/home',
      display: 'standalone',
    })
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await app.inject(src)
      expect(icon.statusCode).toBe(200)
      expect(icon.headers['content-type']).toContain(type)
      if (type !== 'image/png') continue
      const { width, height } = await sharp(icon.rawPayload).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
  })

  test('its offline page is self-contained, and the worker caches nothing else', async () => {
    const app = await appOf()
    const page = await app.inject('/offline')
    expect(page.body).toContain(brand.name)
    expect(page.body).not.toMatch(/<script|src=|<link/)
    const worker = await app.inject('/sw.js')
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    })
    expect(worker.headers['content-security-policy']).toContain("script-src 'self'")
    expect(worker.body.match(/kept\.(add|put)/g)).toEqual(['kept.add'])
  })
})

interface Icon {
  src: string
  sizes: string
  type: string
}
