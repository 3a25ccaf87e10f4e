import type { Random } from '../random.ts'

/**
 * Addresses of the ranges that are kept for benchmarks and documentation (RFC 2544, RFC 3849, RFC 5737):
 * nobody's.
 */
export function pickVisitor(random: Random): string {
  if (random.chance(0.22)) {
    const [a, b] = [random.below(2 ** 12), random.below(2 ** 16)]
    return `2001:db8:${a.toString(16)}:${b.toString(16)}::${(1 + random.below(250)).toString(16)}`
  }
  return `198.${18 + random.below(2)}.${random.below(256)}.${1 + random.below(254)}`
}

export const blacklist = ['203.0.113.16/28', '203.0.113.77/32', '198.51.100.9/32'] as const

const blacklistedIps = ['203.0.113.18', '203.0.113.21', '203.0.113.77', '198.51.100.9']

/** One of the visitors that the black list keeps out of the counts. */
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

/** A customer's address as merchants report it. */
export const pickEmail = (random: Random): string =>
  `${random.pick(firstNames)}.${random.pick(lastNames)}${random.below(100)}@mail.example`
