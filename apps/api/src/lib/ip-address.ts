import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The one spelling of an address, so that equal addresses are equal texts: IPv6 as RFC 5952 has it, without
 * a zone, and an IPv4 address that came in IPv6's clothes (`::ffff:192.0.2.1`) as plain IPv4. Undefined for
 * text that is no address.
 */
export function canonicalIp(text: string): string | undefined {
  if (isIPv4(text)) return text
  if (!isIPv6(text)) return undefined
  const address = ipaddr.IPv6.parse(text.split('%', 1)[0] ?? text)
  return address.isIPv4MappedAddress()
    ? address.toIPv4Address().toString()
    : address.toRFC5952String()
}

/** What stands where a caller's address is not known. */
export const NO_ADDRESS = '0.0.0.0'

/** The same for what has to be stored: a proxy may have written anything, which becomes {@link NO_ADDRESS}. */
export const normalAddress = (text: string): string => canonicalIp(text) ?? NO_ADDRESS

/** Who is behind an address: itself, or its /64 in IPv6, where one subscriber has all of that. */
export function subscriberOf(text: string): string {
  const ip = normalAddress(text)
  if (isIPv4(ip)) return ip
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`)
  return `${network.toRFC5952String()}/64`
}

/** The visitor behind a canonical address: {@link subscriberOf}, quick for the redirect. */
export const visitorOf = (ip: string): string => (ip.includes(':') ? subscriberOf(ip) : ip)

/**
 * What a person means who searches for an address, as a network: an address is one of its own, `203.0.113` and
 * `203.0.113.` all that begin so, and a network is itself. Undefined for text that is none of these.
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

/** The number of a plain IPv4 address, 0 to 2^32 - 1. The text must be one. */
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

/** The 128 bits of an IPv6 address. The text must be one. */
export function ipv6Number(text: string): bigint {
  const { parts } = ipaddr.IPv6.parse(text)
  return parts.reduce((number, part) => (number << 16n) | BigInt(part), 0n)
}

const DOT = 46
const ZERO = 48
