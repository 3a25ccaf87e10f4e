import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Brand } from '@tallyroom/domain/brands/index'
import { handleUnknownPath } from './error-handler.ts'
import { bareHeaders, barePolicy, redirectHeaders } from './secure-headers.ts'

/** Which host names show the back office, and what the others show. */
export type FrontDoor = {
  isOffice(request: FastifyRequest): boolean
  /** Where the root of a link domain redirects to; undefined for the brand's page. */
  rootOf(host: string): string | undefined
  brand: Brand
}

/**
 * @param names host names of the back office, or `any`. The machine's own names are always among them, for checks and
 * tunnels.
 */
export const isOfficeAmong =
  (names: readonly string[] | 'any') =>
  (request: FastifyRequest): boolean => {
    if (names === 'any') return true
    const host = hostOf(request)
    return names.includes(host) || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)
  }

/** The host name that the caller asked for, in lower case, without port and final dot. */
const hostOf = (request: FastifyRequest): string =>
  (/^(?:\[[^\]]*\]|[^:]*)/.exec(request.host)?.[0] ?? '').toLowerCase().replace(/\.$/, '')

/** Hides an API on hosts that are not the back office's. */
export function hideApi(app: FastifyInstance, door: FrontDoor, open: readonly string[]): void {
  let isTold = false
  app.addHook('onRequest', async (request, reply) => {
    if (door.isOffice(request) || open.includes(request.routeOptions.url ?? '')) return
    if (!isTold) {
      isTold = true
      request.log.warn(
        { host: hostOf(request).slice(0, 100) },
        'the back office was asked for on a host that is not its own: if it is, name it in BACK_OFFICE_HOSTS',
      )
    }
    return handleUnknownPath(request, reply)
  })
}

/** Shows the front door of link domains instead of the web app. */
export function hidePages(app: FastifyInstance, door: FrontDoor): void {
  const page = frontPage(door.brand)
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (path === ROBOTS || path === FAVICON || door.isOffice(request)) return
    if (path.startsWith('/api')) return handleUnknownPath(request, reply)
    const root = path === '/' ? door.rootOf(hostOf(request)) : undefined
    if (root !== undefined) {
      return reply
        .code(302)
        .headers(redirectHeaders)
        .header('cache-control', 'no-cache')
        .header('location', root)
        .send()
    }
    return sendPage(reply.code(path === '/' ? 200 : 404), page)
  })
}

const ROBOTS = '/robots.txt'
const FAVICON = '/favicon.ico'

/** What programs ask every host for. */
export function serveForPrograms(app: FastifyInstance, brand: Brand): void {
  const files: [path: string, type: string, text: string][] = [
    // Crawlers would fill the counts, and search engines would show tracked links.
    [ROBOTS, 'text/plain; charset=utf-8', 'User-agent: *\nAllow: /$\nDisallow: /\n'],
    [FAVICON, 'image/svg+xml', brand.logo],
  ]
  for (const [url, type, text] of files) {
    app.get(url, { exposeHeadRoute: false }, (_, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'public, max-age=86400')
        .send(text),
    )
  }
}

const sendPage = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .headers({ ...bareHeaders, 'content-security-policy': PAGE_POLICY })
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(html)

const PAGE_POLICY = barePolicy("style-src 'unsafe-inline'", 'img-src data:')

/** Says whose domain it is, and nothing about a back office. Self-contained, without scripts. */
export const frontPage = ({
  name,
  logo,
  colorScheme,
  palette: { shades },
}: Brand): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${name}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(logo)}">
<style>
:root { color-scheme: ${colorScheme === 'auto' ? 'light dark' : colorScheme}; --mark: light-dark(${shades[6]}, ${shades[5]}) }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.6 system-ui, sans-serif }
main { padding: 2rem; max-width: 30rem; text-align: center }
svg { width: 3.5rem; height: 3.5rem }
h1 { margin: .75rem 0 .25rem; font-size: 1.5rem; line-height: 1.3 }
p { margin: 0; opacity: .8 }
</style>
</head>
<body>
<main>
${logo.replaceAll(shades[6], 'var(--mark)')}
<h1>${name}</h1>
<p>This address is for links. Please open the complete link that you were given.</p>
</main>
</body>
</html>
`
