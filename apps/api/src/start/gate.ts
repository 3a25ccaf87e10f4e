import { createServer, type Server, type Socket } from 'node:net'

/** The port, opened before the program is loaded, so that nobody is refused meanwhile. */
export type Gate = {
  server: Server
  /** Ends holding: the connections that wait, which are the next server's from now on. */
  release(): Socket[]
  /** Refuses everybody again. */
  close(): void
}

/** Undefined if the port can't be opened this way: the server itself then says why. */
export function openGate(environment: NodeJS.ProcessEnv): Promise<Gate | undefined> {
  const { PORT: port = '', HOST: host = '', WEB_CONCURRENCY: processes = '' } = environment
  // Workers share a port that the first process opens for them. A name may stand for several addresses.
  if (
    !/^\d*$/.test(port.trim()) ||
    !/^1?$/.test(processes.trim()) ||
    /^localhost$/i.test(host.trim())
  ) {
    return Promise.resolve(undefined)
  }
  const held = new Set<Socket>()
  const hold = (socket: Socket) => {
    held.add(socket)
    socket.once('error', () => socket.destroy())
    socket.once('close', () => held.delete(socket))
  }
  // Paused: what a visitor sends stays in the system's buffers.
  const server = createServer({ pauseOnConnect: true, noDelay: true }, hold)
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen({ port: Number(port || 3000), host: host.trim() || '127.0.0.1' }, () =>
      resolve({
        server,
        release() {
          const waiting = [...held]
          held.clear()
          for (const socket of waiting) {
            socket.removeAllListeners('close').removeAllListeners('error')
          }
          return waiting
        },
        close() {
          server.close()
          for (const socket of held) socket.destroy()
        },
      }),
    )
  })
}
