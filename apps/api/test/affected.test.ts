import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const { affectedSpecs, coreSpecs, specsOf, specsOfAll } = (await import(
  join(root, 'scripts/affected.mjs')
)) as {
  affectedSpecs(files: readonly string[]): { rooms: string[]; specs: string[] }
  coreSpecs: string[]
  specsOf: Record<string, string[]>
  specsOfAll: string[]
}

const house = (await import(join(root, 'scripts/project.mjs'))) as { rooms: string[] }

test('every file of browser tests belongs to a room, to all rooms or to the core', () => {
  const files = globSync('*.spec.ts', { cwd: join(root, 'e2e') }).map((file) =>
    basename(file, '.spec.ts'),
  )
  const known = new Set([...Object.values(specsOf).flat(), ...specsOfAll, ...coreSpecs])
  expect([...known].toSorted()).toEqual(files.toSorted())
  expect(Object.keys(specsOf).toSorted()).toEqual(house.rooms.toSorted())
})

test('a change runs the browser tests of its room, whichever of its three places was changed', () => {
  const places = [
    'apps/api/src/pay/runs/approve.ts',
    'apps/web/src/pay/runs/RunPage.tsx',
    'packages/contract/src/pay/runs.ts',
  ]
  for (const file of places) {
    const { rooms, specs } = affectedSpecs([file])
    expect(rooms).toEqual(['pay'])
    expect(specs).toEqual(expect.arrayContaining(['pay', ...coreSpecs]))
    expect(specs).not.toContain('statistics')
  }
})

test('a changed browser test runs, and what lies beneath the rooms runs the core', () => {
  expect(affectedSpecs(['e2e/boards.spec.ts']).specs).toContain('boards')
  expect(affectedSpecs(['apps/api/src/db/pulse.ts', 'docs/security.md'])).toEqual({
    rooms: [],
    specs: coreSpecs.toSorted(),
  })
})
