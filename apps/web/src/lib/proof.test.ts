import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leaveProof, proveAgain, settleProof } from './proof.ts'

beforeEach(() => void vi.stubGlobal('localStorage', { getItem: () => null }))
afterEach(() => void vi.unstubAllGlobals())

test('calls that need the password at the same time share its dialog', async () => {
  const both = Promise.all([proveAgain(), proveAgain()])
  settleProof(true)
  expect(await both).toEqual([true, true])
})

test('a call that needs the password while its cancelled dialog fades asks for it anew', async () => {
  const first = proveAgain()
  leaveProof()
  const second = proveAgain()
  settleProof()
  expect(await first).toBe(false)
  await Promise.resolve()
  settleProof(true)
  expect(await second).toBe(true)
})

test('what is accepted after the user has cancelled serves only the call that asked since', async () => {
  const first = proveAgain()
  leaveProof()
  const second = proveAgain()
  settleProof(true)
  expect(await first).toBe(false)
  expect(await second).toBe(true)
})
