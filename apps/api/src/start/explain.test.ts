import { expect, test } from 'vitest'
import { conflict } from '../errors.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { explain } from './explain.ts'

const failed = (fields: object) => Object.assign(new Error('it failed'), fields)

test.each([
  [{ code: 'EADDRINUSE', port: 3000 }, /^Port 3000 is used by another program\. .* PORT=3001\.$/],
  [{ code: 'EACCES', syscall: 'listen', port: 80 }, /^This user may not open port 80\./],
  [
    { code: 'EACCES', syscall: 'mkdir', path: '/srv/x' },
    /^This user may not use \/srv\/x: .*DATA_DIR\.$/,
  ],
  [{ code: 'ENOTDIR', path: '/srv/x' }, /^\/srv\/x cannot be made or written\. .*DATA_DIR\.$/],
  [{ code: 'ENOSPC' }, /^The disk is full\./],
  [{ code: '53100' }, /^The disk is full\./],
  [{ code: '28P01' }, /DATABASE_URL: it failed\.$/],
  [{ code: '3D000' }, /Create it, or correct DATABASE_URL\.$/],
  [{ code: 'ECONNREFUSED' }, /^The database, or a part of it, is not available: it failed$/],
])('an operator is told in words what %o means', (fields, said) => {
  expect(explain(failed(fields))).toMatch(said)
})

test('what is said to the operator already stays as it is, and the unforeseen keeps its stack', () => {
  expect(explain(new OperatorError('Move it.'))).toBe('Move it.')
  expect(explain(conflict('It is busy.'))).toBe('It is busy.')
  const unforeseen = new TypeError('x is not a function')
  expect(explain(unforeseen)).toBe(unforeseen)
})
