import ipaddr from 'ipaddr.js'
import { canonicalIp } from '../../lib/net/ip-address.ts'

/** An address or a network in canonical form. */
export type IpRange = {
  version: 4 | 6
  /** The first address: the host bits are 0. */
  address: string
  /** The prefix length: 32 or 128 for a single address. */
  bits: number
}

/**
 * Parses an address or network as people write them: with host bits (`192.0.2.7/24` is `192.0.2.0/24`), IPv6 in
 * any notation, IPv4-mapped IPv6 (`::ffff:192.0.2.0/120`). Undefined for anything else.
 */
export function readRange(text: string): IpRange | undefined {
  const [, typed = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const ip = canonicalIp(typed)
  if (ip === undefined) return undefined
  const width = typed.includes(':') ? 128 : 32
  const bits = length === undefined ? width : Number(length)
  if (bits > width) return undefined
  if (!ip.includes(':') && bits >= width - 32) return network4(ip, bits - (width - 32))
  return network6(typed.split('%', 1)[0] ?? typed, bits)
}

/** `192.0.2.0/24`, or only the address if it is a single one. */
export const rangeText = ({ version, address, bits }: IpRange): string =>
  bits === (version === 4 ? 32 : 128) ? address : `${address}/${bits}`

/** All networks that contain an address, from itself to the whole address space. */
export function networksAround(ip: string): string[] {
  const [network, width] = ip.includes(':') ? ([network6, 128] as const) : ([network4, 32] as const)
  return Array.from({ length: width + 1 }, (_, bits) => `${network(ip, bits).address}/${bits}`)
}

const network4 = (ip: string, bits: number): IpRange => ({
  version: 4,
  address: ipaddr.IPv4.networkAddressFromCIDR(`${ip}/${bits}`).toString(),
  bits,
})

const network6 = (ip: string, bits: number): IpRange => ({
  version: 6,
  address: ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${bits}`).toRFC5952String(),
  bits,
})
