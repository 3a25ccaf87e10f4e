// Which browser tests a change touches: those of its rooms (docs/ARCHITECTURE.md).

import { spawnSync } from 'node:child_process'
import { root } from './project.mjs'

/** The files of e2e/, without `.spec.ts`, by the room whose pages they walk. */
export const specsOf = {
  operate: ['doors', 'settings'],
  desk: [
    'alarms',
    'bell',
    'exports',
    'home',
    'logs',
    'logs-of-selling',
    'objects',
    'partner-postbacks',
    'saved-views',
    'webhooks',
  ],
  figures: ['avp-week', 'boards', 'explain', 'opened', 'payroll', 'statistics', 'whole-rows'],
  pay: [
    'chosen-payees',
    'layouts',
    'links-and-payments',
    'paid-outside',
    'pay',
    'payment-journey',
    'tax-details',
    'two-people',
    'what-leaves',
  ],
  tracking: ['logs-of-selling', 'tracking'],
  catalogue: ['content', 'links-and-payments', 'rates', 'rates-in-force', 'settings', 'sites'],
  people: ['accounts', 'api-tokens', 'doors', 'doors-migration', 'sign-in', 'visibility'],
}

/** They walk all rooms, so they are only drawn. */
export const specsOfAll = [
  'accessibility',
  'frame',
  'hostile-names',
  'keyboard',
  'phone',
  'refusals',
]

/** Journeys that always run: an agent's questions, a click that becomes a sale, money that leaves. */
export const coreSpecs = ['agent-on-a-phone', 'landing', 'tracking', 'two-people']

/** The browser tests that always run with what is not pushed yet, and the rooms that ask for them. */
export function affectedSpecs(files = changedFiles()) {
  const rooms = new Set()
  const specs = new Set(coreSpecs)
  for (const file of files) {
    const [, room] = /^(?:apps\/(?:api|web)|packages\/contract)\/src\/([a-z]+)\//.exec(file) ?? []
    if (room in specsOf) rooms.add(room)
    const [, spec] = /^e2e\/([a-z-]+)\.spec\.ts$/.exec(file) ?? []
    if (spec) specs.add(spec)
  }
  for (const room of rooms) for (const spec of specsOf[room]) specs.add(spec)
  return {
    rooms: Object.keys(specsOf).filter((room) => rooms.has(room)),
    specs: [...specs].toSorted(),
  }
}

/** What was changed since the last push, committed or not. Without git or an upstream: nothing. */
function changedFiles() {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    return status === 0 ? stdout.split('\n').filter(Boolean) : []
  }
  return [
    ...git('diff', '--name-only', '@{upstream}'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}
