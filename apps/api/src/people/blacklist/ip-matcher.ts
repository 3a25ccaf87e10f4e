import { setImmediate } from 'node:timers/promises'
import { canonicalIp, ipv4Number, ipv6Number } from '../../lib/net/ip-address.ts'

/** Whether a canonical address is in one of the ranges. */
export type IpMatcher = (ip: string) => boolean

/**
 * A matcher for ranges such as `192.0.2.0/24` and `2001:db8::/32`. They are sorted and merged, so a look-up is
 * a binary search, and 100,000 IPv4 ranges take less than a megabyte. Throws a RangeError for invalid ranges.
 */
export const buildIpMatcher = (cidrs: readonly string[]): IpMatcher =>
  matcherOf(cidrs.map(parseCidr))

/** The same for a long list, yielding to the event loop in between. */
export async function buildIpMatcherInSlices(cidrs: readonly string[]): Promise<IpMatcher> {
  const ranges: ParsedCidr[] = []
  for (let start = 0; start < cidrs.length; start += sliceLength) {
    for (const cidr of cidrs.slice(start, start + sliceLength)) ranges.push(parseCidr(cidr))
    await setImmediate()
  }
  return matcherOf(ranges)
}

/** Takes a few milliseconds. */
const sliceLength = 1_000

function matcherOf(ranges: readonly ParsedCidr[]): IpMatcher {
  const ipv4 = merge(
    ranges.filter((range) => range.version === 4),
    (end) => end + 1,
  )
  const ipv6 = merge(
    ranges.filter((range) => range.version === 6),
    (end) => end + 1n,
  )
  const starts = Uint32Array.from(ipv4, ({ start }) => start)
  const ends = Uint32Array.from(ipv4, ({ end }) => end)
  const wideStarts = ipv6.map(({ start }) => start)
  const wideEnds = ipv6.map(({ end }) => end)
  return (ip) => {
    if (!ip.includes(':')) return starts.length > 0 && contains(starts, ends, ipv4Number(ip))
    return wideStarts.length > 0 && contains(wideStarts, wideEnds, ipv6Number(ip))
  }
}

/** First and last address of a range, both inclusive. */
type Range<Address> = { start: Address; end: Address }

type ParsedCidr = (Range<number> & { version: 4 }) | (Range<bigint> & { version: 6 })

function parseCidr(cidr: string): ParsedCidr {
  const [address = '', prefix] = cidr.split('/', 2)
  const ip = canonicalIp(address)
  const length = address.includes(':') ? 128 : 32
  const hostBits = prefix === undefined ? 0 : length - Number(prefix)
  if (ip === undefined || !(hostBits >= 0 && hostBits <= length)) {
    throw new RangeError(`Not a range of IP addresses: ${cidr}`)
  }
  // ::ffff:192.0.2.0/120 is 192.0.2.0/24. A network wider than all of IPv4 consists of IPv6
  // addresses.
  if (!ip.includes(':') && hostBits <= 32) {
    const size = 2 ** hostBits
    const start = Math.floor(ipv4Number(ip) / size) * size
    return { version: 4, start, end: start + size - 1 }
  }
  const mask = (1n << BigInt(hostBits)) - 1n
  const start = ipv6Number(address) & ~mask
  return { version: 6, start, end: start | mask }
}

/** Merges overlapping and adjacent ranges, in ascending order. */
function merge<Address extends number | bigint>(
  ranges: Range<Address>[],
  after: (end: Address) => Address,
): Range<Address>[] {
  const merged: Range<Address>[] = []
  for (const { start, end } of ranges.toSorted((a, b) => (a.start < b.start ? -1 : 1))) {
    const last = merged.at(-1)
    if (!last || start > after(last.end)) merged.push({ start, end })
    else if (end > last.end) last.end = end
  }
  return merged
}

/** Whether the last range that starts at or before the address contains it. */
function contains<Address extends number | bigint>(
  starts: ArrayLike<Address>,
  ends: ArrayLike<Address>,
  address: Address,
): boolean {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? address) <= address) low = middle + 1
    else high = middle
  }
  const end = ends[low - 1]
  return end !== undefined && address <= end
}
