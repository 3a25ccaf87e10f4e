import type { Brand } from '@tallyroom/domain/brands/index'
import type { FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import sharp from 'sharp'

/** Pixels. 180 is what iOS asks for. */
const ICON_SIZES = [180, 192, 512] as const

/** What makes the web app installable: manifest, icons, and the worker that shows a page of the brand when offline. */
export function serveInstallation(app: FastifyInstance, brand: Brand): void {
  const offline = offlinePage(brand)
  const files: [path: string, type: string, text: string][] = [
    ['/manifest.webmanifest', 'application/manifest+json', JSON.stringify(manifestOf(brand))],
    ['/icon.svg', 'image/svg+xml', brand.logo],
    ['/offline', 'text/html', offline],
    ['/sw.js', 'text/javascript', workerOf(offline)],
  ]
  for (const [url, type, text] of files) {
    app.get(url, { exposeHeadRoute: false }, (_, reply) =>
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(text),
    )
  }
  for (const size of ICON_SIZES) {
    // Rendered on first request, because few visitors install.
    let drawn: Promise<Buffer> | undefined
    app.get(`/icon-${size}.png`, { exposeHeadRoute: false }, async (_, reply) => {
      drawn ??= drawIcon(brand, size)
      return reply
        .type('image/png')
        .header('cache-control', 'public, max-age=86400')
        .send(await drawn)
    })
  }
}

/** The tags that name them, for the head of the index page. */
export const installationTags =
  '<link rel="manifest" href="/manifest.webmanifest" />\n    <link rel="apple-touch-icon" href="/icon-180.png" />'

/** @see https://www.w3.org/TR/appmanifest/ */
const manifestOf = ({ name, tagline, palette: { shades, primaryShade } }: Brand) => ({
  id: '/app/home',
  name,
  short_name: name,
  description: tagline,
  start_url: '/app/home',
  scope: '/',
  display: 'standalone',
  theme_color: shades[primaryShade.light],
  background_color: '#ffffff',
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
  ],
})

/** The mark on the brand's lightest shade. Systems cut icons to their own shapes, but leave the inner 80 %. */
function drawIcon({ logo, palette }: Brand, size: number): Promise<Buffer> {
  const mark = logo.replace('<svg ', '<svg x="7" y="7" width="18" height="18" ')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32"><rect width="32" height="32" fill="${palette.shades[0]}"/>${mark}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

/**
 * The service worker. It caches only the offline page, no code and no API responses, so it can't serve anything
 * outdated and leaves no account data behind. It contains the page's version, so that browsers reinstall it whenever
 * the page changes.
 */
const workerOf = (
  offline: string,
) => `const KEPT = 'offline-${createHash('sha256').update(offline).digest('hex').slice(0, 12)}'

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((kept) => kept.add(new Request('/offline', { cache: 'reload' })))
      .then(() => skipWaiting()),
  )
})

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  )
})

addEventListener('fetch', (event) => {
  const { mode, method, url } = event.request
  if (mode !== 'navigate' || method !== 'GET' || new URL(url).pathname.startsWith('/api/')) return
  event.respondWith(fetch(event.request).catch(() => caches.match('/offline')))
})
`

/** Self-contained, because nothing else can be loaded while it is shown. Its link retries the requested page. */
const offlinePage = ({ name, logo, palette: { shades, primaryShade } }: Brand) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>Offline · ${name}</title>
    <style>
      body { margin: 0; }
      main { display: grid; min-height: 90vh; place-content: center; padding: 24px; font: 16px/1.5 system-ui, sans-serif; text-align: center; }
      svg { width: 56px; margin: 0 auto; }
      h1 { margin: 16px 0 4px; font-size: 20px; }
      p { margin: 0 0 20px; }
      a { justify-self: center; padding: 10px 20px; border-radius: 6px; background: ${shades[primaryShade.light]}; color: #fff; text-decoration: none; }
    </style>
  </head>
  <body>
    <main>
      ${logo}
      <h1>You’re offline</h1>
      <p>${name} needs a connection. Check yours, then try again.</p>
      <a href="">Try again</a>
    </main>
  </body>
</html>
`
