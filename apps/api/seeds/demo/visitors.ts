import { textId } from '../../src/lib/text-id.ts'
import type { Random } from '../random.ts'

/** Addresses from ranges reserved for benchmarks and documentation (RFC 2544, RFC 3849, RFC 5737). */
export function pickVisitor(random: Random): string {
  if (random.chance(0.22)) {
    const [a, b] = [random.below(2 ** 12), random.below(2 ** 16)]
    return `2001:db8:${a.toString(16)}:${b.toString(16)}::${(1 + random.below(250)).toString(16)}`
  }
  return `198.${18 + random.below(2)}.${random.below(256)}.${1 + random.below(254)}`
}

const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0',
]

export const HEADLESS_BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36'

/** Every address has one browser. */
export function browserOf(ip: string): string {
  return browsers[textId(ip) % browsers.length] ?? ''
}

export const blacklist = ['203.0.113.16/28', '203.0.113.77/32', '198.51.100.9/32'] as const

const blacklistedIps = ['203.0.113.18', '203.0.113.21', '203.0.113.77', '198.51.100.9']

/** A visitor with a black-listed address. */
export const pickBlacklisted = (random: Random): string => random.pick(blacklistedIps)

export const isBlacklisted = (ip: string): boolean => blacklistedIps.includes(ip)

const firstNames = ['james', 'robert', 'linda', 'mike', 'susan', 'kevin', 'laura', 'brian', 'anna']
const lastNames = [
  'carter',
  'hughes',
  'novak',
  'price',
  'walsh',
  'keller',
  'stone',
  'diaz',
  'moore',
]

/** A customer's email address, as merchants report it. */
export const pickEmail = (random: Random): string =>
  `${random.pick(firstNames)}.${random.pick(lastNames)}${random.below(100)}@mail.example`
