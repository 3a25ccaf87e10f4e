import fastifyStatic from '@fastify/static'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Brand } from '@tallyroom/domain/brands/index'
import { join } from 'node:path'
import { handleUnknownPath } from './error-handler.ts'
import { type FrontDoor, hidePages, serveForPrograms } from './front-door.ts'
import { readIndexPage } from './index-page.ts'
import { serveInstallation } from './installation.ts'
import { secureHeaders } from './secure-headers.ts'

const builtWebDir = join(import.meta.dirname, '../../../web/dist')

type WebOptions = {
  brand: Brand
  /** If undefined, every host shows the web app. */
  door?: FrontDoor
  /** The page at `/`. If undefined, the web app is served there too. */
  landing: string | undefined
  /** The folder of the built web app. */
  webDir?: string
}

/** Static files. Any other path outside /api is a page of the web app. */
export async function webScope(
  app: FastifyInstance,
  { brand, door, landing, webDir = builtWebDir }: WebOptions,
): Promise<void> {
  const index = readIndexPage(webDir, brand)
  await app.register(helmet, secureHeaders(index?.ownScripts))
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] })
  if (door) hidePages(app, door)
  serveForPrograms(app, brand)
  if (landing !== undefined) {
    app.route({
      method: ['GET', 'HEAD'],
      url: '/',
      exposeHeadRoute: false,
      handler: (_, reply) => sendPage(reply, landing),
    })
  }
  serveInstallation(app, brand)
  if (!index) {
    app.get('/*', { exposeHeadRoute: false }, handleUnknownPath)
    return
  }
  await app.register(fastifyStatic, {
    root: webDir,
    serve: false,
    cacheControl: false,
    // As the build compressed them (apps/web/first-screens.ts).
    preCompressed: true,
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
      return isFile ? reply.sendFile(path) : sendPage(reply, index.pageAt(`/${path}`))
    },
  })
}

const sendPage = (reply: FastifyReply, html: string) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html)
