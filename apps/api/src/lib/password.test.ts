import { expect, test } from 'vitest'
import { hashPassword, needsRehash, verifyPassword } from './password.ts'

/** Of 'correct horse', with 64 KiB and one pass. */
const cheapHash =
  '$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MjZP1+1U9JUbDWvDvtLyEsZiNXOKEUxfi6O2oe46uxA'

test('a password matches its own hash and no other', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await verifyPassword('correct horse', hash)).toBe(true)
  expect(await verifyPassword('correct horsE', hash)).toBe(false)
  expect(await verifyPassword('', hash)).toBe(false)
})

test('the same password never has the same hash twice', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
})

test('accents match however they were composed', async () => {
  expect(await verifyPassword('e\u0301tude', await hashPassword('\u00e9tude'))).toBe(true)
})

test('where there is no account, no password matches, and finding that out takes as long', async () => {
  const hash = await hashPassword('correct horse')
  const timed = async (given: string | undefined) => {
    const start = performance.now()
    const matches = await verifyPassword('', given)
    return { matches, ms: performance.now() - start }
  }
  const [nobody, somebody] = [[await timed(undefined)], [await timed(hash)]]
  for (let n = 0; n < 4; n++) {
    nobody.push(await timed(undefined))
    somebody.push(await timed(hash))
  }
  const quickest = (times: typeof nobody) => Math.min(...times.map(({ ms }) => ms))
  expect(nobody.some(({ matches }) => matches)).toBe(false)
  expect(quickest(nobody)).toBeGreaterThan(0.5 * quickest(somebody))
})

test('a hash of another cost still matches and asks to be made anew', async () => {
  expect(await verifyPassword('correct horse', cheapHash)).toBe(true)
  expect(needsRehash(cheapHash)).toBe(true)
  expect(needsRehash(await hashPassword('x'))).toBe(false)
})

test('a malformed hash is a fault of ours, not a wrong password', async () => {
  await expect(verifyPassword('x', 'plain text')).rejects.toThrow('malformed')
})
