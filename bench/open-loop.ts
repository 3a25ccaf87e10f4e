import { connect, type Socket } from 'node:net'
import { isWhole } from './http-load.ts'

/** A stream of requests that does not slow down when the server does. */
export type OpenLoop<Request> = {
  port: number
  perSecond: number
  seconds: number
  /** The next request as text; undefined while there is none to send. */
  next: () => { text: string; request: Request } | undefined
  goodStatus: number
  /** `ms`: from when the request was due until its whole answer had arrived. */
  onGood?: (answer: string, request: Request, ms: number) => void
  /** Any other answer; undefined if the connection was closed. By default it is printed. */
  onOther?: (answer: string | undefined, request: Request, ms: number) => void
}

/**
 * Milliseconds from when each request was due until its whole answer had arrived, and the number of
 * failures.
 */
export type Times = { ms: number[]; failed: number }

/** How often due requests are sent. */
const tickMs = 2

/**
 * Sends requests at a fixed rate, each on a free keep-alive connection, opening more when all are busy. Times count
 * from when a request was due, so a server that stalls cannot hide it.
 */
export async function runOpenLoop<Request>(loop: OpenLoop<Request>): Promise<Times> {
  const { port, perSecond, seconds, next, goodStatus, onGood, onOther } = loop
  const times: Times = { ms: [], failed: 0 }
  const free: Connection[] = []
  const all: Connection[] = []
  let underWay = 0
  const startedAt = performance.now()

  await new Promise<void>((resolve) => {
    let sent = 0
    const timer = setInterval(() => {
      const due = Math.min(seconds, (performance.now() - startedAt) / 1_000) * perSecond
      for (; sent < due; sent++) send(startedAt + (sent / perSecond) * 1_000)
      if (sent < seconds * perSecond || underWay > 0) return
      clearInterval(timer)
      resolve()
    }, tickMs)
  })
  for (const { socket } of all) socket.destroy()
  return times

  function send(dueAt: number): void {
    const made = next()
    if (!made) return
    const connection = free.pop() ?? open()
    underWay++
    connection.pending = {
      onAnswer(answer) {
        underWay--
        const ms = performance.now() - dueAt
        if (answer?.startsWith(`HTTP/1.1 ${goodStatus}`)) {
          times.ms.push(ms)
          onGood?.(answer, made.request, ms)
        } else {
          times.failed++
          if (onOther) onOther(answer, made.request, ms)
          else console.error(made.text.split('\r\n')[0], answer ?? 'The connection was closed.')
        }
        if (answer) free.push(connection)
      },
    }
    connection.socket.write(made.text)
  }

  function open(): Connection {
    const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    const connection: Connection = { socket, pending: undefined }
    let answer = ''
    const finish = (whole: string | undefined) => {
      const { pending } = connection
      connection.pending = undefined
      answer = ''
      pending?.onAnswer(whole)
    }
    socket.on('data', (chunk) => {
      answer += String(chunk)
      if (isWhole(answer)) finish(answer)
    })
    socket.on('error', () => undefined) // 'close' follows
    socket.on('close', () => {
      const place = free.indexOf(connection)
      if (place >= 0) free.splice(place, 1)
      finish(undefined)
    })
    all.push(connection)
    return connection
  }
}

type Connection = {
  socket: Socket
  pending: { onAnswer(answer: string | undefined): void } | undefined
}
