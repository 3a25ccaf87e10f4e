import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The canonical form of an address: IPv6 as in RFC 5952 without a zone, and an IPv4-mapped IPv6 address
 * (`::ffff:192.0.2.1`) as IPv4. Undefined if the text is not an address.
 */
export function canonicalIp(text: string): string | undefined {
  if (isIPv4(text)) return text
  if (!isIPv6(text)) return undefined
  const address = ipaddr.IPv6.parse(text.split('%', 1)[0] ?? text)
  return address.isIPv4MappedAddress()
    ? address.toIPv4Address().toString()
    : address.toRFC5952String()
}

/** The placeholder for an unknown caller's address. */
export const NO_ADDRESS = '0.0.0.0'

/** The canonical form for storing. Anything invalid, which a proxy may have sent, becomes {@link NO_ADDRESS}. */
export const normalAddress = (text: string): string => canonicalIp(text) ?? NO_ADDRESS

/** The subscriber behind an address: the address itself, or the /64 for IPv6, since a subscriber owns a whole /64. */
export function subscriberOf(text: string): string {
  const ip = normalAddress(text)
  if (isIPv4(ip)) return ip
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`)
  return `${network.toRFC5952String()}/64`
}

/** The visitor behind a canonical address: {@link subscriberOf} with a fast path for the redirect. */
export const visitorOf = (ip: string): string => (ip.includes(':') ? subscriberOf(ip) : ip)

/**
 * Parses a search for addresses to a network: a single address, a prefix such as `203.0.113`, or a network.
 * Undefined if the text is none of these.
 */
export function networkOf(searched: string): string | undefined {
  const text = searched.trim()
  const address = canonicalIp(text)
  if (address !== undefined) return address
  if (ipaddr.isValidCIDR(text)) {
    const [network, bits] = ipaddr.parseCIDR(text)
    const first =
      network.kind() === 'ipv4'
        ? ipaddr.IPv4.networkAddressFromCIDR(text)
        : ipaddr.IPv6.networkAddressFromCIDR(text)
    return `${first.toString()}/${bits}`
  }
  const parts = text.replace(/\.$/, '').split('.')
  if (parts.length > 3 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) {
    return undefined
  }
  const first = [...parts.map(Number), 0, 0, 0].slice(0, 4).join('.')
  return `${first}/${parts.length * 8}`
}

/** An IPv4 address as a number, 0 to 2^32 - 1. The text must be valid. */
export function ipv4Number(text: string): number {
  let number = 0
  let part = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === DOT) {
      number = number * 256 + part
      part = 0
    } else {
      part = part * 10 + code - ZERO
    }
  }
  return number * 256 + part
}

/** The 128 bits of an IPv6 address. The text must be valid. */
export function ipv6Number(text: string): bigint {
  const { parts } = ipaddr.IPv6.parse(text)
  return parts.reduce((number, part) => (number << 16n) | BigInt(part), 0n)
}

const DOT = 46
const ZERO = 48
