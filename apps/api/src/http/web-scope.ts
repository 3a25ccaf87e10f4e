import fastifyStatic from '@fastify/static'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { handleUnknownPath } from './error-handler.ts'
import { secureHeaders } from './secure-headers.ts'

/** Where the built web app lies. */
const webDir = join(import.meta.dirname, '../../../web/dist')

/** The browser's files. Any path outside /api that names no file is a page of the web app. */
export async function webScope(app: FastifyInstance): Promise<void> {
  await app.register(helmet, secureHeaders)
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] })
  if (!existsSync(join(webDir, 'index.html'))) return
  await app.register(fastifyStatic, {
    root: webDir,
    serve: false,
    cacheControl: false,
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
      const isFile = /\.\w+$/.test(path)
      return reply.sendFile(isFile ? path : 'index.html')
    },
  })
}
