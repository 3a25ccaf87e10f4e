import { expect, test } from 'vitest'
import { isAtLeast, roleFromNumber, roleLabel, roleNumber, ROLES } from './roles.ts'

test.each([
  ['superadmin', 0, 'Superadmin'],
  ['admin', 5, 'Admin'],
  ['company', 10, 'Company'],
  ['agent', 20, 'Agent'],
] as const)('%s is number %i, labelled %s', (role, number, label) => {
  expect(roleNumber(role)).toBe(number)
  expect(roleFromNumber(number)).toBe(role)
  expect(roleLabel(role)).toBe(label)
  expect(roleLabel(number)).toBe(label)
})

test('an unknown role has no name, and the label "role"', () => {
  expect(roleFromNumber(1)).toBeUndefined()
  expect(roleFromNumber(Number.NaN)).toBeUndefined()
  expect(roleLabel(1)).toBe('role')
  expect(roleLabel(undefined)).toBe('role')
})

test('each role is at or above itself and all below it', () => {
  const table = ROLES.map((role) => ROLES.filter((required) => isAtLeast(role, required)))
  expect(table).toEqual([
    ['superadmin', 'admin', 'company', 'agent'],
    ['admin', 'company', 'agent'],
    ['company', 'agent'],
    ['agent'],
  ])
})
