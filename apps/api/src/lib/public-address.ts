import ipaddr from 'ipaddr.js'

/** Where a target chosen by a user may be, beyond the public internet. From the operator. */
export type AllowedTargets = {
  /** Networks that may be reached at any port. */
  networks: readonly Network[]
  /** Ports of public addresses, besides 80 and 443. */
  ports: readonly number[]
}

type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/**
 * Parses `10.1.0.0/16,*:8443`: networks that may be reached at any port, and further ports of public addresses.
 * Undefined if an entry is neither.
 */
export function parseAllowedTargets(text: string): AllowedTargets | undefined {
  const networks: Network[] = []
  const ports: number[] = []
  for (const entry of text.split(',').map((one) => one.trim())) {
    const port = /^\*:(\d{1,5})$/.exec(entry)?.[1]
    if (port !== undefined && Number(port) > 0 && Number(port) < 65_536) ports.push(Number(port))
    else if (ipaddr.isValidCIDR(entry)) networks.push(ipaddr.parseCIDR(entry))
    else if (ipaddr.IPv6.isValid(entry)) networks.push([ipaddr.parse(entry), 128])
    else if (ipaddr.IPv4.isValidFourPartDecimal(entry)) networks.push([ipaddr.parse(entry), 32])
    else return undefined
  }
  return { networks, ports }
}

/**
 * Whether a target may be reached: a public unicast address at port 80 or 443, or what the operator allows. `address` is
 * numeric. Anything in doubt may not, such as IPv6 forms that a router might translate to an internal IPv4 address.
 */
export function mayReach(address: string, port: number, allowed: AllowedTargets): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (allowed.networks.some((network) => isWithin(parsed, network))) return true
  return isPublic(parsed) && (port === 80 || port === 443 || allowed.ports.includes(port))
}

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
