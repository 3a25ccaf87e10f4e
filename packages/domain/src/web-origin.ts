/**
 * A typed web address as an origin, as the browser writes it: `HTTPS://Go.Example.com:443/` is
 * `https://go.example.com`. Undefined for what is no absolute http or https address, and for one with a
 * path, query, fragment or credentials: links are made by putting a path behind it. Its host is a name with
 * a dot, `localhost`, or an IP address written out: browsers would take `https://1` for `https://0.0.0.1`.
 */
export function toOrigin(typed: string): string | undefined {
  const address = typed.trim()
  if (!/^https?:\/\/[^/?#\\@\s]+\/?$/i.test(address) || !URL.canParse(address)) return undefined
  const { hostname, origin } = new URL(address)
  return isWritten(hostname, address) ? origin : undefined
}

const isWritten = (hostname: string, address: string): boolean =>
  /^[\d.]+$/.test(hostname)
    ? address.includes(hostname)
    : hostname === 'localhost' || hostname.startsWith('[') || /[^.]\.[^.]/.test(hostname)
