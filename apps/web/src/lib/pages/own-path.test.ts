import { expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

test.each(['/', '/app/stats/sites', '/app/stats/sites?start=2026-11-01&page=2', '/a//b'])(
  '%s is a path of this site',
  (path) => expect(ownPath(path)).toBe(path),
)

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/app\n',
  'javascript:alert(1)',
  'app',
  '',
  undefined,
])('%j is not a path of this site', (path) => expect(ownPath(path)).toBeNull())
