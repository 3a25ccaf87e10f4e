import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import compress from '@fastify/compress'
import Fastify from 'fastify'
import { afterAll, expect, test, vi } from 'vitest'
import { handleError } from '../../http/error-handler.ts'
import { begun, Download, sendDownload } from '../../http/send-download.ts'
import { atMost, streamWithin } from '../../lib/at-most.ts'

const PIECE = Buffer.alloc(65_536, 'a row of the report\r\n')
/** More than the operating system buffers for a client that reads nothing. */
const LONG = 1_000
const pace = { bytes: 2 ** 20, ms: 1_000 }

type Drip = { taken: number; why: string }

const run = atMost({ running: 1, waiting: 0 })

async function* rows(pieces: number, betweenMs: number) {
  for (let piece = 0; piece < pieces; piece++) {
    if (betweenMs > 0) await sleep(betweenMs)
    yield PIECE
  }
}

const app = Fastify()
app.setErrorHandler(handleError)
await app.register(compress, { threshold: 1024, encodings: ['gzip'] })
app.get<{ Params: { pieces: string; betweenMs: string }; Querystring: { ms?: string } }>(
  '/:pieces/:betweenMs',
  async ({ params: { pieces, betweenMs }, query: { ms } }, reply) => {
    const content = await begun(streamWithin(run, () => rows(Number(pieces), Number(betweenMs))))
    const file = new Download({ content, mediaType: 'text/csv', name: 'x' })
    return sendDownload(reply, file, { ...pace, ...(ms && { ms: Number(ms) }) })
  },
)
/** No operating system buffers in between: takes each chunk in a quarter of the allowed time. */
app.get('/drip', async (_, reply): Promise<Drip> => {
  const content = await begun(streamWithin(run, () => rows(20, 0)))
  const file = sendDownload(
    reply,
    new Download({ content, mediaType: 'text/csv', name: 'x' }),
    pace,
  )
  void reply.type('application/json')
  let taken = 0
  try {
    for await (const piece of file) {
      taken += Buffer.from(piece).length
      await sleep(pace.ms / 4)
    }
  } catch (error) {
    return { taken, why: error instanceof Error ? error.name : '' }
  }
  return { taken, why: '' }
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

test('a client that stops reading is disconnected, and its slot is freed', async () => {
  const reader = await startReading()
  reader.pause()
  expect((await fetch(`${url}/1/0`)).status).toBe(503)
  await untilPlaceIsFree()
  reader.resume()
  await once(reader, 'close')
  expect(reader.bytesRead).toBeLessThan(LONG * PIECE.length)
})

test('so is one that reads a chunk now and then', async () => {
  const answer = await fetch(`${url}/drip`)
  const { taken, why } = (await answer.json()) as Drip
  expect(why).toBe('TooSlowError')
  expect(taken).toBeGreaterThan(2 * PIECE.length)
  await untilPlaceIsFree()
})

test('the time for generating the file does not count', async () => {
  const answer = await fetch(`${url}/8/150`)
  expect((await answer.arrayBuffer()).byteLength).toBe(8 * PIECE.length)
})

test('a client that keeps reading gets the whole file', async () => {
  for (const encoding of ['identity', 'gzip']) {
    // A busy machine may pause for a second, which is not the client's fault.
    const answer = await fetch(`${url}/${LONG}/0?ms=60000`, {
      headers: { 'accept-encoding': encoding },
    })
    expect((await answer.arrayBuffer()).byteLength).toBe(LONG * PIECE.length)
  }
})

const untilPlaceIsFree = () =>
  vi.waitFor(async () => expect((await fetch(`${url}/1/0`)).status).toBe(200), 60_000)

/** The download has begun. */
async function startReading(): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`GET /${LONG}/0 HTTP/1.1\r\nhost: a\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}
