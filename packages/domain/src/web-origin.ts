import { toUrl } from './url-text.ts'

/**
 * Normalizes a web address to an origin: `HTTPS://Go.Example.com:443/` becomes `https://go.example.com`.
 * A final dot
 * names the same host and is dropped. Undefined if it is not an absolute http or https address, or has a path, query, fragment or credentials:
 * links append a path to it. The host must be a name with a dot, `localhost`, or a complete IP address,
 * because browsers read `https://1` as `https://0.0.0.1`.
 */
export function toOrigin(typed: string): string | undefined {
  const address = typed.trim()
  if (!/^https?:\/\/[^/?#\\@\s]+\/?$/i.test(address) || !URL.canParse(address)) return undefined
  const { hostname, origin, protocol, port } = new URL(address)
  if (!isWritten(hostname, address)) return undefined
  return hostname.endsWith('.')
    ? `${protocol}//${hostNameOf(origin)}${port === '' ? '' : `:${port}`}`
    : origin
}

/**
 * A complete web address, if everything that parses it finds the same host; undefined for any other text. Judge what this
 * returns and use what it returns: a pattern over the text sees another host than the program that asks it.
 */
export function parseWebAddress(typed: string): URL | undefined {
  const url = toUrl(typed)
  // Some take `\` for `/`, some drop tabs, and some find a path where others find the host.
  const isPlain = /^https?:\/\/[^/]/i.test(typed) && !/[\s\\\p{Cc}]/u.test(typed)
  return isPlain ? url : undefined
}

/** The host name of a web address as requests are compared with: in lower case and without a final dot. */
export const hostNameOf = (address: string): string => new URL(address).hostname.replace(/\.$/, '')

const isWritten = (hostname: string, address: string): boolean =>
  /^[\d.]+$/.test(hostname)
    ? address.includes(hostname)
    : hostname === 'localhost' || hostname.startsWith('[') || /[^.]\.[^.]/.test(hostname)
