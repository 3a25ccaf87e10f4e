import ipaddr from 'ipaddr.js'

/** What stands where a caller's address is not known. */
export const NO_ADDRESS = '0.0.0.0'

/**
 * One spelling for each address, as PostgreSQL's `inet` takes it: IPv4 inside IPv6 is IPv4, a zone is left
 * out. What a proxy wrote that is no address becomes {@link NO_ADDRESS}.
 */
export function normalAddress(text: string): string {
  const address = parse(text)
  return address === undefined ? NO_ADDRESS : address.toString()
}

/** Who is behind an address: itself, or its /64 in IPv6, where one subscriber has all of that. */
export function subscriberOf(text: string): string {
  const address = parse(text)
  if (address === undefined) return NO_ADDRESS
  return address instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`
    : address.toString()
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [withoutZone = ''] = text.split('%')
  // `isValid` lets short and octal forms such as 10.1 through.
  const isAddress =
    ipaddr.IPv4.isValidFourPartDecimal(withoutZone) || ipaddr.IPv6.isValid(withoutZone)
  return isAddress ? ipaddr.process(withoutZone) : undefined
}
