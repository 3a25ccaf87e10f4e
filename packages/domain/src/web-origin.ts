/**
 * A typed web address as an origin, as the browser writes it: `HTTPS://Go.Example.com:443/` is
 * `https://go.example.com`. Undefined for what is no absolute http or https address, and for one with a
 * path, query, fragment or credentials: links are made by putting a path behind it.
 */
export function toOrigin(typed: string): string | undefined {
  const address = typed.trim()
  if (!/^https?:\/\/[^/?#\\@\s]+\/?$/i.test(address) || !URL.canParse(address)) return undefined
  return new URL(address).origin
}
