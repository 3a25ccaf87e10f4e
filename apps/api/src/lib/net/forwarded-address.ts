import { BlockList, isIPv6 } from 'node:net'
import { canonicalIp, NO_ADDRESS } from './ip-address.ts'

/** Whether a proxy is trusted: 0 is the nearest, which holds the connection. */
export type TrustsProxy = (address: string, hop: number) => boolean

/**
 * Whose word about the caller's address is taken: nobody's, that of a number of proxies counted from the nearest,
 * or that of addresses and networks.
 */
export function trustOf(setting: false | number | readonly string[]): TrustsProxy | undefined {
  if (setting === false) return undefined
  if (typeof setting === 'number') return (_address, hop) => hop < setting
  const networks = new BlockList()
  for (const text of setting) {
    const [address = '', bits] = text.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    networks.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return (address) => networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/**
 * An address as proxies write it: with blanks or quotes around it, a port behind it, an IPv6 address in brackets or with a
 * zone. Canonical; undefined if the text is none, such as `unknown` or `_hidden`.
 */
export function readAddress(text: string): string | undefined {
  const plain = canonicalIp(text)
  if (plain !== undefined) return plain
  const bare = text
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .trim()
  const [, bracketed] = /^\[([^\]]+)\](?::\w+)?$/.exec(bare) ?? []
  if (bracketed !== undefined) return canonicalIp(bracketed)
  const [, withPort] = /^([\d.]+):\w+$/.exec(bare) ?? []
  return canonicalIp(withPort ?? bare)
}

/**
 * The caller's address: that of the connection, or what the trusted proxies say about it, in X-Forwarded-For or else in
 * Forwarded. An entry that cannot be read makes the caller unknown. They are never given the proxy's own address, which
 * would make all callers one.
 */
export function callerAddress(
  remote: string | undefined,
  headers: { readonly [name: string]: string | string[] | undefined },
  trusts: TrustsProxy | undefined,
): { address: string; unreadable?: string } {
  let address = canonicalIp(remote ?? '') ?? NO_ADDRESS
  if (!trusts) return { address }
  let hop = 0
  for (const entry of forwarded(headers).toReversed()) {
    if (!trusts(address, hop++)) break
    const told = readAddress(entry)
    if (told === undefined) return { address: NO_ADDRESS, unreadable: entry }
    address = told
  }
  return { address }
}

/** What the proxies wrote, the nearest last. */
function forwarded(headers: Parameters<typeof callerAddress>[1]): string[] {
  const list = textOf(headers['x-forwarded-for'])
  if (list !== '') return list.split(',').filter((entry) => entry.trim() !== '')
  const elements = textOf(headers['forwarded']).match(ELEMENT) ?? []
  return elements.map((element) => FOR.exec(element)?.[1] ?? '')
}

/** One proxy's part of a Forwarded header (RFC 7239). Commas in quotes do not end it. */
const ELEMENT = /(?:"[^"]*"|[^",])+/g
const FOR = /(?:^|[;\s])for=("[^"]*"|[^\s;,]*)/i

const textOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' ? header : (header?.join(',') ?? '')
