import fastifyStatic from '@fastify/static'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Brand } from '@tallyroom/domain/brands/index'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { handleUnknownPath } from './error-handler.ts'
import { installationTags, serveInstallation } from './installation.ts'
import { secureHeaders } from './secure-headers.ts'

const builtWebDir = join(import.meta.dirname, '../../../web/dist')

type WebOptions = {
  brand: Brand
  /** The page at `/`. If undefined, the web app is served there too. */
  landing: string | undefined
  /** The folder of the built web app. */
  webDir?: string
}

/** Static files. Any other path outside /api is a page of the web app. */
export async function webScope(
  app: FastifyInstance,
  { brand, landing, webDir = builtWebDir }: WebOptions,
): Promise<void> {
  await app.register(helmet, secureHeaders)
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] })
  if (landing !== undefined) {
    app.route({
      method: ['GET', 'HEAD'],
      url: '/',
      exposeHeadRoute: false,
      handler: (_, reply) => sendPage(reply, landing),
    })
  }
  serveInstallation(app, brand)
  if (!existsSync(join(webDir, 'index.html'))) return
  const index = brandedIndex(readFileSync(join(webDir, 'index.html'), 'utf8'), brand)
  await app.register(fastifyStatic, {
    root: webDir,
    serve: false,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders(reply, path) {
      const isHashed = path.startsWith(join(webDir, 'assets'))
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/*',
    exposeHeadRoute: false,
    handler: (request, reply) => {
      const path = request.params['*']
      if (/^api(\/|$)/.test(path)) return handleUnknownPath(request, reply)
      const isFile = /\.\w+$/.test(path) && path !== 'index.html'
      return isFile ? reply.sendFile(path) : sendPage(reply, index)
    },
  })
}

/**
 * The web app's index page with the brand's title, icon and colours, so that no other brand flashes up before
 * the scripts load.
 */
export function brandedIndex(html: string, brand: Brand): string {
  const { shades, primaryShade } = brand.palette
  const icon = `data:image/svg+xml,${encodeURIComponent(brand.logo)}`
  return html
    .replace('<html lang="en">', `<html lang="en" data-color-scheme="${brand.colorScheme}">`)
    .replace(/<title>[^<]*<\/title>/, `<title>${brand.name}</title>`)
    .replace('href="data:,"', `href="${icon}"`)
    .replace(
      '<meta name="color-scheme"',
      `<meta name="theme-color" content="${shades[primaryShade.light]}" />\n    ${installationTags}\n    <meta name="color-scheme"`,
    )
}

const sendPage = (reply: FastifyReply, html: string) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html)
