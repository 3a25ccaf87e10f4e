import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'
import { handleClientError } from './error-handler.ts'
import { type UnparsedRequest, unparsedRequest } from './unparsed-request.ts'

/**
 * Answers what Node's parser refuses. A GET on a public path whose URL has bytes that are not ASCII, as curl and older PHP send
 * `name=Niño`, is read as if these bytes were encoded. All else stays refused, and so does what has a body or comes with more.
 * The connection ends. Whoever takes what was refused is told of it.
 */
export function handleUnparsed(app: FastifyInstance, error: Unparsed, socket: Socket): void {
  const { rawPacket } = error
  const packet = rawPacket instanceof Buffer ? rawPacket.toString('latin1') : ''
  const head = socket.writable ? headOf(packet) : undefined
  if (!head) {
    tellOfRefused(app, packet, error, socket)
    return void handleClientError(error, socket)
  }
  app.inject({ ...head, method: 'GET', remoteAddress: socket.remoteAddress ?? '' }).then(
    ({ statusCode, statusMessage, headers, rawPayload }) => {
      const lines = Object.entries({ ...headers, connection: 'close' }).flatMap(([name, value]) =>
        [value ?? []].flat().map((one) => `${name}: ${one}\r\n`),
      )
      socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`)
      return socket.end(rawPayload)
    },
    () => socket.destroy(),
  )
}

function tellOfRefused(app: FastifyInstance, packet: string, error: Unparsed, socket: Socket) {
  const request = app.refuseUnparsed && unparsedRequest(packet, error)
  if (!request) return
  const { headers } = request
  const ip = app.findCaller?.({ socket, headers }, app.log) ?? socket.remoteAddress ?? ''
  app.refuseUnparsed?.({ ...request, ip })
}

/** `rawPacket`: what the parser was given, a buffer; `bytesParsed`: how much of it was read. */
type Unparsed = NodeJS.ErrnoException & { rawPacket?: unknown; bytesParsed?: number }

declare module 'fastify' {
  interface FastifyInstance {
    /** Takes what Node's parser refused, if anybody does. The sender has their answer. */
    refuseUnparsed?: (request: UnparsedRequest & { ip: string }) => void
  }
}

type Head = { url: string; headers: Record<string, string> }

/** Undefined if it is none of them. */
function headOf(packet: string): Head | undefined {
  if (!packet.endsWith('\r\n\r\n')) return undefined
  const [request = '', ...lines] = packet.slice(0, -4).split('\r\n')
  const [, url] = REQUEST.exec(request) ?? []
  const mended = url?.replaceAll(/[\u0080-\u00ff]/g, encoded)
  if (mended === undefined || mended === url) return undefined
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value = ''] = HEADER.exec(line) ?? []
    const key = name?.toLowerCase()
    // One that comes twice could be read in two ways, and so could where the request ends.
    if (key === undefined || Object.hasOwn(headers, key) || ABOUT_BODY.test(key)) return undefined
    headers[key] = value.trim()
  }
  return { url: mended, headers }
}

const encoded = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`

const REQUEST = /^GET (\/api\/(?:postback|links)\/[\u0021-\u007e\u0080-\u00ff]*) HTTP\/1\.[01]$/

const HEADER = /^([\w!#$%&'*+.^`|~-]+):([\t\u0020-\u007e\u0080-\u00ff]*)$/

const ABOUT_BODY = /^(?:content-length|transfer-encoding|expect|upgrade|trailer)$/
