import ipaddr from 'ipaddr.js'

/** Where a target chosen by a user may be, beyond the public internet. From the operator. */
export type AllowedTargets = {
  /** Networks, each with the port at which its hosts may be reached. */
  hosts: readonly { network: Network; port: number }[]
  /** Ports of public addresses, besides 80 and 443. */
  ports: readonly number[]
}

type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/**
 * Parses `10.1.2.3:8080,[fd12::]/16:8080,*:8443`: hosts or networks with a port, and further ports of public addresses.
 * Undefined if an entry is neither.
 */
export function parseAllowedTargets(text: string): AllowedTargets | undefined {
  const hosts: { network: Network; port: number }[] = []
  const ports: number[] = []
  for (const entry of text.split(',').map((one) => one.trim())) {
    const [, host = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(entry) ?? []
    const port = Number(digits)
    const network = networkOf(host)
    if (port < 1 || port > 65_535) return undefined
    if (host === '*') ports.push(port)
    else if (network) hosts.push({ network, port })
    else return undefined
  }
  return { hosts, ports }
}

/** Of `10.1.2.3`, `10.1.0.0/16`, `[fd12::1]` or `[fd12::]/16`. */
function networkOf(text: string): Network | undefined {
  const plain = /^\[.*\](?:\/|$)/.test(text) ? text.replace(/^\[(.*)\]/, '$1') : text
  if (plain === text && text.includes(':')) return undefined
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return [ipaddr.parse(plain), 32]
  if (ipaddr.IPv6.isValid(plain)) return [ipaddr.parse(plain), 128]
  return ipaddr.isValidCIDR(plain) ? ipaddr.parseCIDR(plain) : undefined
}

/**
 * Whether a target may be reached: a public unicast address at port 80 or 443, or what the operator allows. `address` is
 * numeric. Anything in doubt may not, such as IPv6 forms that a router might translate to an internal IPv4 address.
 */
export function mayReach(address: string, port: number, allowed: AllowedTargets): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (allowed.hosts.some((host) => port === host.port && isWithin(parsed, host.network)))
    return true
  return isPublic(parsed) && (port === 80 || port === 443 || allowed.ports.includes(port))
}

/** Where a URL leads. `host`: an address, or a name in lower case without its final dot. */
export type Place = { host: string; port: number }

export const placeOfUrl = ({ hostname, port, protocol }: URL): Place => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''),
  port: Number(port || (protocol === 'https:' ? 443 : 80)),
})

/**
 * What bars a place for ever, whatever its name leads to: its address or its name, which are inside, or its port. Undefined
 * if it may be reached.
 */
export function barOf(
  { host, port }: Place,
  allowed: AllowedTargets,
): 'address' | 'name' | 'port' | undefined {
  const isOpen = port === 80 || port === 443 || allowed.ports.includes(port)
  if (ipaddr.isValid(host)) {
    if (mayReach(host, port, allowed)) return undefined
    return isPublic(ipaddr.parse(host)) ? 'port' : 'address'
  }
  // A name of the inside may lead to what the operator allows.
  if (LOOPBACK_NAME.test(host) || (allowed.hosts.length === 0 && INNER_NAME.test(host)))
    return 'name'
  return isOpen || allowed.hosts.some((one) => one.port === port) ? undefined : 'port'
}

/** No name server leads from these to anything (RFC 6761). */
const LOOPBACK_NAME = /(?:^|\.)localhost$/
/** These have no place in the public tree of names: one word, or one of the ends for networks of one's own. */
const INNER_NAME = /^[^.]*$|\.(?:local|internal|intranet|lan|home\.arpa)$/

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return !(isWithin(address, AZURE_HOST) || (isV6(address) && !isWithin(address, GLOBAL_UNICAST)))
}

const isWithin = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

const isV6 = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => address.kind() === 'ipv6'

/** All that IANA has given out. The rest holds IPv4-compatible and translated forms. */
const GLOBAL_UNICAST: Network = ipaddr.parseCIDR('2000::/3')
/** Azure's metadata and DNS, at a public address that only its machines reach. */
const AZURE_HOST: Network = ipaddr.parseCIDR('168.63.129.16/32')
