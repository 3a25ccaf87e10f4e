import { Resolver } from 'node:dns/promises'
import { Socket } from 'node:net'

/*
 * Partners' URLs go to public addresses, always. Where a test has a tracker at a port of this machine, it gives it a name whose
 * address is public, and connections by that name are led to the port.
 */

/** `port-4123.tracker.test`; names below it lead to the same port. */
export const publicNameOf = (port: number | string): string => `port-${port}.tracker.test`

const NAME = /^(?:[\w-]+\.)?port-(\d+)\.tracker\.test$/
const ADDRESS = '93.184.216.34'

/** In this process, from now on. */
export function openPublicNames(): void {
  const { resolve4 } = Resolver.prototype
  Object.assign(Resolver.prototype, {
    resolve4(this: Resolver, name: string) {
      return NAME.test(name) ? Promise.resolve([ADDRESS]) : Reflect.apply(resolve4, this, [name])
    },
  })
  const { connect } = Socket.prototype
  Object.assign(Socket.prototype, {
    connect(this: Socket, ...given: unknown[]) {
      const [first] = given
      const options: { host?: unknown } = Object(Array.isArray(first) ? first[0] : first)
      const port = NAME.exec(String(options.host))?.[1]
      if (port !== undefined) Object.assign(options, { host: '127.0.0.1', port: Number(port) })
      return Reflect.apply(connect, this, given)
    },
  })
}
